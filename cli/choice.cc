#include "cli/choice.h"

#include "core/base/text.h"

namespace gluecat::cli {

void OnlyOneOf(CLI::Option& option, const std::vector<std::string>& words) {
  CLI::Validator among = CLI::IsMember(words);
  among.description("");  // the type says it
  option.check(among)->type_name(Join(words, "|"));
}

}  // namespace gluecat::cli
