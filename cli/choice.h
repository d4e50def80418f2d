// Options that take one of a few words.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace gluecat::cli {

// Lets `option` take nothing but one of `words`. Its type, as the help shows it and completion
// reads it, is the words with bars between them.
void OnlyOneOf(CLI::Option& option, const std::vector<std::string>& words);

}  // namespace gluecat::cli
