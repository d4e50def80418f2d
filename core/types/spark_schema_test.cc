#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/types/data_type.h"

namespace gluecat::types {
namespace {

using ::testing::HasSubstr;

std::string OneField(const std::string& type) {
  return R"({"type":"struct","fields":[{"name":"f","type":)" + type +
         R"(,"nullable":true,"metadata":{}}]})";
}

TEST(SparkSchema, RoundTripIsExact) {
  for (
      const std::string json : {
          R"({"type":"struct","fields":[]})",
          R"({"type":"struct","fields":[{"name":"Id","type":"long","nullable":false,"metadata":)"
          R"({"z":{"y":[1,2.5,null]},"comment":"the id","delta.columnMapping.id":1,"b":true}}]})",
          R"({"type":"struct","fields":[{"name":"ünï \"q\" \\ \n","type":{"type":"map","keyType":"string",)"
          R"("valueType":{"type":"array","elementType":"timestamp_ntz","containsNull":false},)"
          R"("valueContainsNull":false},"nullable":true,"metadata":{}}]})",
          R"({"type":"struct","fields":[{"name":"s","type":{"type":"struct","fields":[)"
          R"({"name":"a:b","type":"void","nullable":true,"metadata":{"comment":"c"}}]},)"
          R"("nullable":true,"metadata":{"__COLLATIONS":{"s":"spark.UTF8_LCASE"}}}]})",
      }) {
    const auto schema = ParseSparkSchema(json);
    ASSERT_TRUE(schema) << schema.error().message;
    EXPECT_EQ(ToSparkJson(*schema), json);
  }
}

TEST(SparkSchema, EverySimpleTypePasses) {
  for (const char* name : {"string",
                           "long",
                           "integer",
                           "short",
                           "byte",
                           "float",
                           "double",
                           "boolean",
                           "binary",
                           "date",
                           "timestamp",
                           "timestamp_ntz",
                           "timestamp_ltz",
                           "variant",
                           "void",
                           "null",
                           "interval",
                           "calendarinterval",
                           "interval year to month",
                           "interval day to second",
                           "time(6)",
                           "decimal",
                           "decimal(38,18)",
                           "decimal(10,-2)",
                           "char(3)",
                           "varchar(10)",
                           "string collate UTF8_LCASE",
                           "geography(OGC:CRS84, SPHERICAL)",
                           "sometypeofthefuture"}) {
    const std::string json = OneField("\"" + std::string(name) + "\"");
    const auto schema = ParseSparkSchema(json);
    ASSERT_TRUE(schema) << name << ": " << schema.error().message;
    EXPECT_EQ(ToSparkJson(*schema), json);
  }
}

TEST(SparkSchema, WhatOldVersionsLeftOutHasSparksDefaults) {
  const auto schema = ParseSparkSchema(
      R"({"type":"struct","fields":[{"name":"a","type":"integer"},)"
      R"({"name":"b","type":{"type":"array","elementType":"null"},"nullable":false}]})");
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_TRUE(schema->fields[0].nullable);
  EXPECT_TRUE(schema->fields[0].metadata.empty());
  EXPECT_TRUE(schema->fields[1].type.contains_null());
  EXPECT_FALSE(schema->fields[1].nullable);
}

std::string ErrorOf(std::string_view json) {
  const auto schema = ParseSparkSchema(json);
  if (schema) return "no error";
  EXPECT_EQ(schema.error().kind, ErrorKind::kInvalidData);
  return schema.error().message;
}

TEST(SparkSchema, Errors) {
  EXPECT_THAT(ErrorOf("{"), HasSubstr("malformed JSON"));
  EXPECT_THAT(ErrorOf("[]"), HasSubstr("not a struct"));
  EXPECT_THAT(ErrorOf("\"long\""), HasSubstr("not a struct"));
  EXPECT_THAT(ErrorOf(R"({"type":"struct"})"), HasSubstr("not a struct with fields"));
  EXPECT_THAT(ErrorOf(R"({"type":"struct","fields":[1]})"), HasSubstr("no name"));
  EXPECT_THAT(ErrorOf(R"({"type":"struct","fields":[{"name":"a"}]})"),
              HasSubstr("field 'a': schema JSON: a type is missing"));
  for (const std::string type :
       {"\"\"", "\"decimal(39,0)\"", "\"decimal(5,6)\"", "\"decimal(5)\"", "\"decimal(x,y)\"",
        "\"decimal(5,2\"", "\"decimal(5,2)x\"", "\"char(0)\"", "\"char(x)\"", "\"varchar(3\"",
        "\"<b>\"", "\"9\"", "7", "null", "[]", "{}", R"({"type":"map","keyType":"string"})",
        R"({"type":"udt","class":"c","sqlType":7})"}) {
    EXPECT_THAT(ErrorOf(OneField(type)), HasSubstr("field 'f': schema JSON: ")) << type;
  }
  // The innermost field is named, once.
  EXPECT_EQ(ErrorOf(OneField(OneField("\"9\""))), ErrorOf(OneField("\"9\"")));
}

std::string Deep(int levels) {
  std::string type = "\"long\"";
  for (int i = 2; i < levels; ++i) {
    type = R"({"type":"array","elementType":)" + type + R"(,"containsNull":true})";
  }
  return OneField(type);
}

TEST(SparkSchema, BoundsDepthAndSize) {
  EXPECT_TRUE(ParseSparkSchema(Deep(kMaxTypeDepth)));
  EXPECT_THAT(ErrorOf(Deep(kMaxTypeDepth + 1)), HasSubstr("more than 100 nested types"));
  EXPECT_THAT(ErrorOf(Deep(600)), HasSubstr("malformed JSON"));
  EXPECT_THAT(ErrorOf(std::string(kMaxSparkSchemaSize + 1, ' ')), HasSubstr("schema JSON of"));

  std::string structs = "\"long\"";
  for (int i = 2; i < kMaxTypeDepth; ++i) structs = OneField(structs);
  EXPECT_TRUE(ParseSparkSchema(OneField(structs)));
}

TEST(StructType, FindsByName) {
  const auto schema = ParseSparkSchema(
      R"({"type":"struct","fields":[{"name":"Ab","type":"long"},{"name":"ab","type":"long"}]})");
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->Find("AB"), 0U);
  EXPECT_EQ(schema->Find("ab", true), 1U);
  EXPECT_EQ(schema->Find("AB", true), std::nullopt);
  EXPECT_EQ(schema->Find("c"), std::nullopt);
}

TEST(StructField, Comment) {
  StructField field{"a", DataType::Simple("long"), true, {{"x", "1"}}};
  EXPECT_EQ(field.Comment(), std::nullopt);
  field.SetComment("two\n\"lines\"");
  EXPECT_EQ(field.Comment(), "two\n\"lines\"");
  EXPECT_EQ(*field.RawMetadata("comment"), R"("two\n\"lines\"")");
  field.SetComment("other");
  EXPECT_EQ(field.metadata.size(), 2U);
  field.SetComment(std::nullopt);
  EXPECT_EQ(field.metadata, (Metadata{{"x", "1"}}));
  EXPECT_EQ(field.MetadataText("x"), std::nullopt);
}

}  // namespace
}  // namespace gluecat::types
