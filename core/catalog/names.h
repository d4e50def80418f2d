// Names as Glue stores them.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace gluecat::catalog {

// Folds a database or table name to lower case (Glue stores both so) and checks
// it against Glue's NameString: 1 to 255 characters, no control characters but
// tab. `what` ("database", "table") names it in the error.
// Errors: kInvalidArgument.
Result<std::string> FoldName(std::string_view name, std::string_view what);

}  // namespace gluecat::catalog
