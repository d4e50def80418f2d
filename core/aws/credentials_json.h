// The JSON in which helpers and metadata services hand out credentials.
#pragma once

#include <string_view>

#include "core/aws/credentials.h"
#include "core/base/result.h"

namespace gluecat::aws {

// {"AccessKeyId": …, "SecretAccessKey": …, <token_member>: …, "Expiration": …,
// "AccountId": …}; the last two may be missing. The token is called "Token" by
// metadata services, which always give one, and "SessionToken" by processes,
// which may leave it out.
//
// Errors: kInvalidData, naming what is missing and never what is there.
Result<Credentials> ParseCredentialsJson(std::string_view json, std::string_view token_member);

}  // namespace gluecat::aws
