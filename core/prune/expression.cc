#include "core/prune/expression.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/text.h"
#include "core/prune/expression_lexer.h"
#include "core/prune/reserved_words.h"

namespace gluecat::prune {
namespace internal {

struct ExpressionNode {
  enum class Kind : std::uint8_t { kAnd, kOr, kNot, kCompare, kIn, kBetween, kLike, kIsNull };
  enum class Operator : std::uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual
  };

  Kind kind = Kind::kAnd;
  Operator op = Operator::kEqual;
  bool negated = false;  // NOT IN, NOT BETWEEN, NOT LIKE, IS NOT NULL
  bool parenthesized = false;
  std::size_t key = 0;
  std::vector<TypedValue> literals;
  std::string pattern;
  std::vector<std::unique_ptr<ExpressionNode>> children;
};

}  // namespace internal

namespace {

using Node = internal::ExpressionNode;
using NodePtr = std::unique_ptr<Node>;

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::span<const PartitionKey> keys,
         const std::vector<KeyType>& types)
      : tokens_(std::move(tokens)), keys_(keys), types_(types) {}

  Result<NodePtr> ParseAll() {
    GLUECAT_ASSIGN_OR_RETURN(auto node, ParseOr(0));
    if (Peek().kind != TokenKind::kEnd) return InvalidExpression("unexpected " + Describe(Peek()));
    return node;
  }

 private:
  const Token& Peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool IsKeyword(std::string_view word, std::size_t ahead = 0) const {
    const Token& token = Peek(ahead);
    return token.kind == TokenKind::kName && EqualsIgnoreCase(token.text, word);
  }
  bool TakeKeyword(std::string_view word) {
    if (!IsKeyword(word)) return false;
    ++at_;
    return true;
  }
  bool TakeSymbol(std::string_view symbol) {
    const Token& token = Peek();
    if (token.kind != TokenKind::kSymbol || token.text != symbol) return false;
    ++at_;
    return true;
  }
  std::unexpected<Error> Expected(std::string_view what) const {
    return InvalidExpression("expected " + std::string(what) + ", found " + Describe(Peek()));
  }

  Result<NodePtr> ParseOr(int depth) {
    return ParseChain(depth, "OR", Node::Kind::kOr, [&] {
      return ParseChain(depth, "AND", Node::Kind::kAnd, [&] { return ParseNot(depth); });
    });
  }

  template <typename ParseOne>
  Result<NodePtr> ParseChain(int depth, std::string_view word, Node::Kind kind, ParseOne one) {
    if (depth > Expression::kMaxDepth) return InvalidExpression("nested too deeply");
    GLUECAT_ASSIGN_OR_RETURN(NodePtr first, one());
    if (!IsKeyword(word)) return first;
    auto chain = std::make_unique<Node>();
    chain->kind = kind;
    chain->children.push_back(std::move(first));
    while (TakeKeyword(word)) {
      GLUECAT_ASSIGN_OR_RETURN(NodePtr next, one());
      chain->children.push_back(std::move(next));
    }
    return chain;
  }

  Result<NodePtr> ParseNot(int depth) {
    if (!TakeKeyword("NOT")) return ParsePrimary(depth);
    if (depth > Expression::kMaxDepth) return InvalidExpression("nested too deeply");
    GLUECAT_ASSIGN_OR_RETURN(NodePtr child, ParseNot(depth + 1));
    if (child->kind == Node::Kind::kIn && child->parenthesized) {
      return InvalidExpression("Unsupported expression 'NOT (… IN …)'");
    }
    auto node = std::make_unique<Node>();
    node->kind = Node::Kind::kNot;
    node->children.push_back(std::move(child));
    return node;
  }

  Result<NodePtr> ParsePrimary(int depth) {
    if (TakeSymbol("(")) {
      GLUECAT_ASSIGN_OR_RETURN(NodePtr inner, ParseOr(depth + 1));
      if (!TakeSymbol(")")) return Expected("')'");
      inner->parenthesized = true;
      return inner;
    }
    auto node = std::make_unique<Node>();
    if (IsKey(Peek())) {
      GLUECAT_ASSIGN_OR_RETURN(node->key, TakeKey());
      return ParseAfterKey(std::move(node));
    }
    // literal op key: the same as key op' literal.
    GLUECAT_ASSIGN_OR_RETURN(const Literal literal, TakeLiteral());
    GLUECAT_ASSIGN_OR_RETURN(const Node::Operator op, TakeOperator());
    if (!IsKey(Peek())) return Expected("a partition key");
    GLUECAT_ASSIGN_OR_RETURN(node->key, TakeKey());
    node->kind = Node::Kind::kCompare;
    switch (op) {
      case Node::Operator::kLess:
        node->op = Node::Operator::kGreater;
        break;
      case Node::Operator::kLessEqual:
        node->op = Node::Operator::kGreaterEqual;
        break;
      case Node::Operator::kGreater:
        node->op = Node::Operator::kLess;
        break;
      case Node::Operator::kGreaterEqual:
        node->op = Node::Operator::kLessEqual;
        break;
      default:
        node->op = op;
    }
    GLUECAT_RETURN_IF_ERROR(AddLiteral(*node, literal));
    return node;
  }

  Result<NodePtr> ParseAfterKey(NodePtr node) {
    if (TakeKeyword("IS")) {
      node->kind = Node::Kind::kIsNull;
      node->negated = TakeKeyword("NOT");
      if (!TakeKeyword("NULL")) return Expected("NULL");
      return node;
    }
    const bool negated = TakeKeyword("NOT");
    node->negated = negated;
    if (TakeKeyword("IN")) {
      node->kind = Node::Kind::kIn;
      if (!TakeSymbol("(")) return Expected("'('");
      do {
        GLUECAT_ASSIGN_OR_RETURN(const Literal literal, TakeLiteral());
        GLUECAT_RETURN_IF_ERROR(AddLiteral(*node, literal));
      } while (TakeSymbol(","));
      if (!TakeSymbol(")")) return Expected("')'");
      std::sort(node->literals.begin(), node->literals.end());
      return node;
    }
    if (TakeKeyword("BETWEEN")) {
      node->kind = Node::Kind::kBetween;
      GLUECAT_ASSIGN_OR_RETURN(const Literal low, TakeLiteral());
      if (!TakeKeyword("AND")) return Expected("AND");
      GLUECAT_ASSIGN_OR_RETURN(const Literal high, TakeLiteral());
      GLUECAT_RETURN_IF_ERROR(AddLiteral(*node, low));
      GLUECAT_RETURN_IF_ERROR(AddLiteral(*node, high));
      return node;
    }
    if (TakeKeyword("LIKE")) {
      node->kind = Node::Kind::kLike;
      if (types_[node->key].family != KeyFamily::kString) {
        return InvalidExpression("LIKE on key '" + keys_[node->key].name + "' of type " +
                                 keys_[node->key].type);
      }
      if (Peek().kind != TokenKind::kString) return Expected("a quoted pattern");
      node->pattern = Peek().text;
      ++at_;
      return node;
    }
    if (negated) return Expected("IN, BETWEEN or LIKE");
    node->kind = Node::Kind::kCompare;
    GLUECAT_ASSIGN_OR_RETURN(node->op, TakeOperator());
    GLUECAT_ASSIGN_OR_RETURN(const Literal literal, TakeLiteral());
    GLUECAT_RETURN_IF_ERROR(AddLiteral(*node, literal));
    return node;
  }

  struct Literal {
    bool quoted = false;
    std::string text;
  };

  static bool IsKey(const Token& token) {
    return token.kind == TokenKind::kQuotedName || token.kind == TokenKind::kName;
  }

  Result<std::size_t> TakeKey() {
    const Token& token = Peek();
    if (token.kind == TokenKind::kName && IsReservedWord(token.text))
      return Expected("a partition key");
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (!EqualsIgnoreCase(keys_[i].name, token.text)) continue;
      if (types_[i].family == KeyFamily::kOther) {
        return InvalidExpression("key '" + keys_[i].name + "' has the unsupported type " +
                                 keys_[i].type);
      }
      ++at_;
      return i;
    }
    return InvalidExpression("unknown key " + Describe(token));
  }

  Result<Literal> TakeLiteral() {
    const Token& token = Peek();
    if (token.kind == TokenKind::kString) {
      ++at_;
      return Literal{true, token.text};
    }
    std::string sign;
    if (token.kind == TokenKind::kSymbol && (token.text == "-" || token.text == "+") &&
        Peek(1).kind == TokenKind::kNumber) {
      sign = token.text;
      ++at_;
    }
    if (Peek().kind != TokenKind::kNumber) return Expected("a literal");
    return Literal{false, sign + tokens_[at_++].text};
  }

  Result<Node::Operator> TakeOperator() {
    if (TakeSymbol("=")) return Node::Operator::kEqual;
    if (TakeSymbol("<>") || TakeSymbol("!=")) return Node::Operator::kNotEqual;
    if (TakeSymbol("<=")) return Node::Operator::kLessEqual;
    if (TakeSymbol("<")) return Node::Operator::kLess;
    if (TakeSymbol(">=")) return Node::Operator::kGreaterEqual;
    if (TakeSymbol(">")) return Node::Operator::kGreater;
    return Expected("a comparison");
  }

  Status AddLiteral(Node& node, const Literal& literal) {
    const KeyType& type = types_[node.key];
    if (!literal.quoted &&
        (type.family == KeyFamily::kDate || type.family == KeyFamily::kTimestamp)) {
      return InvalidExpression("Unsupported expression '" + literal.text + "': a " + type.name +
                               " must be quoted");
    }
    auto value = TypedValue::Parse(type, literal.text);
    if (!value) {
      return InvalidExpression("'" + literal.text.substr(0, 64) + "' is not a value of key '" +
                               keys_[node.key].name + "' of type " + keys_[node.key].type);
    }
    node.literals.push_back(*std::move(value));
    return {};
  }

  std::vector<Token> tokens_;
  std::span<const PartitionKey> keys_;
  const std::vector<KeyType>& types_;
  std::size_t at_ = 0;
};

