// Credentials of a role of IAM Identity Center, with the token that `aws sso
// login` left in ~/.aws/sso/cache (AWS SDKs and Tools Reference Guide, "IAM
// Identity Center credential provider").
#pragma once

#include <memory>
#include <string>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"
#include "core/aws/endpoint.h"
#include "core/aws/profile.h"

namespace gluecat::aws {

struct SsoOptions {
  std::string account_id;  // sso_account_id
  std::string role_name;   // sso_role_name
  std::string region;      // sso_region: where the directory is
  // What the token's file is named after: the sso-session, else sso_start_url.
  std::string cache_key;
  std::string profile;  // for messages
};

// The sso_* properties of `profile`, and of the [sso-session …] it names.
// Errors: kUnauthenticated, naming the property that is missing or that profile
// and session contradict each other in.
Result<SsoOptions> ReadSsoOptions(const ProfileSet& profiles, const std::string& profile);

// Asks Identity Center on every Resolve: put a CachingProvider in front. The token
// is used as long as it lasts and is not renewed: only the AWS command line writes
// to its cache.
class SsoProvider final : public CredentialsProvider {
 public:
  // Errors: those of ResolveEndpoint.
  static Result<std::shared_ptr<SsoProvider>> Create(SsoOptions options,
                                                     const ClientRuntime& runtime);
  std::string_view name() const override { return "IAM Identity Center"; }

  // Errors: kUnauthenticated without a token, with one that has expired, or if it
  // is refused (the message says how to log in); kAccessDenied if it gives no
  // right to the role; kInvalidData; those of HttpClient::Send.
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  SsoProvider(SsoOptions options, Endpoint endpoint, ClientRuntime runtime);
  Result<std::string> AccessToken() const;
  std::string Login() const;

  const SsoOptions options_;
  const Endpoint endpoint_;
  const ClientRuntime runtime_;
};

}  // namespace gluecat::aws
