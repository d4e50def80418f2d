// A predicate as a GetPartitions expression.
#pragma once

#include <span>
#include <string>

#include "core/prune/predicate.h"

namespace gluecat::prune {

// Longest expression that Glue takes, in characters.
inline constexpr std::size_t kMaxExpressionLength = 2048;

// An expression that every partition satisfying `predicate` passes; empty (= all) if there is none
// that excludes anything. It is at most kMaxExpressionLength long: lists and alternatives that do
// not fit become ranges around them, and conditions that still do not fit are left out.
//
// Left out as well, because Glue refuses them or reads them differently: keys of types outside
// Glue's list, or whose Glue and Spark types differ; keys with reserved or unusual names; null
// tests of keys that are not strings; text with backslashes or control characters. Decimals and
// timestamps are widened by a unit, so that rounding and time zones cannot exclude a match.
//
// Glue can still refuse the expression for its own reasons, or fail on a stored value that is not
// of the key's type (InvalidInputException, InvalidStateException): list without it then.
std::string ToGlueExpression(const Predicate& predicate, std::span<const PartitionColumn> columns);

}  // namespace gluecat::prune
