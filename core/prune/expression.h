// The filter language of Glue's GetPartitions ("Expression").
//
//   or         := and { OR and }
//   and        := not { AND not }
//   not        := NOT not | primary
//   primary    := '(' or ')' | operand op operand
//               | key [NOT] IN '(' literal {, literal} ')' | key [NOT] BETWEEN literal AND literal
//               | key [NOT] LIKE string | key IS [NOT] NULL
//   op         := = | <> | != | < | <= | > | >=      (one operand a key, the other a literal)
//   literal    := 'text with '' for a quote' | [+-]digits[.digits]
//
// Key names and keywords are ASCII case-insensitive; a key may be quoted with
// backquotes or double quotes, and must be where its name is a keyword.
// Comparison follows the key's declared type (typed_value.h). Rules of the real
// service kept here: an unknown key, a key type outside its list, an unquoted
// date or timestamp, a typed suffix (1L) and NOT (k IN …) are invalid; IS NULL
// matches nothing. What it does not document, we read in the way that rejects.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/prune/typed_value.h"

namespace gluecat::prune {

struct PartitionKey {
  std::string name;
  std::string type;  // Glue type string
};

namespace internal {
struct ExpressionNode;
}

class Expression {
 public:
  // Longest text read, and deepest nesting.
  static constexpr std::size_t kMaxBytes = 16 * 1024;
  static constexpr int kMaxDepth = 100;

  // Blank text matches everything.
  // Errors: kInvalidArgument, saying what is wrong and where.
  static Result<Expression> Parse(std::string_view text, std::span<const PartitionKey> keys);

  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  bool MatchesEverything() const { return root_ == nullptr; }

  // Whether a partition with `values` (one per key, in key order) passes.
  // Errors: kInvalidData if a stored value that the answer depends on is not a value of its key's
  // type; kInvalidArgument if the number of values differs from the number of keys.
  Result<bool> Matches(std::span<const std::string_view> values) const;

  // The values that the first keys have in every partition that passes: those of string keys that
  // the whole expression is a conjunction over `key = 'text'` of. Empty if there are none. Who has
  // partitions in the order of their values need not look at the others.
  std::vector<std::string> LeadingValues() const;

 private:
  Expression();
  std::unique_ptr<internal::ExpressionNode> root_;
  std::vector<KeyType> types_;
};

}  // namespace gluecat::prune
