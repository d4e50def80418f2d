// Partition predicates as the caller states them (docs/waist.md), what they say
// about a partition, and the filter they become for Glue.
//
// Two evaluations of the same predicate meet here: Spark's, which decides, and
// Glue's, which only saves work. Everything in this file errs on one side: a
// partition that might match is kept.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/prune/typed_value.h"

namespace gluecat::prune {

struct Predicate {
  enum class Kind : std::uint8_t {
    kAnd,
    kOr,
    kNot,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kIn,
    kIsNull,
    kIsNotNull,
    kStartsWith,
  };

  Kind kind = Kind::kAnd;
  std::string column;               // empty for kAnd, kOr, kNot
  std::vector<std::string> values;  // one, any number for kIn, none for the null tests
  std::vector<Predicate> children;  // kAnd, kOr: any number; kNot: one

  bool operator==(const Predicate&) const = default;
};

// Deepest nesting, and most nodes and values, of a predicate.
inline constexpr int kMaxPredicateDepth = 100;
inline constexpr std::size_t kMaxPredicateSize = 100'000;

// Errors: kInvalidArgument (an unknown operator or member, a missing or mistyped one, too deep or
// too large).
Result<Predicate> ParsePredicate(JsonView json);

// A partition column under both of its types.
struct PartitionColumn {
  std::string name;
  KeyType glue_type;   // of the entry's partition key
  KeyType spark_type;  // of the schema that Spark reads the table with
};

// False only if no partition with `values` (text as Glue holds it, one per column;
// kNullPartitionValue is null) satisfies `predicate` under Spark's rules. A column that is not in
// `columns`, a value that cannot be read and a type that cannot be compared all count as "might".
bool MightMatch(const Predicate& predicate, std::span<const PartitionColumn> columns,
                std::span<const std::string_view> values);

}  // namespace gluecat::prune
