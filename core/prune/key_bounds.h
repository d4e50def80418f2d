// How sure we can be of what a predicate's literal means on stored text.
#pragma once

#include <optional>
#include <string_view>

#include "core/prune/typed_value.h"

namespace gluecat::prune {

// Spark takes stored text as the literal only if it lies within; the two are equal for types that
// are read in one way only.
struct Bounds {
  TypedValue low;
  TypedValue high;
};

// Decimals are widened by one unit of their last place (Spark rounds what is stored), timestamps by
// a day (their text depends on a time zone, and daylight saving reorders it).
// nullopt: nothing can be said about this literal.
std::optional<Bounds> BoundsOf(const KeyType& type, std::string_view literal);

}  // namespace gluecat::prune
