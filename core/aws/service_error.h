// Errors that every AWS service can answer with.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/error.h"

namespace gluecat::aws {

// The kind of a code common to AWS services (AWS, "Common Errors"); nullopt for others.
std::optional<ErrorKind> KindOfCommonCode(std::string_view code);

// The kind of an answer whose code nobody modelled. An unexplained 404 is
// kInvalidData, not kNotFound: it says that the endpoint is not the service, and
// nothing about the object asked for.
ErrorKind KindOfStatus(int http_status, bool has_code);

// True for the codes after which new credentials may help.
bool IsExpiredCredentialsCode(std::string_view code);

}  // namespace gluecat::aws