// The bytes of the UTF-8 character that starts at `text[at]`.
std::size_t CharacterLength(std::string_view text, std::size_t at) {
  std::size_t length = 1;
  while (at + length < text.size() &&
         (static_cast<unsigned char>(text[at + length]) & 0xC0U) == 0x80) {
    ++length;
  }
  return length;
}

// SQL LIKE: % any text, _ one character, \ takes the next character as it is.
// Linear in pattern × text: on a mismatch only the last % is tried further on.
bool MatchesLike(std::string_view text, std::string_view pattern) {
  std::size_t t = 0;
  std::size_t p = 0;
  std::optional<std::pair<std::size_t, std::size_t>> retry;  // text, pattern behind the last %
  while (true) {
    if (p < pattern.size() && pattern[p] == '%') {
      retry = {t, ++p};
      continue;
    }
    if (t == text.size()) {
      if (p == pattern.size()) return true;
    } else if (p < pattern.size()) {
      if (pattern[p] == '_') {
        t += CharacterLength(text, t);
        ++p;
        continue;
      }
      const std::size_t escape = pattern[p] == '\\' && p + 1 < pattern.size() ? 1 : 0;
      if (pattern[p + escape] == text[t]) {
        ++t;
        p += 1 + escape;
        continue;
      }
    }
    if (!retry || retry->first >= text.size()) return false;
    retry->first += CharacterLength(text, retry->first);
    std::tie(t, p) = *retry;
  }
}

