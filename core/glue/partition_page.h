// One page of a GetPartitions answer, read in a single pass.
//
// Tables with 100,000 partitions make this the hottest path of a catalog, so a
// page is not turned into Partition structures: each partition is shown to a
// sink as views into the page.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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

// Reads the pages of one listing, one after the other.
class PartitionPageReader {
 public:
  PartitionPageReader();
  ~PartitionPageReader();

  // Reads the GetPartitions answer `page` into `sink` and returns its NextToken
  // (empty on the last page). `page` may be grown by some bytes of padding.
  // Errors: kInvalidData for malformed JSON or members of unexpected types; the
  // sink's own.
  Result<std::string> Read(std::string& page, PartitionSink& sink);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;  // its buffers are as large as a page and are used again
  std::uint64_t revision_ = 0;
};

}  // namespace gluecat::glue
