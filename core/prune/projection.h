// Partition projection: partitions that are computed from table properties, as Athena does it, and
// are not in Glue.
//
// Only what the filter keeps is enumerated. The property names and their meaning are those of
// Athena's documentation ("Partition projection with Amazon Athena"): projection.<column>.type and
// its settings (projected_values.h), and storage.location.template.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/prune/predicate.h"

namespace gluecat::prune {

// Most partitions of one listing, and most values that are looked at to find them.
inline constexpr std::size_t kMaxProjectedPartitions = 1'000'000;
inline constexpr std::size_t kMaxProjectedTrials = 10'000'000;

struct Projection {
  std::map<std::string, std::string> parameters;  // of the table; others than these are ignored
  std::string location;                           // of the table
};

// Takes one partition: its values, one per column, as Glue would hold them, and its location.
using ProjectedSink =
    std::function<Status(const std::vector<std::string_view>& values, const std::string& location)>;

// Shows `sink` every partition that might satisfy `filter` (nullptr: all); `now` is what NOW stands
// for. Without a template, a partition lies where Hive would put it, <location>/<column>=<value>/….
// Errors: kInvalidData for a property that is missing or cannot be understood, naming it;
// kUnsupported for date formats that are not read; kInvalidArgument if the filter does not fix the
// values of an injected column, or keeps more than kMaxProjectedPartitions; those of `sink`.
Status ListProjected(const Projection& projection, std::span<const PartitionColumn> columns,
                     const Predicate* filter, Timestamp now, const ProjectedSink& sink);

}  // namespace gluecat::prune
