#include "server/html.h"

#include <gtest/gtest.h>

#include "core/entry/limits.h"

namespace gluecat::server {
namespace {

TEST(HtmlTest, Escapes) {
  EXPECT_EQ(HtmlEscape("<a href='x' b=\"y\">&amp;"),
            "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt;&amp;amp;");
  EXPECT_EQ(HtmlEscape("gr\xC3\xBC\xC3\x9F \xF0\x9F\x90\x88\n\t"),
            "gr\xC3\xBC\xC3\x9F \xF0\x9F\x90\x88\n\t");
  EXPECT_EQ(HtmlEscape(std::string_view("a\0b\x1B\x7F", 5)),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(HtmlTest, BytesThatAreNoTextAreReplaced) {
  for (const std::string bad : {"\xFF", "\x80", "\xC3", "\xC0", "\xF5"}) {
    EXPECT_EQ(HtmlEscape(bad), "\xEF\xBF\xBD");
  }
  // A cut or overlong character must not swallow what follows.
  for (const std::string bad : {"\xC3<", "\xE0\x80<", "\xED\xA0<", "\xF0\x80\x80<", "\xF4\x90<"}) {
    const auto escaped = HtmlEscape(bad);
    EXPECT_TRUE(escaped.ends_with("&lt;")) << escaped;
    EXPECT_TRUE(escaped.starts_with("\xEF\xBF\xBD")) << escaped;
  }
}

TEST(HtmlTest, CutsBetweenCharacters) {
  EXPECT_EQ(entry::CutToBytes("abc", 3), "abc");
  EXPECT_EQ(entry::CutToBytes("abc", 2), "ab");
  EXPECT_EQ(entry::CutToBytes("a\xC3\xBC", 2), "a");
  EXPECT_EQ(entry::CutToBytes("\xF0\x9F\x90\x88", 3), "");
}

TEST(HtmlTest, Writes) {
  HtmlWriter writer;
  writer.Void("meta", {{"charset", "utf-8"}}).Open("p", {{"class", "\"><b>"}});
  writer.Element("a", "<i>", {{"href", "?x=1&y=2"}}).Text("'");
  EXPECT_EQ(writer.Take(),
            "<meta charset=\"utf-8\"><p class=\"&quot;&gt;&lt;b&gt;\">"
            "<a href=\"?x=1&amp;y=2\">&lt;i&gt;</a>&#39;</p>");
}

}  // namespace
}  // namespace gluecat::server
