#include "server/html.h"

#include <cstdint>

namespace gluecat::server {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

std::uint8_t ByteAt(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

bool IsContinuation(std::string_view text, std::size_t at) {
  return at < text.size() && (ByteAt(text, at) & 0xC0) == 0x80;
}

// The length of the UTF-8 character that `text` begins with; 0 if it is none.
std::size_t CharacterLength(std::string_view text) {
  const std::uint8_t lead = ByteAt(text, 0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (!IsContinuation(text, 1)) return 0;
  if (lead < 0xE0) return 2;
  const std::uint8_t second = ByteAt(text, 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool beyond = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  if (overlong || beyond || !IsContinuation(text, 2)) return 0;
  if (lead < 0xF0) return 3;
  return IsContinuation(text, 3) ? 4 : 0;
}

void AppendAscii(char c, std::string& out) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    default:
      break;
  }
  const bool control = (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7F;
  control ? out.append(kReplacement) : out.append(1, c);
}

}  // namespace

std::string HtmlEscape(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    if (length == 0) {
      out += kReplacement;
    } else if (length == 1) {
      AppendAscii(text[0], out);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

HtmlWriter& HtmlWriter::Void(std::string_view tag, Attributes attributes) {
  html_.append("<").append(tag);
  for (const auto& [name, value] : attributes) {
    html_.append(" ").append(name).append("=\"").append(HtmlEscape(value)).append("\"");
  }
  html_ += '>';
  return *this;
}

HtmlWriter& HtmlWriter::Open(std::string_view tag, Attributes attributes) {
  open_.push_back(tag);
  return Void(tag, attributes);
}

HtmlWriter& HtmlWriter::Close() {
  html_.append("</").append(open_.back()).append(">");
  open_.pop_back();
  return *this;
}

HtmlWriter& HtmlWriter::Text(std::string_view text) {
  html_ += HtmlEscape(text);
  return *this;
}

HtmlWriter& HtmlWriter::Element(std::string_view tag, std::string_view text,
                                Attributes attributes) {
  return Open(tag, attributes).Text(text).Close();
}

std::string HtmlWriter::Take() {
  while (!open_.empty()) Close();
  return std::move(html_);
}

}  // namespace gluecat::server
