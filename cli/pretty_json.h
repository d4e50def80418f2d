// JSON for people.
#pragma once

#include <string>

#include "core/base/json.h"

namespace gluecat::cli {

// `json` with a member or element a line, two spaces a level, in its own order.
// Without a line break at the end.
std::string PrettyJson(JsonView json);

}  // namespace gluecat::cli
