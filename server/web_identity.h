// AssumeRoleWithWebIdentity: a session of a role for who holds a token of an OpenID Connect
// provider that the role trusts. The request is not signed.
#pragma once

#include <string>

#include "core/base/result.h"
#include "server/role_session.h"
#include "server/sts_protocol.h"

namespace gluecat::server {

// Whom the answer went to, for the request log.
struct WebIdentitySession {
  std::string answer;  // XML
  std::string account;
  std::string arn;  // of the session
};

// Without accounts any token opens any role. Errors: ValidationError, MalformedPolicyDocument,
// PackedPolicyTooLarge, InvalidIdentityToken, ExpiredTokenException, IDPRejectedClaim, and
// AccessDenied if the role is not there or trusts no such token.
Result<WebIdentitySession> AssumeRoleWithWebIdentity(const StsContext& context,
                                                     const FormParameters& parameters);

}  // namespace gluecat::server
