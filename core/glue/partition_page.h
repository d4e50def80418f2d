// One page of a GetPartitions answer, read in a single pass.
//
// Tables with 100,000 partitions make this the hottest path of a catalog, so a
// page is not turned into Partition structures: each partition is shown to a
// sink as views into the page.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace gluecat::glue {

using NameValue = std::pair<std::string_view, std::string_view>;

// What a reader needs of a partition. Views are valid during the sink's call.
struct PartitionView {
  std::vector<std::string_view> values;
  std::optional<std::string_view> location;
  std::optional<std::string_view> input_format;
  std::optional<std::string_view> output_format;
  std::optional<std::string_view> serialization_library;
  std::vector<NameValue> serde_parameters;
  std::vector<NameValue> parameters;
};

class PartitionSink {
 public:
  virtual ~PartitionSink() = default;
  virtual Status Add(const PartitionView& partition) = 0;
};

// Reads the GetPartitions answer `page` into `sink` and returns its NextToken
// (empty on the last page). `page` may be grown by some bytes of padding.
// Errors: kInvalidData for malformed JSON or members of unexpected types; the
// sink's own.
Result<std::string> ReadPartitionPage(std::string& page, PartitionSink& sink);

}  // namespace gluecat::glue
