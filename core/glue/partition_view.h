// What a reader of partition lists sees of a partition.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace gluecat::glue {

using NameValue = std::pair<std::string_view, std::string_view>;

// What a reader needs of a partition. Views are valid during the sink's call.
//
// The partitions of a table mostly share their format and parameters. While a
// revision stays the same from one partition to the next, so does what it covers;
// 0 says nothing.
struct PartitionView {
  std::vector<std::string_view> values;
  std::optional<std::string_view> location;
  std::optional<std::string_view> input_format;
  std::optional<std::string_view> output_format;
  std::optional<std::string_view> serialization_library;
  std::vector<NameValue> serde_parameters;
  std::uint64_t format_revision = 0;  // of the four members above
  std::vector<NameValue> parameters;
  std::uint64_t parameters_revision = 0;
};

class PartitionSink {
 public:
  virtual ~PartitionSink() = default;
  virtual Status Add(const PartitionView& partition) = 0;
};

}  // namespace gluecat::glue
