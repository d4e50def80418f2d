// The regular expressions of GetTables (Expression) and GetUserDefinedFunctions
// (Pattern), over names.
//
// A pattern is matched against the whole name, without regard to ASCII case, in
// time linear in the name: no pattern can make it slow. It has literals, ., [classes],
// (groups), |, *, +, ?, {m,n}, ^, $, \A, \z, \Z, \d \w \s and their opposites,
// \p{Alpha} and the other POSIX classes, \Q…\E, and (?i) in front. What else Java
// has (look-around, back references, named groups) is refused.
//
// The API documents a regular expression; clients of Hive, which send SHOW TABLES LIKE 'sales*' as
// it is, get what Hive means by it. So a '*' is a wildcard for any text where no regular
// expression stands before it: at the beginning, and behind a plain character. Behind '.', a class,
// a group or an escape it repeats.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace gluecat::store {

class NamePattern {
 public:
  static constexpr std::size_t kMaxStates = 4'000;

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
