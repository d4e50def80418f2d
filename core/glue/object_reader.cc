#include "core/glue/object_reader.h"

#include <algorithm>

namespace gluecat::glue {

ObjectReader::ObjectReader(JsonView object, std::string_view structure)
    : structure_(structure), members_(object.Members()) {
  if (!object.IsObject()) {
    error_ = MakeError(ErrorKind::kInvalidData, structure_ + " is not a JSON object");
  }
}

JsonView ObjectReader::Take(std::string_view key) {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const auto& member) { return member.first == key; });
  if (found == members_.end()) return {};
  const JsonView value = found->second;
  members_.erase(found);
  return value.IsNull() ? JsonView() : value;
}

void ObjectReader::WrongType(std::string_view key, std::string_view expected) {
  if (error_) return;
  error_ = MakeError(ErrorKind::kInvalidData,
                     structure_ + "." + std::string(key) + " is not " + std::string(expected));
}

std::optional<std::string> ObjectReader::String(std::string_view key) {
  const JsonView value = Take(key);
  if (value.IsMissing()) return std::nullopt;
  const auto text = value.AsString();
  if (!text) WrongType(key, "a string");
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<bool> ObjectReader::Bool(std::string_view key) {
  const JsonView value = Take(key);
  if (value.IsMissing()) return std::nullopt;
  const auto flag = value.AsBool();
  if (!flag) WrongType(key, "a boolean");
  return flag;
}

std::optional<std::int64_t> ObjectReader::Int(std::string_view key) {
  const JsonView value = Take(key);
  if (value.IsMissing()) return std::nullopt;
  const auto number = value.AsInt();
  if (!number) WrongType(key, "an integer");
  return number;
}

std::optional<double> ObjectReader::Double(std::string_view key) {
  const JsonView value = Take(key);
  if (value.IsMissing()) return std::nullopt;
  const auto number = value.AsDouble();
  if (!number) WrongType(key, "a number");
  return number;
}

std::optional<std::vector<std::string>> ObjectReader::Strings(std::string_view key) {
  const JsonView value = Array(key);
  if (value.IsMissing()) return std::nullopt;
  std::vector<std::string> items;
  for (const JsonView element : value.Elements()) {
    const auto text = element.AsString();
    if (!text) WrongType(key, "a list of strings");
    items.emplace_back(text.value_or(std::string_view()));
  }
  return items;
}

std::optional<Parameters> ObjectReader::StringMap(std::string_view key) {
  const JsonView value = Object(key);
  if (value.IsMissing()) return std::nullopt;
  Parameters parameters;
  for (const auto& [name, member] : value.Members()) {
    if (member.IsNull()) continue;
    const auto text = member.AsString();
    if (!text) WrongType(key, "a map of strings");
    parameters.emplace(name, text.value_or(std::string_view()));
  }
  return parameters;
}

JsonView ObjectReader::Object(std::string_view key) {
  const JsonView value = Take(key);
  if (value.IsMissing() || value.IsObject()) return value;
  WrongType(key, "an object");
  return {};
}

JsonView ObjectReader::Array(std::string_view key) {
  const JsonView value = Take(key);
  if (value.IsMissing() || value.IsArray()) return value;
  WrongType(key, "a list");
  return {};
}

UnknownFields ObjectReader::TakeUnknown() {
  UnknownFields unknown;
  for (const auto& [key, value] : members_) {
    if (!value.IsNull()) unknown.emplace_back(key, value.Dump());
  }
  members_.clear();
  return unknown;
}

Status ObjectReader::status() const {
  if (error_) return Fail(*error_);
  return {};
}

}  // namespace gluecat::glue
