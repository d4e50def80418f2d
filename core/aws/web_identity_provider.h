// Credentials of a role, assumed with a token that an OpenID Connect provider
// signed and somebody keeps fresh in a file: IRSA on EKS and its like (AWS SDKs
// and Tools Reference Guide, "Assume role credential provider").
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"
#include "core/aws/sts.h"

namespace gluecat::aws {

struct WebIdentityOptions {
  std::string token_file;
  std::string role_arn;
  std::string session_name = "gluecat";
  std::optional<std::chrono::seconds> duration = {};  // nullopt: STS's own
};

// Of given options: web_identity_token_file of a profile. Reads the file and asks
// STS on every Resolve: put a CachingProvider in front.
class WebIdentityProvider final : public CredentialsProvider {
 public:
  // `region` is that of STS.
  // Errors: kInvalidArgument if an option is out of STS's bounds.
  static Result<std::shared_ptr<WebIdentityProvider>> Create(WebIdentityOptions options,
                                                             const std::string& region,
                                                             const ClientRuntime& runtime);

  std::string_view name() const override { return "web identity"; }

  // Errors: kUnauthenticated if the file cannot be read or is empty, or STS does
  // not accept the token; otherwise those of StsClient::AssumeRoleWithWebIdentity.
  // Messages name the role and the file.
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  WebIdentityProvider(WebIdentityOptions options, std::unique_ptr<StsClient> sts,
                      std::shared_ptr<const Environment> environment);

  const WebIdentityOptions options_;
  const std::unique_ptr<StsClient> sts_;
  const std::shared_ptr<const Environment> environment_;
};

// The member of the default chain: aws.webIdentityTokenFile, aws.roleArn and
// aws.roleSessionName, or AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN and
// AWS_ROLE_SESSION_NAME.
class WebIdentityEnvironmentProvider final : public CredentialsProvider {
 public:
  WebIdentityEnvironmentProvider(ClientRuntime runtime, std::optional<std::string> region);
  std::string_view name() const override { return "web identity"; }

  // Errors: kNotFound without a token file; kUnauthenticated with a token file and
  // no role; those of WebIdentityProvider.
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  const ClientRuntime runtime_;
  const std::optional<std::string> region_;
};

}  // namespace gluecat::aws
