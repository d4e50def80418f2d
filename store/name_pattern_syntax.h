// The text of a name pattern (name_pattern.h) as a tree.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace gluecat::store {

struct PatternNode {
  enum class Kind : std::uint8_t {
    kCharacter,     // one character of a set
    kSequence,      // the children, one after the other
    kAlternatives,  // one of the children
    kRepeat,        // the child, min to max times
    kBegin,
    kEnd
  };
  Kind kind = Kind::kSequence;
  // Of a set: bytes below 0x80 are the ASCII characters in it. Single bytes from 0x80 on come only
  // from literals, which are sequences of their bytes.
  std::bitset<256> bytes;
  bool beyond_ascii = false;  // and every character that is not ASCII
  std::vector<std::unique_ptr<PatternNode>> children;
  int min = 0;
  int max = -1;  // -1: without end
};
using PatternNodePtr = std::unique_ptr<PatternNode>;

// Errors: InvalidInputException, saying what is wrong.
Result<PatternNodePtr> ParsePattern(std::string_view pattern);

std::unexpected<Error> InvalidPattern(std::string_view what);

}  // namespace gluecat::store
