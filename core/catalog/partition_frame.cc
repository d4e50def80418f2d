#include "core/catalog/partition_frame.h"

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <utility>

namespace gluecat::catalog {
namespace {

constexpr char kMagic[] = {'G', 'C', 'P', 'F'};
// Below the 4 GiB that offsets can address, with room for one partition.
constexpr std::size_t kMaxBlob = std::numeric_limits<std::uint32_t>::max() - (1U << 24U);

static_assert(std::endian::native == std::endian::little,
              "the frame is little-endian and is written as it lies in memory");

constexpr std::uint32_t kAsciiFlag = 1;
constexpr std::size_t kHeaderNumbers = 9;  // after the magic
constexpr std::size_t kReaderNumbers = 3;
constexpr std::size_t kHeaderBytes = sizeof(kMagic) + kHeaderNumbers * sizeof(std::uint32_t);

bool IsAscii(std::string_view text) {
  unsigned char bits = 0;
  for (const char c : text) bits |= static_cast<unsigned char>(c);
  return bits < 0x80;
}

void AppendNumbers(PageArray<char>& out, std::span<const std::uint32_t> numbers) {
  out.append({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
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
    : key_count_(key_count), key_uses_(key_count), filter_(std::move(filter)) {
  constexpr std::array<char, kHeaderBytes> kPlace = {};
  frame_.append(kPlace);
  string_offsets_.push_back(0);
}

std::string_view PartitionFrame::Texts() const {
  return std::string_view(frame_.data(), frame_.size()).substr(kHeaderBytes);
}

std::string_view PartitionFrame::StringAt(std::uint32_t index) const {
  const std::uint32_t from = string_offsets_[index];
  return Texts().substr(from, string_offsets_[index + 1] - from);
}

std::uint32_t PartitionFrame::Append(std::string_view text) {
  frame_.append(text);
  string_offsets_.push_back(static_cast<std::uint32_t>(Texts().size()));
  return static_cast<std::uint32_t>(string_offsets_.size() - 2);
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

std::uint32_t PartitionFrame::AddReader(const entry::SerDeReader& reader) {
  const std::vector<glue::NameValue> options(reader.options.begin(), reader.options.end());
  const std::uint32_t map = InternMap(options);
  const auto optional = [this](std::string_view text) {
    return text.empty() ? kNone : Intern(text);
  };
  readers_.insert(readers_.end(), {optional(reader.provider), map, optional(reader.reason)});
  return static_cast<std::uint32_t>(readers_.size() / kReaderNumbers - 1);
}

std::uint32_t PartitionFrame::ParametersOf(const glue::PartitionView& partition) {
  if (partition.parameters_revision == 0 || partition.parameters_revision != parameters_revision_) {
    parameters_id_ = InternMap(partition.parameters);
    parameters_revision_ = partition.parameters_revision;
  }
  return parameters_id_;
}

Status PartitionFrame::Add(const glue::PartitionView& partition, std::uint32_t reader) {
  if (partition.values.size() != key_count_) {
    return Fail(ErrorKind::kInvalidData, "a partition has " +
                                             std::to_string(partition.values.size()) +
                                             " values, but the table has " +
                                             std::to_string(key_count_) + " partition columns");
  }
  if (filter_ && !filter_(partition.values)) return {};
  if (frame_.size() > kMaxBlob) {
    return Fail(ErrorKind::kLimitExceeded, "the partition list is larger than 4 GiB");
  }
  for (std::size_t key = 0; key < key_count_; ++key) {
    rows_.push_back(InternValue(partition.values[key], key_uses_[key]));
  }
  // Locations hardly ever repeat: not worth a look-up.
  rows_.push_back(partition.location ? Append(*partition.location) : kNone);
  rows_.push_back(ParametersOf(partition));
  rows_.push_back(reader);
  ++partition_count_;
  return {};
}

PageArray<char> PartitionFrame::Encode() && {
  const std::string_view texts = Texts();
  const std::array<std::uint32_t, kHeaderNumbers> header = {
      kFrameVersion,
      IsAscii(texts) ? kAsciiFlag : 0,
      static_cast<std::uint32_t>(partition_count_),
      static_cast<std::uint32_t>(key_count_),
      static_cast<std::uint32_t>(string_offsets_.size() - 1),
      static_cast<std::uint32_t>(map_offsets_.size() - 1),
      static_cast<std::uint32_t>(pairs_.size() / 2),
      static_cast<std::uint32_t>(readers_.size() / kReaderNumbers),
      static_cast<std::uint32_t>(texts.size()),
  };
  std::memcpy(frame_.data(), kMagic, sizeof(kMagic));
  std::memcpy(frame_.data() + sizeof(kMagic), header.data(), sizeof(header));
  constexpr std::array<char, sizeof(std::uint32_t)> kPadding = {};
  frame_.append(std::span(kPadding).first((kPadding.size() - frame_.size() % kPadding.size()) %
                                          kPadding.size()));
  for (const std::span<const std::uint32_t> numbers :
       {std::span<const std::uint32_t>(string_offsets_.data(), string_offsets_.size()),
        std::span<const std::uint32_t>(map_offsets_), std::span<const std::uint32_t>(pairs_),
        std::span<const std::uint32_t>(readers_),
        std::span<const std::uint32_t>(rows_.data(), rows_.size())}) {
    AppendNumbers(frame_, numbers);
  }
  return std::move(frame_);
}

}  // namespace gluecat::catalog
