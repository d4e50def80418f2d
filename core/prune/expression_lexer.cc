#include "core/prune/expression_lexer.h"

#include <array>
#include <optional>
#include <utility>

namespace gluecat::prune {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c) || c == '$' || c == '#'; }

// Reads quoted text from `at`, which is at its opening quote; doubled quotes stand for one.
std::optional<std::string> TakeQuoted(std::string_view text, std::size_t& at) {
  const char quote = text[at++];
  std::string out;
  while (at < text.size()) {
    if (text[at] == quote) {
      ++at;
      if (at >= text.size() || text[at] != quote) return out;
    }
    out += text[at++];
  }
  return std::nullopt;
}

}  // namespace

std::unexpected<Error> InvalidExpression(std::string message) {
  return Fail(ErrorKind::kInvalidArgument, "Invalid partition expression: " + std::move(message));
}

Result<std::vector<Token>> Tokenize(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos)
      ++at;
    Token token;
    token.at = at;
    if (at >= text.size()) {
      tokens.push_back(std::move(token));
      return tokens;
    }
    const char c = text[at];
    if (c == '\'' || c == '"' || c == '`') {
      auto quoted = TakeQuoted(text, at);
      if (!quoted)
        return InvalidExpression("unclosed quote at position " + std::to_string(token.at));
      token.kind = c == '\'' ? TokenKind::kString : TokenKind::kQuotedName;
      token.text = *std::move(quoted);
    } else if (IsDigit(c) || (c == '.' && at + 1 < text.size() && IsDigit(text[at + 1]))) {
      token.kind = TokenKind::kNumber;
      while (at < text.size() && (IsDigit(text[at]) || text[at] == '.')) token.text += text[at++];
      if (at < text.size() && IsNamePart(text[at])) {
        return InvalidExpression("malformed number at position " + std::to_string(token.at));
      }
    } else if (IsNameStart(c)) {
      token.kind = TokenKind::kName;
      while (at < text.size() && IsNamePart(text[at])) token.text += text[at++];
    } else {
      static constexpr std::array<std::string_view, 12> kSymbols = {
          "<>", "!=", "<=", ">=", "=", "<", ">", "(", ")", ",", "-", "+"};
      token.kind = TokenKind::kSymbol;
      for (const auto symbol : kSymbols) {
        if (text.substr(at).starts_with(symbol)) {
          token.text = symbol;
          break;
        }
      }
      if (token.text.empty()) {
        return InvalidExpression("unexpected character at position " + std::to_string(at));
      }
      at += token.text.size();
    }
    tokens.push_back(std::move(token));
  }
}

std::string Describe(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end";
  return "'" + token.text.substr(0, 64) + "' at position " + std::to_string(token.at);
}

}  // namespace gluecat::prune
