// OpenID Connect providers of the accounts file, and what it takes to believe one of their tokens.
// Nothing is fetched: the keys are in the file, or in one beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/environment.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "server/public_key.h"
#include "server/web_token.h"

namespace gluecat::server {

struct OidcProvider {
  std::string name;    // in the file
  std::string arn;     // arn:aws:iam::<account>:oidc-provider/<issuer without https://>
  std::string issuer;  // as tokens name it
  std::vector<std::string> audiences;
  std::vector<PublicKey> keys;
};

// Reads one provider: `issuer`, `audiences`, and its keys as one of `jwks`, `jwks_file`, `pem` and
// `pem_file`; files are relative to `directory`.
// Errors: kInvalidArgument, naming `place`.
Result<OidcProvider> ReadOidcProvider(JsonView json, const std::string& place,
                                      const Environment& files, const std::string& directory);

// Checks the token's signature (RS256 or ES256 by one of the provider's keys), its times, that it
// is for one of the provider's audiences, and that it names a subject. Gives that audience.
// Errors, with the codes of AWS STS: InvalidIdentityToken, ExpiredTokenException (as
// kExpiredWebIdentityToken), IDPRejectedClaim (a token that is not valid yet).
Result<std::string> CheckWebToken(const OidcProvider& provider, const WebToken& token,
                                  Timestamp now);

// STS has ExpiredTokenException for tokens of providers and ExpiredToken for its own; this stands
// for the first until the answer is written (sts.cc).
inline constexpr std::string_view kExpiredWebIdentityToken = "ExpiredWebIdentityToken";

}  // namespace gluecat::server
