#include "transfer/entry_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/glue/codec.h"

namespace gluecat::transfer {
namespace {

constexpr std::size_t kShown = 120;  // bytes of a value

void WriteSorted(JsonView value, JsonWriter& writer) {
  if (value.IsArray()) {
    writer.BeginArray();
    for (const JsonView element : value.Elements()) WriteSorted(element, writer);
    writer.EndArray();
  } else if (value.IsObject()) {
    auto members = value.Members();
    std::ranges::sort(members, {}, [](const auto& member) { return member.first; });
    writer.BeginObject();
    for (const auto& [name, member] : members) {
      writer.Key(name);
      WriteSorted(member, writer);
    }
    writer.EndObject();
  } else {
    writer.Raw(value.Dump());
  }
}

template <typename Entry>
std::string Sorted(const Entry& entry, void (*encode)(const Entry&, JsonWriter&)) {
  JsonWriter writer;
  encode(entry, writer);
  const auto document = JsonDocument::Parse(writer.text());
  // Nothing but what our own writer produced from checked input; an unknown member is kept as
  // a parsed piece. If it could not be read, the text itself is what there is.
  return document ? SortedJson(document->root()) : writer.Take();
}

std::string Shown(JsonView value) {
  std::string text = value.Dump();
  if (text.size() <= kShown) return text;
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

// True for what Glue returns for a member that was never set.
bool IsUnset(std::string_view member, JsonView value) {
  if (value.IsNull()) return true;
  if (member == "CreateTableDefaultPermissions") return false;  // an empty list grants nothing
  if (value.IsArray()) return value.Elements().empty();
  if (value.IsObject()) return value.Members().empty();
  if (member == "Compressed" || member == "StoredAsSubDirectories") {
    return value.AsBool() == false;
  }
  constexpr auto kNumbers = std::to_array<std::string_view>(
      {"Retention", "NumberOfBuckets", "LastAccessTime", "LastAnalyzedTime"});
  if (std::ranges::find(kNumbers, member) != kNumbers.end()) return value.AsDouble() == 0.0;
  return member == "FunctionType" && value.AsString() == "REGULAR_FUNCTION";
}

class Comparison {
 public:
  explicit Comparison(std::size_t most) : most_(most) {}

  void Compare(const std::string& path, std::string_view member, JsonView source, JsonView target) {
    if (differences_.size() >= most_) return;
    const bool no_source = IsUnset(member, source);
    const bool no_target = IsUnset(member, target);
    if (no_source && (no_target || member == "CreateTableDefaultPermissions")) return;
    if (source.IsObject() && target.IsObject()) {
      CompareMembers(path, source, target);
    } else if (source.IsArray() && target.IsArray() &&
               source.Elements().size() == target.Elements().size()) {
      const auto of_source = source.Elements();
      const auto of_target = target.Elements();
      for (std::size_t i = 0; i < of_source.size(); ++i) {
        Compare(path + "[" + std::to_string(i) + "]", {}, of_source[i], of_target[i]);
      }
    } else if (!Equal(source, target)) {
      differences_.push_back(
          {path, no_source ? "" : Shown(source), no_target ? "" : Shown(target)});
    }
  }

  std::vector<Difference> Take() { return std::move(differences_); }

 private:
  static bool Equal(JsonView source, JsonView target) {
    if (source.type() != target.type()) return false;
    if (source.type() == JsonView::Type::kNumber) return source.AsDouble() == target.AsDouble();
    return source.Dump() == target.Dump();
  }

  void CompareMembers(const std::string& path, JsonView source, JsonView target) {
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const auto& [name, value] : source.Members()) {
      Compare(prefix + std::string(name), name, value, target[name]);
    }
    for (const auto& [name, value] : target.Members()) {
      if (source[name].IsMissing()) Compare(prefix + std::string(name), name, {}, value);
    }
  }

  std::size_t most_;
  std::vector<Difference> differences_;
};

}  // namespace

std::string SortedJson(JsonView value) {
  JsonWriter writer;
  WriteSorted(value, writer);
  return writer.Take();
}

std::string TextOf(const glue::Database& database) {
  return Sorted(database, &glue::EncodeDatabaseInput);
}
std::string TextOf(const glue::Table& table) { return Sorted(table, &glue::EncodeTableInput); }
std::string TextOf(const glue::UserDefinedFunction& function) {
  return Sorted(function, &glue::EncodeFunctionInput);
}
std::string TextOf(const glue::Partition& partition) {
  return Sorted(partition, &glue::EncodePartitionInput);
}
std::string TextOf(const glue::PartitionIndex& index) {
  return Sorted(index, &glue::EncodePartitionIndex);
}
std::string TextOf(const glue::ColumnStatistics& statistics) {
  return Sorted(statistics, &glue::EncodeColumnStatistics);
}

std::string PartitionKey(const std::vector<std::string>& values) {
  std::string key;
  for (const std::string& value : values) {
    for (const char c : value) {
      key += c;
      if (c == '\0') key += '\xff';
    }
    key.append(2, '\0');  // below anything that goes on
  }
  return key;
}

std::vector<Difference> Differences(std::string_view source, std::string_view target,
                                    std::size_t most) {
  if (source == target) return {};
  const auto of_source = JsonDocument::Parse(source);
  const auto of_target = JsonDocument::Parse(target);
  if (!of_source || !of_target) {
    return {{"", std::string(source.substr(0, kShown)), std::string(target.substr(0, kShown))}};
  }
  Comparison comparison(most);
  comparison.Compare("", {}, of_source->root(), of_target->root());
  return comparison.Take();
}

}  // namespace gluecat::transfer
