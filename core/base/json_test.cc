#include "core/base/json.h"

#include <string>

#include <gtest/gtest.h>

namespace gluecat {
namespace {

TEST(JsonView, ReadsWithoutThrowingWhateverTheTypeIs) {
  const auto document = JsonDocument::Parse(
      R"({"text": "a", "number": 3, "real": 1.7e9, "flag": true, "none": null, "list": [1, "b"]})");
  ASSERT_TRUE(document);
  const JsonView root = document->root();
  EXPECT_EQ(root["text"].AsString(), "a");
  EXPECT_EQ(root["number"].AsInt(), 3);
  EXPECT_EQ(root["real"].AsInt(), 1700000000);
  EXPECT_EQ(root["real"].AsDouble(), 1.7e9);
  EXPECT_EQ(root["flag"].AsBool(), true);
  EXPECT_TRUE(root["none"].IsNull());
  EXPECT_FALSE(root["none"].IsMissing());
  EXPECT_TRUE(root["absent"].IsMissing());
  EXPECT_EQ(root["text"].AsInt(), std::nullopt);
  EXPECT_EQ(root["number"].AsString(), std::nullopt);
  EXPECT_TRUE(root["text"]["deeper"]["still"].IsMissing());
  EXPECT_EQ(root["list"].Elements().size(), 2U);
  EXPECT_TRUE(root["number"].Elements().empty());
  EXPECT_EQ(root["list"].Dump(), R"([1,"b"])");
  EXPECT_EQ(root["absent"].Dump(), "null");
}

TEST(JsonView, StaysValidWhenItsDocumentMoves) {
  auto document = JsonDocument::Parse(R"({"a": "value"})");
  ASSERT_TRUE(document);
  const JsonView value = document->root()["a"];
  const JsonDocument moved = *std::move(document);
  EXPECT_EQ(value.AsString(), "value");
}

TEST(JsonDocument, RefusesWhatIsNotJson) {
  for (const char* text : {"", "{", "{\"a\":}", "[1,]", "{\"a\":1} x", "\"\xff\"", "nul"}) {
    const auto document = JsonDocument::Parse(text);
    ASSERT_FALSE(document) << text;
    EXPECT_EQ(document.error().kind, ErrorKind::kInvalidData);
  }
}

TEST(JsonDocument, BoundsNesting) {
  EXPECT_TRUE(JsonDocument::Parse(std::string(500, '[') + std::string(500, ']')));
  EXPECT_FALSE(JsonDocument::Parse(std::string(5000, '[') + std::string(5000, ']')));
}

TEST(JsonWriter, WritesCompactJson) {
  JsonWriter writer;
  writer.BeginObject().Member("a", "x\"\\\n\x01").Member("b", 7).Member("c", true);
  writer.Key("d").BeginArray().Null().Double(0.5).Raw("{}").EndArray();
  writer.Key("e").BeginObject().EndObject().EndObject();
  EXPECT_EQ(writer.text(), R"({"a":"x\"\\\n\u0001","b":7,"c":true,"d":[null,0.5,{}],"e":{}})");
}

TEST(JsonWriter, ReplacesBytesThatAreNotUtf8) {
  const std::string replacement = "\xEF\xBF\xBD";
  const auto written = [](std::string_view text) { return JsonWriter().String(text).Take(); };
  EXPECT_EQ(written("a\xff"
                    "b"),
            "\"a" + replacement + "b\"");
  EXPECT_EQ(written("\xC0\xAF"), "\"" + replacement + replacement + "\"");  // overlong
  EXPECT_EQ(written("\xED\xA0\x80"), "\"" + replacement + replacement + replacement + "\"");
  EXPECT_EQ(written("\xE2\x82"), "\"" + replacement + replacement + "\"");  // cut off
  EXPECT_EQ(written("\xF0\x9F\x99\x82"), "\"\xF0\x9F\x99\x82\"");
  EXPECT_TRUE(JsonDocument::Parse(written("\xff\xfe\xed\xa0")));
}

TEST(JsonWriter, RoundTripsThroughTheParser) {
  const std::string text = R"({"k":["ä€𝄞",-9223372036854775808,9223372036854775807,0.1,null]})";
  const auto document = JsonDocument::Parse(text);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->root().Dump(), text);
}

}  // namespace
}  // namespace gluecat
