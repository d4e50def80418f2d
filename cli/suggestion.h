// What somebody may have meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gluecat::cli {

// The one of `words` that takes the fewest changes from `word`: letters put in, left out,
// replaced, or two neighbours swapped. None if that is more than a third of its length; of
// equals the first.
std::optional<std::string> Nearest(std::string_view word, const std::vector<std::string>& words);

}  // namespace gluecat::cli
