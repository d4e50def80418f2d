#include "core/catalog/request_reader.h"

namespace gluecat::catalog {

RequestReader::RequestReader(JsonView request) : request_(request) {
  if (!request.IsObject()) {
    error_ = MakeError(ErrorKind::kInvalidArgument, "the request is not a JSON object");
  }
}

void RequestReader::Bad(std::string_view key, std::string_view problem) {
  if (error_) return;
  error_ = MakeError(ErrorKind::kInvalidArgument,
                     "request member '" + std::string(key) + "' " + std::string(problem));
}

JsonView RequestReader::Value(std::string_view key) {
  read_.emplace(key);
  const JsonView value = request_[key];
  return value.IsNull() ? JsonView() : value;
}

std::optional<std::string> RequestReader::OptionalText(std::string_view key) {
  const JsonView value = Value(key);
  if (value.IsMissing()) return std::nullopt;
  const auto text = value.AsString();
  if (!text) {
    Bad(key, "is not a string");
    return std::nullopt;
  }
  return std::string(*text);
}

std::string RequestReader::Text(std::string_view key) {
  auto text = OptionalText(key);
  if (!text) Bad(key, "is missing");
  return std::move(text).value_or("");
}

bool RequestReader::Flag(std::string_view key, bool fallback) {
  const JsonView value = Value(key);
  if (value.IsMissing()) return fallback;
  const auto flag = value.AsBool();
  if (!flag) Bad(key, "is not true or false");
  return flag.value_or(fallback);
}

glue::Parameters RequestReader::StringMap(std::string_view key) {
  glue::Parameters map;
  const JsonView value = Value(key);
  if (value.IsMissing()) return map;
  if (!value.IsObject()) Bad(key, "is not an object");
  for (const auto& [name, member] : value.Members()) {
    const auto text = member.AsString();
    if (!text) Bad(key, "holds something that is not a string");
    map.insert_or_assign(std::string(name), std::string(text.value_or(std::string_view())));
  }
  return map;
}

JsonView RequestReader::List(std::string_view key) {
  const JsonView value = Value(key);
  if (!value.IsArray()) Bad(key, "is not a list");
  return value;
}

Status RequestReader::Finish() {
  for (const auto& [key, value] : request_.Members()) {
    if (!read_.contains(key)) Bad(key, "is unknown");
  }
  if (error_) return Fail(*error_);
  return {};
}

}  // namespace gluecat::catalog
