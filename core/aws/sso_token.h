// The access token of IAM Identity Center that `aws sso login` left in
// ~/.aws/sso/cache, renewed in time as the AWS SDKs do it (AWS SDKs and Tools
// Reference Guide, "IAM Identity Center credential provider"; CreateToken of the
// SSO OIDC API).
#pragma once

#include <string>

#include "core/aws/client_runtime.h"

namespace gluecat::aws {

struct SsoLogin {
  // What the token's file is named after: the sso-session, else sso_start_url.
  std::string cache_key;
  std::string region;   // sso_region: where the directory is
  std::string profile;  // for messages

  // What a person can do where there is no good token: the end of a message.
  std::string Advice() const { return "; run `aws sso login --profile " + profile + "`"; }
};

// The token. Five minutes before its end it is renewed with the refresh token in the
// same file, which is then written anew, since a refresh token is good once. A token
// that cannot be renewed yet is used as long as it lasts, with a warning.
//
// Errors: kUnauthenticated without a token, or with one that has expired and cannot be
// renewed, saying how to log in; those of HttpClient::Send where nobody answers in time.
Result<std::string> SsoAccessToken(const SsoLogin& login, const ClientRuntime& runtime,
                                   const CallLimits& limits);

}  // namespace gluecat::aws