class Evaluator {
 public:
  Evaluator(const std::vector<KeyType>& types, std::span<const std::string_view> values)
      : types_(types), values_(values) {}

  Result<bool> Evaluate(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::kAnd:
      case Node::Kind::kOr: {
        const bool decisive = node.kind == Node::Kind::kOr;
        for (const auto& child : node.children) {
          GLUECAT_ASSIGN_OR_RETURN(const bool matches, Evaluate(*child));
          if (matches == decisive) return decisive;
        }
        return !decisive;
      }
      case Node::Kind::kNot: {
        GLUECAT_ASSIGN_OR_RETURN(const bool matches, Evaluate(*node.children.front()));
        return !matches;
      }
      case Node::Kind::kIsNull:
        return node.negated;
      case Node::Kind::kLike:
        return MatchesLike(values_[node.key], node.pattern) != node.negated;
      default:
        break;
    }
    const auto value = TypedValue::Parse(types_[node.key], values_[node.key]);
    if (!value) {
      return Fail(ErrorKind::kInvalidData, "For input string: \"" + std::string(values_[node.key]) +
                                               "\" is not a value of type " +
                                               types_[node.key].name);
    }
    if (node.kind == Node::Kind::kIn) {
      return std::binary_search(node.literals.begin(), node.literals.end(), *value) != node.negated;
    }
    if (node.kind == Node::Kind::kBetween) {
      return (*value >= node.literals[0] && *value <= node.literals[1]) != node.negated;
    }
    const auto order = *value <=> node.literals.front();
    switch (node.op) {
      case Node::Operator::kEqual:
        return order == 0;
      case Node::Operator::kNotEqual:
        return order != 0;
      case Node::Operator::kLess:
        return order < 0;
      case Node::Operator::kLessEqual:
        return order <= 0;
      case Node::Operator::kGreater:
        return order > 0;
      case Node::Operator::kGreaterEqual:
        return order >= 0;
    }
    return false;
  }

 private:
  const std::vector<KeyType>& types_;
  std::span<const std::string_view> values_;
};

