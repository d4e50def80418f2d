// Reading and writing JSON.
//
// Reading is a thin, null-tolerant view over simdjson's DOM: asking a missing
// member or a value of another type gives an empty view or nullopt, never a
// throw, so that decoders of foreign data read naturally. Writing is a streaming
// writer that produces compact JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace simdjson::dom {
class parser;
class element;
}  // namespace simdjson::dom

namespace gluecat {

// A value inside a JsonDocument; valid while the document lives. Cheap to copy.
class JsonView {
 public:
  enum class Type : std::uint8_t { kMissing, kNull, kBool, kNumber, kString, kArray, kObject };

  JsonView() = default;

  Type type() const;
  bool IsMissing() const { return tape_ == nullptr; }
  // True for a missing member and for an explicit null.
  bool IsNull() const { return type() == Type::kMissing || type() == Type::kNull; }
  bool IsObject() const { return type() == Type::kObject; }
  bool IsArray() const { return type() == Type::kArray; }
  bool IsString() const { return type() == Type::kString; }

  // Member `key` of an object (exact, first one if repeated); missing otherwise.
  JsonView operator[](std::string_view key) const;

  std::optional<std::string_view> AsString() const;
  std::optional<bool> AsBool() const;
  // Integers in range; doubles without a fraction are accepted.
  std::optional<std::int64_t> AsInt() const;
  std::optional<double> AsDouble() const;

  std::string StringOr(std::string_view fallback) const;
  bool BoolOr(bool fallback) const { return AsBool().value_or(fallback); }
  std::int64_t IntOr(std::int64_t fallback) const { return AsInt().value_or(fallback); }

  // Elements of an array, members of an object in document order; empty for other types.
  std::vector<JsonView> Elements() const;
  std::vector<std::pair<std::string_view, JsonView>> Members() const;

  // The value as compact JSON text; "null" for a missing value.
  std::string Dump() const;

 private:
  friend class JsonDocument;
  JsonView(const void* document, std::size_t index) : tape_(document), index_(index) {}
  simdjson::dom::element element() const;

  const void* tape_ = nullptr;
  std::size_t index_ = 0;
};

// A parsed document. Movable; views stay valid across moves.
class JsonDocument {
 public:
  // Parses strict JSON (RFC 8259, UTF-8 validated), nesting at most 512.
  // Errors: kInvalidData, with the parser's reason.
  static Result<JsonDocument> Parse(std::string_view text);

  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  JsonView root() const;

 private:
  explicit JsonDocument(std::unique_ptr<simdjson::dom::parser> parser);
  std::unique_ptr<simdjson::dom::parser> parser_;
};

// Writes compact JSON. Commas and colons are its business; nesting is the
// caller's. Strings must be valid UTF-8: bytes that are not become U+FFFD.
class JsonWriter {
 public:
  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  JsonWriter& Key(std::string_view key);
  JsonWriter& String(std::string_view value);
  JsonWriter& Int(std::int64_t value);
  JsonWriter& Double(double value);
  JsonWriter& Bool(bool value);
  JsonWriter& Null();
  // `json` must be a complete JSON value; it is copied as it is.
  JsonWriter& Raw(std::string_view json);

  // Key and value in one call.
  JsonWriter& Member(std::string_view key, std::string_view value) {
    return Key(key).String(value);
  }
  JsonWriter& Member(std::string_view key, const char* value) { return Key(key).String(value); }
  JsonWriter& Member(std::string_view key, const std::string& value) {
    return Key(key).String(value);
  }
  JsonWriter& Member(std::string_view key, bool value) { return Key(key).Bool(value); }
  JsonWriter& Member(std::string_view key, std::int64_t value) { return Key(key).Int(value); }
  JsonWriter& Member(std::string_view key, int value) { return Key(key).Int(value); }

  // The text so far; complete once every Begin has its End.
  const std::string& text() const { return text_; }
  std::string Take() { return std::move(text_); }

 private:
  void Separate();
  std::string text_;
  bool need_comma_ = false;
};

}  // namespace gluecat
