// The operations of AWS STS: AssumeRole and GetCallerIdentity, in the Query
// protocol (form parameters in, XML out).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "server/accounts.h"
#include "server/authenticator.h"
#include "server/temporary_credentials.h"

namespace gluecat::server {

using FormParameters = std::map<std::string, std::string, std::less<>>;

// application/x-www-form-urlencoded; the last of repeated names wins.
FormParameters ParseForm(std::string_view text);

std::string XmlEscape(std::string_view text);

// True for the operations that CallSts answers.
bool IsKnownStsOperation(std::string_view operation);

// What happens without accounts: any role can be assumed by anybody.
struct StsContext {
  const Accounts* accounts;  // may be null
  const TemporaryCredentials& temporary;
  const Clock& clock;
  std::string request_id;
};

// The XML answer. Errors: InvalidAction, ValidationError, AccessDenied.
Result<std::string> CallSts(const StsContext& context, const Caller& caller,
                            const FormParameters& parameters);

// An error in STS's form. `error.code` may be in Glue's words
// ("UnrecognizedClientException"); `status` gets the HTTP status of STS's.
std::string StsErrorXml(const Error& error, std::string_view request_id, int& status);

}  // namespace gluecat::server