// The `key = literal` that must be true wherever `node` is.
const Node* FindEquality(const Node& node, std::size_t key) {
  if (node.kind == Node::Kind::kAnd) {
    for (const auto& child : node.children) {
      if (const Node* const found = FindEquality(*child, key)) return found;
    }
    return nullptr;
  }
  const bool equality = node.kind == Node::Kind::kCompare && node.op == Node::Operator::kEqual;
  return equality && node.key == key ? &node : nullptr;
}

}  // namespace

Expression::Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

Result<Expression> Expression::Parse(std::string_view text, std::span<const PartitionKey> keys) {
  if (text.size() > kMaxBytes)
    return InvalidExpression("longer than " + std::to_string(kMaxBytes) + " bytes");
  Expression expression;
  for (const auto& key : keys) expression.types_.push_back(ParseKeyType(key.type));
  if (Trim(text).empty()) return expression;
  GLUECAT_ASSIGN_OR_RETURN(auto tokens, Tokenize(text));
  Parser parser(std::move(tokens), keys, expression.types_);
  GLUECAT_ASSIGN_OR_RETURN(expression.root_, parser.ParseAll());
  return expression;
}

Result<bool> Expression::Matches(std::span<const std::string_view> values) const {
  if (root_ == nullptr) return true;
  if (values.size() != types_.size()) {
    return Fail(ErrorKind::kInvalidArgument, "the partition has " + std::to_string(values.size()) +
                                                 " values for " + std::to_string(types_.size()) +
                                                 " keys");
  }
  return Evaluator(types_, values).Evaluate(*root_);
}

std::vector<std::string> Expression::LeadingValues() const {
  std::vector<std::string> values;
  if (root_ == nullptr) return values;
  for (std::size_t key = 0; key < types_.size(); ++key) {
    // One string, one spelling; 1 may be stored as 01.
    if (types_[key].family != KeyFamily::kString) break;
    const Node* const equality = FindEquality(*root_, key);
    if (equality == nullptr) break;
    values.push_back(equality->literals.front().Canonical());
  }
  return values;
}

}  // namespace gluecat::prune
