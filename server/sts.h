// The operations of AWS STS: AssumeRole, AssumeRoleWithWebIdentity and GetCallerIdentity.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "server/caller.h"
#include "server/role_session.h"
#include "server/sts_protocol.h"

namespace gluecat::server {

// True for the operations that are answered here.
bool IsKnownStsOperation(std::string_view operation);

// AssumeRoleWithWebIdentity is the one that needs no signature: the token says who calls.
bool IsUnsignedStsOperation(std::string_view operation);

// The XML answer of a signed operation. Errors: InvalidAction, ValidationError, AccessDenied,
// MalformedPolicyDocument, PackedPolicyTooLarge.
Result<std::string> CallSts(const StsContext& context, const Caller& caller,
                            const FormParameters& parameters);

}  // namespace gluecat::server
