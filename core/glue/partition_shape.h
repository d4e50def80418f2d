// The form that the partitions of a listing share.
//
// The partitions of a table mostly have the same members in the same order, and
// differ in values, location, times and statistics only. Who knows the form of one
// finds those in the next by comparing the text between them, several times faster
// than a JSON parser does. What does not fit to the letter is left to the parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/glue/partition_view.h"

namespace gluecat::glue {

class PartitionShape {
 public:
  enum class Role : std::uint8_t { kValue, kLocation, kParameter, kUnused };

  // A place in a partition's text where others may have something else: a number, or
  // what stands between the quotes of a string.
  struct Slot {
    Role role;
    std::string_view text;
  };

  // The shape of the partition that has the JSON text `text` and reads as `partition`.
  // `slots` are views into `text`, in their order there. Nothing if a slot holds
  // escapes, or if they do not give all values, the location and all parameters of
  // the partition exactly once.
  static std::optional<PartitionShape> Of(std::string_view text, const PartitionView& partition,
                                          const std::vector<Slot>& slots);

  struct Part {
    std::size_t partitions = 0;             // that were shown to the sink
    std::optional<std::string> next_token;  // of the page, if this was all of it
  };

  // Shows `sink` the partitions at the beginning of a GetPartitions answer, as long
  // as they have this shape. `revision` is the last one given out, and goes on.
  // Errors: the sink's own.
  Result<Part> ReadPage(std::string_view page, PartitionSink& sink, std::uint64_t& revision) const;

 private:
  struct Piece {
    std::string before;  // the text up to the slot
    Role role;
    bool number;
  };

  // Reads one partition at the beginning of `text` and takes it off.
  bool Take(std::string_view& text, PartitionView& partition, std::uint64_t& revision) const;
  PartitionView View(std::uint64_t& revision) const;

  std::vector<Piece> pieces_;
  std::string end_;
  std::size_t values_ = 0;
  // What is the same in all of them.
  std::optional<std::string> input_format_;
  std::optional<std::string> output_format_;
  std::optional<std::string> serialization_library_;
  std::vector<std::pair<std::string, std::string>> serde_parameters_;
  std::vector<std::string> parameter_names_;
};

}  // namespace gluecat::glue
