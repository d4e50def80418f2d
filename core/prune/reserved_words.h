// The words that Glue's expression parser takes as its own, so that a partition
// key of such a name cannot be written unquoted in an expression.
#pragma once

#include <string_view>

namespace gluecat::prune {

// ASCII case-insensitive.
bool IsReservedWord(std::string_view word);

}  // namespace gluecat::prune
