// The words of a GetPartitions expression.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace gluecat::prune {

enum class TokenKind : std::uint8_t { kEnd, kName, kQuotedName, kString, kNumber, kSymbol };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;    // without quotes
  std::size_t at = 0;  // bytes from the start
};

// The tokens of `text`, kEnd last.
// Errors: kInvalidArgument (an unclosed quote, a character or number that has no meaning).
Result<std::vector<Token>> Tokenize(std::string_view text);

// "'month' at position 7", for messages.
std::string Describe(const Token& token);

// The error that every refusal of an expression is.
std::unexpected<Error> InvalidExpression(std::string message);

}  // namespace gluecat::prune
