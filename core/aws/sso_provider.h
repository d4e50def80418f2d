// Credentials of a role of IAM Identity Center, with the token of who logged in
// (AWS SDKs and Tools Reference Guide, "IAM Identity Center credential provider").
#pragma once

#include <memory>
#include <string>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"
#include "core/aws/endpoint.h"
#include "core/aws/profile.h"
#include "core/aws/sso_token.h"

namespace gluecat::aws {

struct SsoOptions {
  std::string account_id;  // sso_account_id
  std::string role_name;   // sso_role_name
  SsoLogin login;
};

// The sso_* properties of `profile`, and of the [sso-session …] it names.
// Errors: kUnauthenticated, naming the property that is missing or that profile
// and session contradict each other in.
Result<SsoOptions> ReadSsoOptions(const ProfileSet& profiles, const std::string& profile);

// Asks Identity Center on every Resolve: put a CachingProvider in front.
class SsoProvider final : public CredentialsProvider {
 public:
  // Errors: those of ResolveEndpoint.
  static Result<std::shared_ptr<SsoProvider>> Create(SsoOptions options,
                                                     const ClientRuntime& runtime);
  std::string_view name() const override { return "IAM Identity Center"; }

  // Errors: those of SsoAccessToken; kUnauthenticated if the token is refused (the
  // message says how to log in); kAccessDenied if it gives no right to the role;
  // kInvalidData; those of HttpClient::Send.
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  SsoProvider(SsoOptions options, Endpoint endpoint, ClientRuntime runtime);

  const SsoOptions options_;
  const Endpoint endpoint_;
  const ClientRuntime runtime_;
};

}  // namespace gluecat::aws
