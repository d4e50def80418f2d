#include "core/catalog/partition_frame.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

namespace gluecat::catalog {
namespace {

constexpr char kMagic[] = {'G', 'C', 'P', 'F'};
// Below the 4 GiB that offsets can address, with room for one partition.
constexpr std::size_t kMaxBlob = std::numeric_limits<std::uint32_t>::max() - (1U << 24U);

static_assert(std::endian::native == std::endian::little,
              "the frame is little-endian and is written as it lies in memory");

constexpr std::uint32_t kAsciiFlag = 1;

bool IsAscii(std::string_view text) {
  unsigned char bits = 0;
  for (const char c : text) bits |= static_cast<unsigned char>(c);
  return bits < 0x80;
}

// Makes room for `more` elements. Growing by small steps copies a large list over
// and over, into fresh pages each time; memory that is set aside and not touched
// costs nothing.
template <typename Container>
void MakeRoom(Container& container, std::size_t more) {
  constexpr std::size_t kFirst = 1024;
  constexpr std::size_t kLargeStep = std::size_t{1} << 24U;
  const std::size_t needed = container.size() + more;
  if (needed <= container.capacity()) return;
  const std::size_t step = std::clamp(container.capacity() * 7, kFirst, kLargeStep);
  container.reserve(std::max({needed, container.capacity() * 2, container.capacity() + step}));
}

void AppendNumbers(std::string& out, const std::vector<std::uint32_t>& numbers) {
  out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::uint32_t));
}

}  // namespace

std::uint32_t PartitionFrame::Interner::FindOrAdd(std::string_view text, PartitionFrame& frame) {
  if ((used_ + 1) * 2 > slots_.size()) Grow();
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].index != kNone) {
    if (slots_[at].hash == hash && frame.StringAt(slots_[at].index) == text) {
      return slots_[at].index;
    }
    at = (at + 1) & mask;
  }
  ++used_;
  slots_[at] = {hash, frame.Append(text)};
  return slots_[at].index;
}

void PartitionFrame::Interner::Grow() {
  constexpr std::size_t kFirstSize = 1024;
  const std::vector<Slot> old =
      std::exchange(slots_, std::vector<Slot>(slots_.empty() ? kFirstSize : slots_.size() * 4));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.index == kNone) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].index != kNone) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

PartitionFrame::PartitionFrame(std::size_t key_count, Filter filter)
    : key_count_(key_count), key_uses_(key_count), filter_(std::move(filter)) {}

std::string_view PartitionFrame::StringAt(std::uint32_t index) const {
  const std::uint32_t from = string_offsets_[index];
  return std::string_view(blob_).substr(from, string_offsets_[index + 1] - from);
}

std::uint32_t PartitionFrame::Append(std::string_view text) {
  MakeRoom(blob_, text.size());
  blob_ += text;
  MakeRoom(string_offsets_, 1);
  string_offsets_.push_back(static_cast<std::uint32_t>(blob_.size()));
  return static_cast<std::uint32_t>(string_offsets_.size() - 2);
}

std::uint32_t PartitionFrame::InternOptional(const std::optional<std::string_view>& text) {
  return text ? Intern(*text) : kNone;
}

std::uint32_t PartitionFrame::InternValue(std::string_view value, KeyUse& use) {
  // A key of 100,000 different values makes a table of them that no cache holds.
  constexpr std::size_t kTrial = 4096;
  if (use.looked_up >= kTrial && use.repeated < use.looked_up / 8) return Append(value);
  const std::size_t before = string_offsets_.size();
  const std::uint32_t index = Intern(value);
  ++use.looked_up;
  if (string_offsets_.size() == before) ++use.repeated;
  return index;
}

std::uint32_t PartitionFrame::InternMap(const std::vector<glue::NameValue>& map) {
  scratch_.clear();
  for (const auto& [key, value] : map) {
    scratch_.push_back(Intern(key));
    scratch_.push_back(Intern(value));
  }
  const auto [found, added] =
      maps_.try_emplace(scratch_, static_cast<std::uint32_t>(map_offsets_.size() - 1));
  if (added) {
    pairs_.insert(pairs_.end(), scratch_.begin(), scratch_.end());
    map_offsets_.push_back(static_cast<std::uint32_t>(pairs_.size() / 2));
  }
  return found->second;
}

std::uint32_t PartitionFrame::InternFormat(const glue::PartitionView& partition) {
  const std::uint32_t serde_map = InternMap(partition.serde_parameters);
  scratch_ = {InternOptional(partition.input_format), InternOptional(partition.output_format),
              InternOptional(partition.serialization_library), serde_map};
  const auto [found, added] =
      format_ids_.try_emplace(scratch_, static_cast<std::uint32_t>(formats_.size() / 4));
  if (added) formats_.insert(formats_.end(), scratch_.begin(), scratch_.end());
  return found->second;
}

std::uint32_t PartitionFrame::ParametersOf(const glue::PartitionView& partition) {
  if (partition.parameters_revision == 0 || partition.parameters_revision != parameters_revision_) {
    parameters_id_ = InternMap(partition.parameters);
    parameters_revision_ = partition.parameters_revision;
  }
  return parameters_id_;
}

std::uint32_t PartitionFrame::FormatOf(const glue::PartitionView& partition) {
  if (partition.format_revision == 0 || partition.format_revision != format_revision_) {
    format_id_ = InternFormat(partition);
    format_revision_ = partition.format_revision;
  }
  return format_id_;
}

Status PartitionFrame::Add(const glue::PartitionView& partition) {
  if (partition.values.size() != key_count_) {
    return Fail(ErrorKind::kInvalidData, "a partition has " +
                                             std::to_string(partition.values.size()) +
                                             " values, but the table has " +
                                             std::to_string(key_count_) + " partition columns");
  }
  if (filter_ && !filter_(partition.values)) return {};
  if (blob_.size() > kMaxBlob) {
    return Fail(ErrorKind::kLimitExceeded, "the partition list is larger than 4 GiB");
  }
  MakeRoom(rows_, key_count_ + 3);
  for (std::size_t key = 0; key < key_count_; ++key) {
    rows_.push_back(InternValue(partition.values[key], key_uses_[key]));
  }
  // Locations hardly ever repeat: not worth a look-up.
  rows_.push_back(partition.location ? Append(*partition.location) : kNone);
  rows_.push_back(ParametersOf(partition));
  rows_.push_back(FormatOf(partition));
  ++partition_count_;
  return {};
}

std::string PartitionFrame::Encode() const {
  const std::vector<std::uint32_t> header = {
      kFrameVersion,
      IsAscii(blob_) ? kAsciiFlag : 0,
      static_cast<std::uint32_t>(partition_count_),
      static_cast<std::uint32_t>(key_count_),
      static_cast<std::uint32_t>(string_offsets_.size() - 1),
      static_cast<std::uint32_t>(map_offsets_.size() - 1),
      static_cast<std::uint32_t>(pairs_.size() / 2),
      static_cast<std::uint32_t>(formats_.size() / 4),
      static_cast<std::uint32_t>(blob_.size()),
  };
  std::string frame(kMagic, sizeof(kMagic));
  frame.reserve(sizeof(kMagic) + blob_.size() +
                sizeof(std::uint32_t) *
                    (header.size() + string_offsets_.size() + map_offsets_.size() + pairs_.size() +
                     formats_.size() + rows_.size()));
  for (const auto* part : {&header, &string_offsets_, &map_offsets_, &pairs_, &formats_, &rows_}) {
    AppendNumbers(frame, *part);
  }
  frame += blob_;
  return frame;
}

}  // namespace gluecat::catalog
