// Credentials of a container: Amazon ECS, EKS Pod Identity and what works like
// them (AWS SDKs and Tools Reference Guide, "Container credential provider").
#pragma once

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"

namespace gluecat::aws {

// AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, of http://169.254.170.2, or
// AWS_CONTAINER_CREDENTIALS_FULL_URI. The request carries the token in the file
// AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE, else that in
// AWS_CONTAINER_AUTHORIZATION_TOKEN, if there is one, and never takes a proxy.
// Without TLS the token and the credentials would be for everybody on the way, so
// plain HTTP is only for loopback, 169.254.170.2 (ECS) and 169.254.170.23 and
// fd00:ec2::23 (EKS).
//
// Asks on every Resolve: put a CachingProvider in front.
class ContainerProvider final : public CredentialsProvider {
 public:
  explicit ContainerProvider(ClientRuntime runtime);
  std::string_view name() const override { return "container"; }

  // Errors: kNotFound if neither variable is set; kInvalidArgument for a URI that
  // is none or may not be asked, and for a token that is no header;
  // kUnauthenticated if the token cannot be read or the service refuses;
  // kInvalidData for an answer that is no credentials; those of HttpClient::Send.
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  const ClientRuntime runtime_;
};

}  // namespace gluecat::aws
