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

#include "core/base/result.h"
#include "core/glue/partition_shape.h"
#include "core/glue/partition_view.h"

namespace gluecat::glue {

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
  std::unique_ptr<Parser> parser_;       // its buffers are as large as a page and are used again
  std::optional<PartitionShape> shape_;  // learnt from the page before
  std::uint64_t revision_ = 0;
};

}  // namespace gluecat::glue
