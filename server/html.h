// Writing HTML from text that may be hostile.
//
// Whatever is given as text or as the value of an attribute is escaped; tags and
// the names of attributes are literals of ours. Bytes that are no UTF-8, and
// control characters, become U+FFFD.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gluecat::server {

std::string HtmlEscape(std::string_view text);

class HtmlWriter {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // An element that Close ends.
  HtmlWriter& Open(std::string_view tag, Attributes attributes = {});
  HtmlWriter& Close();
  // An element that has no end, as <meta>.
  HtmlWriter& Void(std::string_view tag, Attributes attributes = {});
  HtmlWriter& Text(std::string_view text);
  // An element with text inside.
  HtmlWriter& Element(std::string_view tag, std::string_view text, Attributes attributes = {});

  // Everything so far, with the elements closed that are still open.
  std::string Take();

 private:
  std::string html_;
  std::vector<std::string_view> open_;
};

}  // namespace gluecat::server
