#include "core/glue/partition_shape.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/text.h"

namespace gluecat::glue {
namespace {

constexpr std::string_view kPartitions = "\"Partitions\":[";
constexpr std::string_view kNextToken = "\"NextToken\":\"";

// Per byte of `word`: its highest bit is set unless the byte is an ASCII letter of
// a JSON string, which means from 0x20 to 0x7F and neither '"' nor '\\'. Bytes above a
// set one may be wrong; the lowest set one is right.
std::uint64_t SpecialBytes(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighs = kOnes * 0x80U;
  const auto below = [&](std::uint64_t bytes, std::uint64_t limit) {
    return (bytes - kOnes * limit) & ~bytes;
  };
  return (word | below(word, 0x20) | below(word ^ kOnes * '"', 1) | below(word ^ kOnes * '\\', 1)) &
         kHighs;
}

// Fills a word up to one byte.
constexpr std::uint64_t kPlainLetters = 0x6161616161616100U;

// How much of `text` stands before the quote that ends a string of plain ASCII;
// npos if there is anything else first.
std::size_t PlainLength(std::string_view text) {
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    const std::uint64_t special = SpecialBytes(word);
    if (special == 0) continue;
    at += static_cast<std::size_t>(std::countr_zero(special)) / 8;
    return text[at] == '"' ? at : std::string_view::npos;
  }
  while (at < text.size() &&
         SpecialBytes(static_cast<unsigned char>(text[at]) | kPlainLetters) == 0)
    ++at;
  return at < text.size() && text[at] == '"' ? at : std::string_view::npos;
}

std::size_t NumberLength(std::string_view text) {
  std::size_t at = 0;
  const auto belongs = [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
  };
  while (at < text.size() && belongs(text[at])) ++at;
  return at == 0 ? std::string_view::npos : at;
}

bool Skip(std::string_view& text, std::string_view expected) {
  if (text.size() < expected.size() ||
      std::memcmp(text.data(), expected.data(), expected.size()) != 0) {
    return false;
  }
  text.remove_prefix(expected.size());
  return true;
}

// Takes `"NextToken":"…"` off, if it is there and plain.
std::optional<std::string_view> TakeToken(std::string_view& text) {
  std::string_view rest = text;
  if (!Skip(rest, kNextToken)) return std::nullopt;
  const std::size_t length = PlainLength(rest);
  if (length == std::string_view::npos) return std::nullopt;
  const std::string_view token = rest.substr(0, length);
  text = rest.substr(length + 1);
  return token;
}

std::optional<std::string> Owned(const std::optional<std::string_view>& text) {
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<std::string_view> Viewed(const std::optional<std::string>& text) {
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

}  // namespace

std::optional<PartitionShape> PartitionShape::Of(std::string_view text,
                                                 const PartitionView& partition,
                                                 const std::vector<Slot>& slots) {
  PartitionShape shape;
  std::vector<std::string_view> values;
  std::vector<std::string_view> parameters;
  std::optional<std::string_view> location;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (const Slot& slot : slots) {
    const char* begin = slot.text.data();
    const char* stop = begin + slot.text.size();
    if (begin <= at || stop >= end) return std::nullopt;
    const bool number = begin[-1] != '"';
    const std::string_view rest(begin, static_cast<std::size_t>(end - begin));
    if ((number ? NumberLength(rest) : PlainLength(rest)) != slot.text.size()) return std::nullopt;
    shape.pieces_.push_back({std::string(at, begin), slot.role, number});
    at = stop;
    if (slot.role == Role::kValue) values.push_back(slot.text);
    if (slot.role == Role::kParameter) parameters.push_back(slot.text);
    if (slot.role == Role::kLocation) {
      if (location) return std::nullopt;
      location = slot.text;
    }
  }
  shape.end_.assign(at, end);
  const bool all_parameters =
      std::equal(parameters.begin(), parameters.end(), partition.parameters.begin(),
                 partition.parameters.end(),
                 [](std::string_view slot, const NameValue& read) { return slot == read.second; });
  if (values != partition.values || location != partition.location || !all_parameters) {
    return std::nullopt;
  }
  shape.values_ = values.size();
  shape.input_format_ = Owned(partition.input_format);
  shape.output_format_ = Owned(partition.output_format);
  shape.serialization_library_ = Owned(partition.serialization_library);
  shape.serde_parameters_.assign(partition.serde_parameters.begin(),
                                 partition.serde_parameters.end());
  for (const auto& [name, value] : partition.parameters) shape.parameter_names_.emplace_back(name);
  return shape;
}

PartitionView PartitionShape::View(std::uint64_t& revision) const {
  PartitionView view;
  view.values.resize(values_);
  view.input_format = Viewed(input_format_);
  view.output_format = Viewed(output_format_);
  view.serialization_library = Viewed(serialization_library_);
  view.serde_parameters.assign(serde_parameters_.begin(), serde_parameters_.end());
  view.format_revision = ++revision;
  for (const std::string& name : parameter_names_) view.parameters.emplace_back(name, "");
  view.parameters_revision = ++revision;
  return view;
}

bool PartitionShape::Take(std::string_view& text, PartitionView& partition,
                          std::uint64_t& revision) const {
  std::string_view rest = text;
  std::size_t value = 0;
  std::size_t parameter = 0;
  bool parameters_differ = false;
  for (const Piece& piece : pieces_) {
    if (!Skip(rest, piece.before)) return false;
    const std::size_t length = piece.number ? NumberLength(rest) : PlainLength(rest);
    if (length == std::string_view::npos) return false;
    const std::string_view found = rest.substr(0, length);
    rest.remove_prefix(length);
    switch (piece.role) {
      case Role::kValue:
        partition.values[value++] = found;
        break;
      case Role::kLocation:
        partition.location = found;
        break;
      case Role::kParameter: {
        std::string_view& held = partition.parameters[parameter++].second;
        parameters_differ |= held != found;
        held = found;
        break;
      }
      case Role::kUnused:
        break;
    }
  }
  if (!Skip(rest, end_)) return false;
  if (parameters_differ) partition.parameters_revision = ++revision;
  text = rest;
  return true;
}

Result<PartitionShape::Part> PartitionShape::ReadPage(std::string_view page, PartitionSink& sink,
                                                      std::uint64_t& revision) const {
  Part part;
  std::string_view rest = page;
  if (!Skip(rest, "{")) return part;
  std::optional<std::string_view> token = TakeToken(rest);
  if (token && !Skip(rest, ",")) return part;
  if (!Skip(rest, kPartitions)) return part;
  PartitionView partition = View(revision);
  do {
    if (!Take(rest, partition, revision)) return part;
    GLUECAT_RETURN_IF_ERROR(sink.Add(partition));
    ++part.partitions;
  } while (Skip(rest, ","));
  if (!Skip(rest, "]")) return part;
  if (!token && Skip(rest, ",")) {
    token = TakeToken(rest);
    if (!token) return part;
  }
  if (Trim(rest) == "}") part.next_token = token.value_or("");
  return part;
}

}  // namespace gluecat::glue
