// Leaves out of a listing what its caller may not see, as GetTables does on AWS ("Filter tables by
// GetTables permission"): GetDatabases, GetTables, SearchTables, GetUserDefinedFunctions,
// GetConnections and GetCatalogs. Pages keep their places: one may come out shorter, or empty with
// a token for the next.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "server/authorization.h"

namespace gluecat::server {

// `answer` is the store's answer of `operation`; any other operation's comes back as it is.
// Errors: kInvalidData if it is not JSON.
Result<std::string> KeepPermitted(std::string_view operation, std::string answer,
                                  const CatalogAccess& access);

}  // namespace gluecat::server
