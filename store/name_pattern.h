// The regular expressions of GetTables (Expression) and GetUserDefinedFunctions
// (Pattern), over names.
//
// Literals, ., [classes], (groups), |, *, +, ?, {m,n}, ^, $, and the escapes \d \w \s
// and their opposites. A pattern is matched against the whole name, without
// regard to ASCII case, in time linear in the name: no pattern can make it slow.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace gluecat::store {

class NamePattern {
 public:
  static constexpr std::size_t kMaxStates = 10'000;

  // Errors: InvalidInputException, saying what is wrong.
  static Result<NamePattern> Compile(std::string_view pattern);

  bool Matches(std::string_view name) const;

 private:
  friend class NamePatternCompiler;
  struct State {
    enum class Kind : std::uint8_t { kByte, kSplit, kBegin, kEnd, kMatch };
    Kind kind = Kind::kMatch;
    std::bitset<256> bytes;  // kByte: the bytes that lead on
    std::size_t next = 0;
    std::size_t alternative = 0;  // kSplit
  };

  void Follow(std::size_t state, bool at_begin, bool at_end, std::vector<bool>& seen,
              std::vector<std::size_t>& out) const;

  std::vector<State> states_;
  std::size_t start_ = 0;
};

}  // namespace gluecat::store
