#include "core/prune/index_ranges.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/base/text.h"

namespace gluecat::prune {
namespace {

using Kind = Predicate::Kind;
using Ranges = std::vector<IndexRange>;

Ranges Intersection(const Ranges& a, const Ranges& b) {
  Ranges both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const IndexRange overlap{std::max(a[i].first, b[j].first), std::min(a[i].end, b[j].end)};
    if (overlap.first < overlap.end) both.push_back(overlap);
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return both;
}

Ranges Union(Ranges ranges) {
  std::ranges::sort(ranges, {}, &IndexRange::first);
  Ranges joined;
  for (const IndexRange& range : ranges) {
    if (range.first >= range.end) continue;
    if (!joined.empty() && range.first <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, range.end);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

// The first index for which `holds` is false; it is true up to there.
template <typename Holds>
std::uint64_t Boundary(std::uint64_t size, Holds holds) {
  std::uint64_t first = 0;
  while (size > 0) {
    const std::uint64_t half = size / 2;
    if (holds(first + half)) {
      first += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return first;
}

class RangeFinder {
 public:
  RangeFinder(const PartitionColumn& column, const ProjectedValues& values)
      : column_(column), values_(values) {}

  Ranges Find(const Predicate& filter) const {
    switch (filter.kind) {
      case Kind::kAnd: {
        Ranges kept = All();
        for (const auto& child : filter.children) kept = Intersection(kept, Find(child));
        return kept;
      }
      case Kind::kOr: {
        Ranges kept;
        for (const auto& child : filter.children) {
          for (const auto& range : Find(child)) kept.push_back(range);
        }
        return Union(std::move(kept));
      }
      case Kind::kNot:
        return All();
      default:
        return EqualsIgnoreCase(filter.column, column_.name) ? FindLeaf(filter) : All();
    }
  }

 private:
  Ranges All() const {
    return values_.size() == 0 ? Ranges() : Ranges{IndexRange{0, values_.size()}};
  }

  Ranges FindLeaf(const Predicate& leaf) const {
    switch (leaf.kind) {
      case Kind::kEqual:
        return Between(leaf.values.front(), leaf.values.front());
      case Kind::kIn: {
        Ranges kept;
        for (const auto& value : leaf.values) {
          for (const auto& range : Between(value, value)) kept.push_back(range);
        }
        return Union(std::move(kept));
      }
      case Kind::kLess:
      case Kind::kLessEqual:
        return NotEmpty({0, EndOf(leaf)});
      case Kind::kGreater:
      case Kind::kGreaterEqual:
        return NotEmpty({FirstOf(leaf), values_.size()});
      case Kind::kStartsWith: {
        const std::string& prefix = leaf.values.front();
        const std::uint64_t first = FirstOf({Kind::kGreaterEqual, leaf.column, {prefix}, {}});
        const std::uint64_t end =
            first + Boundary(values_.size() - first,
                             [&](std::uint64_t index) { return Might(leaf, first + index); });
        return NotEmpty({first, end});
      }
      default:
        return All();
    }
  }

  Ranges Between(const std::string& low, const std::string& high) const {
    return NotEmpty({FirstOf({Kind::kGreaterEqual, column_.name, {low}, {}}),
                     EndOf({Kind::kLessEqual, column_.name, {high}, {}})});
  }

  static Ranges NotEmpty(IndexRange range) {
    return range.first < range.end ? Ranges{range} : Ranges();
  }

  // Of a condition that holds from some value on, and one that holds up to some value.
  std::uint64_t FirstOf(const Predicate& leaf) const {
    return Boundary(values_.size(), [&](std::uint64_t index) { return !Might(leaf, index); });
  }
  std::uint64_t EndOf(const Predicate& leaf) const {
    return Boundary(values_.size(), [&](std::uint64_t index) { return Might(leaf, index); });
  }

  bool Might(const Predicate& leaf, std::uint64_t index) const {
    const ProjectedValue value = values_.At(index);
    const std::array<std::string_view, 1> texts = {value.value};
    return MightMatch(leaf, std::span(&column_, 1), texts);
  }

  const PartitionColumn& column_;
  const ProjectedValues& values_;
};

}  // namespace

std::vector<IndexRange> KeptRanges(const Predicate& filter, const PartitionColumn& column,
                                   const ProjectedValues& values) {
  if (values.size() == 0) return {};
  if (!values.ordered()) return {IndexRange{0, values.size()}};
  return RangeFinder(column, values).Find(filter);
}

std::optional<std::set<std::string>> StatedValues(const Predicate& filter,
                                                  const PartitionColumn& column) {
  std::optional<std::set<std::string>> stated;
  switch (filter.kind) {
    case Kind::kAnd:
      for (const auto& child : filter.children) {
        auto part = StatedValues(child, column);
        if (!part) continue;
        if (stated) {
          std::erase_if(*stated, [&](const auto& value) { return !part->contains(value); });
        } else {
          stated = std::move(part);
        }
      }
      return stated;
    case Kind::kOr:
      stated.emplace();
      for (const auto& child : filter.children) {
        auto part = StatedValues(child, column);
        if (!part) return std::nullopt;
        stated->merge(*part);
      }
      return stated;
    case Kind::kEqual:
    case Kind::kIn:
      if (!EqualsIgnoreCase(filter.column, column.name)) return std::nullopt;
      return std::set<std::string>(filter.values.begin(), filter.values.end());
    default:
      return std::nullopt;
  }
}

}  // namespace gluecat::prune
