// Which part of a column's projected values a filter can keep.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/prune/predicate.h"
#include "core/prune/projected_values.h"

namespace gluecat::prune {

// Indices from `first` up to but not including `end`.
struct IndexRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  bool operator==(const IndexRange&) const = default;
};

// Ranges, in order and apart from each other, that hold every index of `values` whose value some
// partition satisfying `filter` can have. Found without looking at all values if they are ordered;
// otherwise, and for what the filter says in other ways than by comparison, everything.
std::vector<IndexRange> KeptRanges(const Predicate& filter, const PartitionColumn& column,
                                   const ProjectedValues& values);

// The values that every partition satisfying `filter` has in `column`, if the filter states them
// with = or IN; nullopt if it does not.
std::optional<std::set<std::string>> StatedValues(const Predicate& filter,
                                                  const PartitionColumn& column);

}  // namespace gluecat::prune
