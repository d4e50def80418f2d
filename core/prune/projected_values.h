// The values that partition projection gives one column: Athena's enum, integer and date types.
//
// A column's values are a sequence that is known by its rule and not enumerated: the value at an
// index is computed, and where the order of the values is that of the indices, what a filter keeps
// is found by halving.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/prune/predicate.h"

namespace gluecat::prune {

// The value of a partition column, as Glue would hold it, and as the location spells it: they
// differ where a column of type date or int is written with a format or with leading zeros.
struct ProjectedValue {
  std::string value;
  std::string in_location;
  bool operator==(const ProjectedValue&) const = default;
};

class ProjectedValues {
 public:
  virtual ~ProjectedValues() = default;

  virtual std::uint64_t size() const = 0;

  // `index` is below size(). Equal values may follow each other.
  virtual ProjectedValue At(std::uint64_t index) const = 0;

  // Whether larger indices have larger (or equal) values of the column's type.
  virtual bool ordered() const = 0;
};

// `projection.<column>.<setting>` of a table, by setting in lower case.
using ColumnSettings = std::map<std::string, std::string, std::less<>>;

// The values of `column` by its settings; nullptr for an injected column, which has none of its
// own. `now` is what NOW stands for. Settings' texts follow Athena's documentation ("Supported
// types for partition projection").
// Errors: kInvalidData, naming the setting, its text and what is wrong with it; kUnsupported for a
// date format that is not read (see date_pattern.h).
Result<std::unique_ptr<ProjectedValues>> ReadProjectedValues(const PartitionColumn& column,
                                                             const ColumnSettings& settings,
                                                             Timestamp now);

}  // namespace gluecat::prune
