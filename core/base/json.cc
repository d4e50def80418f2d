#include "core/base/json.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include <simdjson.h>

namespace gluecat {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr std::size_t kMaxDepth = 512;

// A JsonView keeps simdjson's element as two plain words, so that simdjson's
// large header stays out of ours.
struct ElementWords {
  const void* document;
  std::size_t index;
};
static_assert(sizeof(element) == sizeof(ElementWords));
static_assert(std::is_trivially_copyable_v<element>);

// Length of the valid UTF-8 sequence at `text[at]`, or 0.
std::size_t SequenceLength(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80) return 0;
  }
  if (lead == 0xE0 && byte(at + 1) < 0xA0) return 0;  // overlong
  if (lead == 0xED && byte(at + 1) > 0x9F) return 0;  // surrogate
  if (lead == 0xF0 && byte(at + 1) < 0x90) return 0;  // overlong
  if (lead == 0xF4 && byte(at + 1) > 0x8F) return 0;  // beyond U+10FFFF
  return length;
}

void AppendEscaped(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::size_t plain_from = 0;
  std::size_t at = 0;
  const auto flush = [&] { out.append(text.substr(plain_from, at - plain_from)); };
  while (at < text.size()) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      ++at;
      continue;
    }
    if (c >= 0x80) {
      if (const std::size_t length = SequenceLength(text, at); length > 0) {
        at += length;
        continue;
      }
    }
    flush();
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (c < 0x20) {
          out += "\\u00";
          out += kHex[c >> 4U];
          out += kHex[c & 0xFU];
        } else {
          out += "\xEF\xBF\xBD";
        }
    }
    plain_from = ++at;
  }
  flush();
}

}  // namespace

element JsonView::element() const {
  return std::bit_cast<simdjson::dom::element>(ElementWords{tape_, index_});
}

JsonView::Type JsonView::type() const {
  if (tape_ == nullptr) return Type::kMissing;
  switch (element().type()) {
    case element_type::ARRAY:
      return Type::kArray;
    case element_type::OBJECT:
      return Type::kObject;
    case element_type::STRING:
      return Type::kString;
    case element_type::BOOL:
      return Type::kBool;
    case element_type::NULL_VALUE:
      return Type::kNull;
    default:
      return Type::kNumber;
  }
}

namespace {
ElementWords Words(simdjson::dom::element value) { return std::bit_cast<ElementWords>(value); }
}  // namespace

JsonView JsonView::operator[](std::string_view key) const {
  if (!IsObject()) return {};
  simdjson::dom::element found;
  if (element().at_key(key).get(found) != simdjson::SUCCESS) return {};
  const auto words = Words(found);
  return {words.document, words.index};
}

std::optional<std::string_view> JsonView::AsString() const {
  if (!IsString()) return std::nullopt;
  std::string_view text;
  if (element().get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

std::optional<bool> JsonView::AsBool() const {
  if (type() != Type::kBool) return std::nullopt;
  return element().get_bool().value_unsafe();
}

std::optional<std::int64_t> JsonView::AsInt() const {
  if (type() != Type::kNumber) return std::nullopt;
  std::int64_t integer = 0;
  if (element().get(integer) == simdjson::SUCCESS) return integer;
  double real = 0;
  constexpr double kLimit = 9007199254740992.0;  // 2^53: beyond it a double is not exact
  if (element().get(real) == simdjson::SUCCESS && std::trunc(real) == real &&
      std::abs(real) <= kLimit) {
    return static_cast<std::int64_t>(real);
  }
  return std::nullopt;
}

std::optional<double> JsonView::AsDouble() const {
  if (type() != Type::kNumber) return std::nullopt;
  double real = 0;
  if (element().get(real) != simdjson::SUCCESS) return std::nullopt;
  return real;
}

std::string JsonView::StringOr(std::string_view fallback) const {
  return std::string(AsString().value_or(fallback));
}

std::vector<JsonView> JsonView::Elements() const {
  std::vector<JsonView> result;
  if (!IsArray()) return result;
  const simdjson::dom::array items = element().get_array().value_unsafe();
  for (const auto item : items) {
    const auto words = Words(item);
    result.push_back(JsonView(words.document, words.index));
  }
  return result;
}

std::vector<std::pair<std::string_view, JsonView>> JsonView::Members() const {
  std::vector<std::pair<std::string_view, JsonView>> result;
  if (!IsObject()) return result;
  const simdjson::dom::object fields = element().get_object().value_unsafe();
  for (const auto field : fields) {
    const auto words = Words(field.value);
    result.emplace_back(field.key, JsonView(words.document, words.index));
  }
  return result;
}

std::string JsonView::Dump() const {
  if (tape_ == nullptr) return "null";
  return simdjson::minify(element());
}

JsonDocument::JsonDocument(std::unique_ptr<simdjson::dom::parser> parser)
    : parser_(std::move(parser)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

Result<JsonDocument> JsonDocument::Parse(std::string_view text) {
  auto parser = std::make_unique<simdjson::dom::parser>();
  const std::size_t capacity = std::max<std::size_t>(text.size(), 64);
  auto error = parser->allocate(capacity, kMaxDepth);
  if (error == simdjson::SUCCESS) error = parser->parse(text.data(), text.size()).error();
  if (error != simdjson::SUCCESS) {
    return Fail(ErrorKind::kInvalidData,
                std::string("malformed JSON: ") + simdjson::error_message(error));
  }
  return JsonDocument(std::move(parser));
}

JsonView JsonDocument::root() const {
  const auto words = Words(parser_->doc.root());
  return {words.document, words.index};
}

void JsonWriter::Separate() {
  if (need_comma_) text_ += ',';
  need_comma_ = true;
}

JsonWriter& JsonWriter::BeginObject() {
  Separate();
  text_ += '{';
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::EndObject() {
  text_ += '}';
  need_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::BeginArray() {
  Separate();
  text_ += '[';
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::EndArray() {
  text_ += ']';
  need_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  String(key);
  text_ += ':';
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view value) {
  Separate();
  text_ += '"';
  AppendEscaped(text_, value);
  text_ += '"';
  return *this;
}

JsonWriter& JsonWriter::Int(std::int64_t value) {
  Separate();
  text_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::Double(double value) {
  if (!std::isfinite(value)) return Null();
  Separate();
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  text_.append(buffer, end);
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) {
  Separate();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Null() {
  Separate();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  Separate();
  text_ += json;
  return *this;
}

}  // namespace gluecat
