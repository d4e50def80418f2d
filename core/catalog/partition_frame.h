// The binary frame that carries partition lists to the JVM (docs/waist.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/page_array.h"
#include "core/base/result.h"
#include "core/entry/serde_reader.h"
#include "core/glue/partition_page.h"

namespace gluecat::catalog {

inline constexpr std::uint32_t kFrameVersion = 3;
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

// Collects partitions; strings and parameter maps that repeat are stored once, but for locations
// and for keys whose values hardly repeat.
class PartitionFrame final : public glue::PartitionSink {
 public:
  // Decides by its values whether a partition is wanted.
  using Filter = std::function<bool(const std::vector<std::string_view>& values)>;

  // `key_count` is the number of partition columns of the table; an empty
  // `filter` keeps every partition.
  PartitionFrame(std::size_t key_count, Filter filter);

  // A partition that the table's own reader reads.
  // Errors: kInvalidData if a partition has another number of values than the
  // table has keys; kLimitExceeded if the frame would pass 4 GiB.
  Status Add(const glue::PartitionView& partition) override { return Add(partition, kNone); }

  // The same, of a partition that is read with `reader`, an index that AddReader gave.
  Status Add(const glue::PartitionView& partition, std::uint32_t reader);

  // Takes up a reader that is not the table's own.
  std::uint32_t AddReader(const entry::SerDeReader& reader);

  std::size_t partition_count() const { return partition_count_; }

  // The finished frame; what was added is gone from here.
  PageArray<char> Encode() &&;

 private:
  // Indices by content, open addressing over a power-of-two table. The hash beside
  // each index spares most looks at the text, which lies elsewhere in memory.
  class Interner {
   public:
    std::uint32_t FindOrAdd(std::string_view text, PartitionFrame& frame);

   private:
    struct Slot {
      std::uint32_t hash = 0;
      std::uint32_t index = kNone;
    };

    void Grow();

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
  };

  // How often the values of a key were looked up, and had been seen before.
  struct KeyUse {
    std::size_t looked_up = 0;
    std::size_t repeated = 0;
  };

  std::string_view Texts() const;
  std::string_view StringAt(std::uint32_t index) const;
  std::uint32_t Append(std::string_view text);
  std::uint32_t Intern(std::string_view text) { return interner_.FindOrAdd(text, *this); }
  std::uint32_t InternValue(std::string_view value, KeyUse& use);
  std::uint32_t InternMap(const std::vector<glue::NameValue>& map);
  std::uint32_t ParametersOf(const glue::PartitionView& partition);

  std::size_t key_count_;
  std::vector<KeyUse> key_uses_;
  Filter filter_;
  std::size_t partition_count_ = 0;
  PageArray<char> frame_;  // the header's place and the texts
  PageArray<std::uint32_t> string_offsets_;
  Interner interner_;
  std::vector<std::uint32_t> pairs_;
  std::vector<std::uint32_t> map_offsets_{0};
  std::map<std::vector<std::uint32_t>, std::uint32_t> maps_;
  std::vector<std::uint32_t> readers_;
  PageArray<std::uint32_t> rows_;
  std::vector<std::uint32_t> scratch_;
  // The ones looked up last, which the next partition mostly shares.
  std::uint64_t parameters_revision_ = 0;
  std::uint32_t parameters_id_ = kNone;
};

}  // namespace gluecat::catalog
