// JSON for people to read.
#pragma once

#include <string>

#include "core/base/json.h"

namespace gluecat::server {

// `value` with one member or element a line, two spaces deeper for each level.
std::string PrettyJson(JsonView value);

}  // namespace gluecat::server
