#include "core/types/data_type.h"

#include <algorithm>

#include "core/base/text.h"

namespace gluecat::types {
namespace {
constexpr std::string_view kComment = "comment";
}  // namespace

std::optional<std::size_t> StructType::Find(std::string_view name, bool exact) const {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (exact ? fields[i].name == name : EqualsIgnoreCase(fields[i].name, name)) return i;
  }
  return std::nullopt;
}

bool StructType::operator==(const StructType&) const = default;

DataType DataType::Simple(std::string spark_name) {
  DataType type;
  type.name_ = std::move(spark_name);
  return type;
}

DataType DataType::Array(DataType element, bool contains_null) {
  DataType type;
  type.kind_ = Kind::kArray;
  type.name_.clear();
  type.parts_.push_back(std::move(element));
  type.contains_null_ = contains_null;
  return type;
}

DataType DataType::Map(DataType key, DataType value, bool value_contains_null) {
  DataType type;
  type.kind_ = Kind::kMap;
  type.name_.clear();
  type.parts_.reserve(2);
  type.parts_.push_back(std::move(key));
  type.parts_.push_back(std::move(value));
  type.contains_null_ = value_contains_null;
  return type;
}

DataType DataType::Struct(StructType fields) {
  DataType type;
  type.kind_ = Kind::kStruct;
  type.name_.clear();
  type.fields_ = std::move(fields);
  return type;
}

const std::string* StructField::RawMetadata(std::string_view key) const {
  const auto found = std::ranges::find(metadata, key, &Metadata::value_type::first);
  return found == metadata.end() ? nullptr : &found->second;
}

std::optional<std::string> StructField::MetadataText(std::string_view key) const {
  const std::string* raw = RawMetadata(key);
  if (raw == nullptr) return std::nullopt;
  const auto document = JsonDocument::Parse(*raw);
  if (!document) return std::nullopt;
  const auto text = document->root().AsString();
  if (!text) return std::nullopt;
  return std::string(*text);
}

void StructField::SetMetadataText(std::string_view key, const std::optional<std::string>& text) {
  const auto found = std::ranges::find(metadata, key, &Metadata::value_type::first);
  if (!text) {
    if (found != metadata.end()) metadata.erase(found);
    return;
  }
  std::string raw = JsonWriter().String(*text).Take();
  if (found != metadata.end()) {
    found->second = std::move(raw);
  } else {
    metadata.emplace_back(std::string(key), std::move(raw));
  }
}

std::optional<std::string> StructField::Comment() const { return MetadataText(kComment); }

void StructField::SetComment(const std::optional<std::string>& comment) {
  SetMetadataText(kComment, comment);
}

}  // namespace gluecat::types
