// Reads the known members of one JSON object and hands back the unknown ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/glue/model.h"

namespace gluecat::glue {

// Usage: read each known member once, then take TakeUnknown() and check
// status(). The first member of a wrong type is remembered; later reads go on,
// so that decoders need no check after each one.
class ObjectReader {
 public:
  // `structure` names the object in error messages ("Table").
  ObjectReader(JsonView object, std::string_view structure);

  std::optional<std::string> String(std::string_view key);
  std::optional<bool> Bool(std::string_view key);
  std::optional<std::int64_t> Int(std::string_view key);
  std::optional<double> Double(std::string_view key);
  std::optional<std::vector<std::string>> Strings(std::string_view key);
  std::optional<Parameters> StringMap(std::string_view key);
  // The member itself, if it is an object (array); missing otherwise.
  JsonView Object(std::string_view key);
  JsonView Array(std::string_view key);

  // Decodes member `key` with `decode` if present.
  template <typename T>
  std::optional<T> Nested(std::string_view key, Result<T> (*decode)(JsonView)) {
    const JsonView value = Object(key);
    if (value.IsMissing()) return std::nullopt;
    return Keep(decode(value));
  }

  // Decodes the elements of array `key` with `decode` if present.
  template <typename T>
  std::optional<std::vector<T>> NestedList(std::string_view key, Result<T> (*decode)(JsonView)) {
    const JsonView value = Array(key);
    if (value.IsMissing()) return std::nullopt;
    std::vector<T> items;
    for (const JsonView element : value.Elements()) {
      if (auto item = Keep(decode(element))) items.push_back(std::move(*item));
    }
    return items;
  }

  // Takes note of a member without reading it.
  void Ignore(std::string_view key) { Take(key); }

  // The members nobody read, as raw JSON.
  UnknownFields TakeUnknown();

  Status status() const;

 private:
  JsonView Take(std::string_view key);
  void WrongType(std::string_view key, std::string_view expected);

  template <typename T>
  std::optional<T> Keep(Result<T> result) {
    if (result) return *std::move(result);
    if (!error_) error_ = std::move(result).error();
    return std::nullopt;
  }

  std::string structure_;
  std::vector<std::pair<std::string_view, JsonView>> members_;
  std::optional<Error> error_;
};

}  // namespace gluecat::glue
