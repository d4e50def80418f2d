#include "core/prune/typed_value.h"

#include <gtest/gtest.h>

namespace gluecat::prune {
namespace {

std::optional<TypedValue> Parse(std::string_view type, std::string_view text) {
  return TypedValue::Parse(ParseKeyType(type), text);
}

std::string Canonical(std::string_view type, std::string_view text) {
  const auto value = Parse(type, text);
  return value ? value->Canonical() : "(none)";
}

bool Less(std::string_view type, std::string_view a, std::string_view b) {
  return *Parse(type, a) < *Parse(type, b);
}

std::string Shifted(std::string_view type, std::string_view text, int steps) {
  const auto value = Parse(type, text)->Shifted(ParseKeyType(type), steps);
  return value ? value->Canonical() : "(none)";
}

TEST(KeyTypeTest, ReadsGlueAndSparkNames) {
  EXPECT_EQ(ParseKeyType("int").width, 32);
  EXPECT_EQ(ParseKeyType("integer").width, 32);
  EXPECT_EQ(ParseKeyType("BIGINT").width, 64);
  EXPECT_EQ(ParseKeyType("long").family, KeyFamily::kInteger);
  EXPECT_EQ(ParseKeyType("byte").width, 8);
  EXPECT_EQ(ParseKeyType("varchar(10)").family, KeyFamily::kString);
  EXPECT_EQ(ParseKeyType("decimal( 10 , 2 )").scale, 2);
  EXPECT_EQ(ParseKeyType("decimal").precision, 10);
  EXPECT_EQ(ParseKeyType("timestamp").family, KeyFamily::kTimestamp);
}

TEST(KeyTypeTest, EverythingElseIsOther) {
  for (const auto* text :
       {"", "boolean", "double", "float", "binary", "array<int>", "decimal(39,2)", "decimal(2,3)",
        "decimal(1,2,3)", "int(11)", "string(3)", "char(", "timestamp_ntz", "decimal(99999999999)",
        "date(1)"}) {
    EXPECT_EQ(ParseKeyType(text).family, KeyFamily::kOther) << text;
  }
}

TEST(TypedValueTest, Integers) {
  EXPECT_EQ(Canonical("int", "06"), "6");
  EXPECT_EQ(Canonical("int", "+5"), "5");
  EXPECT_EQ(Canonical("int", "-0"), "0");
  EXPECT_EQ(Canonical("tinyint", "-128"), "-128");
  EXPECT_TRUE(Less("int", "9", "10"));
  EXPECT_EQ(Parse("int", "06"), Parse("int", "6"));
  for (const auto* text :
       {"", "+", "-", "1.0", " 1", "1 ", "1L", "0x1", "2147483648", "__HIVE_DEFAULT_PARTITION__"}) {
    EXPECT_FALSE(Parse("int", text)) << text;
  }
  EXPECT_FALSE(Parse("tinyint", "128"));
  EXPECT_FALSE(Parse("bigint", "9223372036854775808"));
}

TEST(TypedValueTest, Decimals) {
  EXPECT_EQ(Canonical("decimal(10,2)", "01.50"), "1.5");
  EXPECT_EQ(Canonical("decimal(10,2)", "-0.00"), "0");
  EXPECT_EQ(Canonical("decimal(10,2)", ".05"), "0.05");
  EXPECT_EQ(Canonical("decimal(10,2)", "100"), "100");
  EXPECT_EQ(Canonical("decimal(10,2)", "-12.340"), "-12.34");
  EXPECT_EQ(Parse("decimal(10,2)", "1.5"), Parse("decimal(10,2)", "1.500"));
  EXPECT_TRUE(Less("decimal(10,2)", "-2", "-1.5"));
  EXPECT_TRUE(Less("decimal(10,2)", "-1", "0"));
  EXPECT_TRUE(Less("decimal(10,2)", "0.09", "0.1"));
  EXPECT_TRUE(Less("decimal(10,2)", "9.99", "10"));
  EXPECT_TRUE(Less("decimal(10,2)", "1.23", "1.234"));
  for (const auto* text : {"", ".", "-", "1e3", "1.2.3", " 1", "NaN"}) {
    EXPECT_FALSE(Parse("decimal(10,2)", text)) << text;
  }
  EXPECT_FALSE(Parse("decimal(10,2)", std::string(200, '1')));
}

TEST(TypedValueTest, Dates) {
  EXPECT_EQ(Canonical("date", "2020-1-2"), "2020-01-02");
  EXPECT_TRUE(Less("date", "2019-12-31", "2020-01-01"));
  for (const auto* text :
       {"2020-13-01", "2021-02-29", "20-01-01", "2020-01-01 ", "2020/01/01", "18263"}) {
    EXPECT_FALSE(Parse("date", text)) << text;
  }
}

TEST(TypedValueTest, Timestamps) {
  EXPECT_EQ(Canonical("timestamp", "2020-01-01 00:00:00"), "2020-01-01 00:00:00");
  EXPECT_EQ(Canonical("timestamp", "2020-01-01 00:00:00.500"), "2020-01-01 00:00:00.5");
  EXPECT_EQ(Canonical("timestamp", "1969-12-31 23:59:59"), "1969-12-31 23:59:59");
  EXPECT_EQ(Parse("timestamp", "2020-01-01"), Parse("timestamp", "2020-01-01 00:00:00.0"));
  EXPECT_TRUE(Less("timestamp", "2020-01-01 00:00:00.09", "2020-01-01 00:00:00.1"));
  for (const auto* text :
       {"2020-01-01T00:00:00", "2020-01-01 24:00:00", "2020-01-01 00:00", "2020-01-01 00:00:00.",
        "2020-01-01 00:00:00Z", "2020-01-01 00:00:00.1234567890"}) {
    EXPECT_FALSE(Parse("timestamp", text)) << text;
  }
}

TEST(TypedValueTest, Strings) {
  EXPECT_TRUE(Less("string", "10", "9"));
  EXPECT_TRUE(Less("string", "a", "\xC3\xBC"));
  EXPECT_EQ(Canonical("char(3)", ""), "");
}

TEST(TypedValueTest, OtherTypesHaveNoValues) { EXPECT_FALSE(Parse("boolean", "true")); }

TEST(TypedValueTest, Shifts) {
  EXPECT_EQ(Shifted("int", "9", 1), "10");
  EXPECT_EQ(Shifted("int", "2147483647", 1), "(none)");
  EXPECT_EQ(Shifted("bigint", "9223372036854775807", 1), "(none)");
  EXPECT_EQ(Shifted("decimal(5,2)", "1.23", 1), "1.24");
  EXPECT_EQ(Shifted("decimal(5,2)", "0", -1), "-0.01");
  EXPECT_EQ(Shifted("decimal(5,2)", "0.01", -1), "0");
  EXPECT_EQ(Shifted("decimal(5,2)", "1.234", 1), "(none)");  // no multiple of the unit
  EXPECT_EQ(Shifted("decimal(38,0)", std::string(38, '9'), 1), "1" + std::string(38, '0'));
  EXPECT_EQ(Shifted("date", "2020-02-29", 1), "2020-03-01");
  EXPECT_EQ(Shifted("date", "9999-12-31", 1), "(none)");
  EXPECT_EQ(Shifted("timestamp", "2020-03-01 12:00:00", -1), "2020-02-29 12:00:00");
  EXPECT_EQ(Shifted("string", "a", 1), "(none)");
}

}  // namespace
}  // namespace gluecat::prune
