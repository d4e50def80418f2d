#include "core/prune/predicate.h"

#include <gtest/gtest.h>

namespace gluecat::prune {
namespace {

Result<Predicate> Parse(std::string_view json) {
  const auto document = JsonDocument::Parse(json);
  EXPECT_TRUE(document) << json;
  return ParsePredicate(document->root());
}

PartitionColumn Column(std::string name, std::string_view type) {
  return {std::move(name), ParseKeyType(type), ParseKeyType(type)};
}

bool Might(std::string_view json, std::string_view type, std::string_view value) {
  const auto predicate = Parse(json);
  EXPECT_TRUE(predicate) << predicate.error().message;
  const PartitionColumn columns[] = {Column("k", type)};
  const std::string_view values[] = {value};
  return MightMatch(*predicate, columns, values);
}

TEST(PredicateTest, ParsesEveryOperator) {
  const auto predicate = Parse(
      R"({"op":"and","args":[{"op":"=","column":"month","value":"6"},{"op":"not","arg":{"op":"in","column":"day","values":["1","2"]}},
          {"op":"or","args":[{"op":"is_null","column":"a"},{"op":"is_not_null","column":"b"},{"op":"starts_with","column":"c","value":"x"}]}]})");
  ASSERT_TRUE(predicate);
  EXPECT_EQ(predicate->kind, Predicate::Kind::kAnd);
  ASSERT_EQ(predicate->children.size(), 3U);
  EXPECT_EQ(predicate->children[1].children[0].values, (std::vector<std::string>{"1", "2"}));
  for (const auto* op : {"<>", "<", "<=", ">", ">="}) {
    EXPECT_TRUE(Parse(R"({"op":")" + std::string(op) + R"(","column":"c","value":"1"})")) << op;
  }
}

TEST(PredicateTest, RefusesMalformedOnes) {
  for (const auto* json :
       {"[]", "{}", R"({"op":"xor"})", R"({"op":"="})", R"({"op":"=","column":"a"})",
        R"({"op":"=","column":"a","value":1})", R"({"op":"=","column":"a","value":null})",
        R"({"op":"=","column":"a","value":"1","extra":1})",
        R"({"op":"in","column":"a","values":"1"})", R"({"op":"in","column":"a","values":[1]})",
        R"({"op":"and"})", R"({"op":"not","args":[]})", R"({"op":"not"})",
        R"({"op":"is_null","column":"a","value":"x"})", R"({"op":"and","args":[1]})"}) {
    const auto predicate = Parse(json);
    ASSERT_FALSE(predicate) << json;
    EXPECT_EQ(predicate.error().kind, ErrorKind::kInvalidArgument);
  }
}

TEST(PredicateTest, BoundsDepth) {
  std::string deep = R"({"op":"is_null","column":"a"})";
  for (int i = 0; i < 150; ++i) deep = R"({"op":"not","arg":)" + deep + "}";
  EXPECT_FALSE(Parse(deep));
}

TEST(MightMatchTest, Comparisons) {
  EXPECT_TRUE(Might(R"({"op":"=","column":"K","value":"6"})", "int", "06"));
  EXPECT_FALSE(Might(R"({"op":"=","column":"k","value":"6"})", "string", "06"));
  EXPECT_FALSE(Might(R"({"op":"<","column":"k","value":"10"})", "int", "10"));
  EXPECT_TRUE(Might(R"({"op":"<","column":"k","value":"10"})", "int", "9"));
  EXPECT_FALSE(Might(R"({"op":">=","column":"k","value":"2020-01-02"})", "date", "2020-01-01"));
  EXPECT_TRUE(Might(R"({"op":"in","column":"k","values":["a","b"]})", "string", "b"));
  EXPECT_FALSE(Might(R"({"op":"in","column":"k","values":[]})", "string", "b"));
  EXPECT_FALSE(Might(R"({"op":"starts_with","column":"k","value":"ab"})", "string", "ac"));
}

TEST(MightMatchTest, NullIsNeitherEqualNorDifferent) {
  for (const auto* json :
       {R"({"op":"=","column":"k","value":"6"})", R"({"op":"<>","column":"k","value":"6"})",
        R"({"op":"not","arg":{"op":"=","column":"k","value":"6"}})",
        R"({"op":"not","arg":{"op":"in","column":"k","values":["6"]}})",
        R"({"op":"is_not_null","column":"k"})"}) {
    EXPECT_FALSE(Might(json, "int", kNullPartitionValue)) << json;
    EXPECT_FALSE(Might(json, "string", kNullPartitionValue)) << json;
  }
  EXPECT_TRUE(Might(R"({"op":"is_null","column":"k"})", "int", kNullPartitionValue));
  EXPECT_FALSE(Might(R"({"op":"is_null","column":"k"})", "int", "1"));
}

TEST(MightMatchTest, DoubtKeepsThePartition) {
  // Another column, an unreadable value, a type that is not compared, a padded CHAR.
  EXPECT_TRUE(Might(R"({"op":"=","column":"other","value":"6"})", "int", "7"));
  EXPECT_TRUE(Might(R"({"op":"=","column":"k","value":"6"})", "int", "six"));
  EXPECT_TRUE(Might(R"({"op":"is_null","column":"k"})", "int", "six"));
  EXPECT_TRUE(Might(R"({"op":"=","column":"k","value":"true"})", "boolean", "false"));
  EXPECT_TRUE(Might(R"({"op":"=","column":"k","value":"ab "})", "char(3)", "ab"));
  EXPECT_TRUE(Might(R"({"op":"not","arg":{"op":"=","column":"k","value":"6"}})", "int", "six"));
}

TEST(MightMatchTest, RoundingAndTimeZonesLeaveRoom) {
  EXPECT_TRUE(Might(R"({"op":"=","column":"k","value":"1.23"})", "decimal(5,2)", "1.234"));
  EXPECT_TRUE(Might(R"({"op":"<>","column":"k","value":"1.23"})", "decimal(5,2)", "1.23"));
  EXPECT_FALSE(Might(R"({"op":"=","column":"k","value":"1.23"})", "decimal(5,2)", "1.25"));
  EXPECT_TRUE(Might(R"({"op":">=","column":"k","value":"2020-03-29 03:30:00"})", "timestamp",
                    "2020-03-29 02:30:00"));
  EXPECT_FALSE(Might(R"({"op":">=","column":"k","value":"2020-03-29 03:30:00"})", "timestamp",
                     "2020-03-27 02:30:00"));
}

TEST(MightMatchTest, EmptyJunctions) {
  EXPECT_TRUE(Might(R"({"op":"and","args":[]})", "int", "1"));
  EXPECT_FALSE(Might(R"({"op":"or","args":[]})", "int", "1"));
}

}  // namespace
}  // namespace gluecat::prune
