// JSON for people to read.
#pragma once

#include <string>

#include "core/base/json.h"

namespace gluecat {

// `value` with a member or element a line, two spaces deeper for each level, in its
// own order. Without a line break at the end.
std::string PrettyJson(JsonView value);

}  // namespace gluecat
