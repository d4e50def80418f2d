// What the operations of STS that open a session of a role have in common.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "server/accounts.h"
#include "server/sts_protocol.h"
#include "server/temporary_credentials.h"

namespace gluecat::server {

struct StsContext {
  const Accounts* accounts;  // null: any role can be assumed by anybody
  const TemporaryCredentials& temporary;
  const Clock& clock;
  std::string request_id;
};

// The parameter; empty if it is missing.
std::string Parameter(const FormParameters& parameters, std::string_view name);

// A ValidationError of STS.
std::unexpected<Error> InvalidParameter(std::string message);

// RoleArn, RoleSessionName and Policy of a request. Where there are accounts, what would change
// the session and is not supported (PolicyArns, Tags, SourceIdentity, MFA) is refused.
// Errors: ValidationError, MalformedPolicyDocument, PackedPolicyTooLarge.
Result<AssumedSession> ReadSession(const StsContext& context, const FormParameters& parameters);

// DurationSeconds of a request for `role` (null if anything goes), or an hour. `chained` is true
// where a session of a role asks: that is an hour at most.
// Errors: ValidationError.
Result<std::int64_t> ReadDuration(const FormParameters& parameters, const Role* role, bool chained);

// Opens the session for `seconds` from now on: the XML of AssumedRoleUser and Credentials.
// Errors: PackedPolicyTooLarge, if the session's policy makes its token too long for a header.
Result<std::string> OpenSession(const StsContext& context, AssumedSession session,
                                std::int64_t seconds);

}  // namespace gluecat::server
