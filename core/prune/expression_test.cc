#include "core/prune/expression.h"

#include <gtest/gtest.h>

#include "core/prune/reserved_words.h"

namespace gluecat::prune {
namespace {

const std::vector<PartitionKey> kKeys = {
    {"s", "string"},        {"i", "int"},     {"d", "date"},       {"t", "timestamp"},
    {"m", "decimal(10,2)"}, {"b", "boolean"}, {"v", "varchar(5)"}, {"order", "string"}};
constexpr std::string_view kTexts[] = {"abc",  "10",   "2020-02-01", "2020-02-01 10:00:00",
                                       "1.50", "true", "x",          "o"};

Result<bool> Evaluate(std::string_view expression,
                      std::span<const std::string_view> values = kTexts) {
  auto parsed = Expression::Parse(expression, kKeys);
  if (!parsed) return Fail(parsed.error());
  return parsed->Matches(values);
}

bool Matches(std::string_view expression) {
  const auto result = Evaluate(expression);
  EXPECT_TRUE(result) << expression << ": " << result.error().message;
  return result.value_or(false);
}

bool Refused(std::string_view expression) {
  const auto result = Evaluate(expression);
  return !result && result.error().kind == ErrorKind::kInvalidArgument;
}

TEST(ExpressionTest, BlankMatchesEverything) {
  for (const auto* text : {"", "  ", "\n\t"}) {
    EXPECT_TRUE(Matches(text));
    EXPECT_TRUE(Expression::Parse(text, kKeys)->MatchesEverything());
  }
  EXPECT_FALSE(Expression::Parse("i = 10", kKeys)->MatchesEverything());
}

TEST(ExpressionTest, ComparesByType) {
  EXPECT_TRUE(Matches("i = 10"));
  EXPECT_TRUE(Matches("i > 9"));
  EXPECT_FALSE(Matches("i < 9"));
  EXPECT_TRUE(Matches("i >= 10 AND i <= 10"));
  EXPECT_TRUE(Matches("i <> 9"));
  EXPECT_TRUE(Matches("i != 9"));
  EXPECT_TRUE(Matches("i = '10'"));
  EXPECT_TRUE(Matches("i > -5"));
  EXPECT_TRUE(Matches("s = 'abc'"));
  EXPECT_FALSE(Matches("s = 'ABC'"));
  EXPECT_TRUE(Matches("d >= '2020-01-31'"));
  EXPECT_TRUE(Matches("t < '2020-02-01 10:00:00.001'"));
  EXPECT_TRUE(Matches("m = 1.5"));
  EXPECT_TRUE(Matches("m < 10"));
  EXPECT_TRUE(Matches("v = 'x'"));
}

TEST(ExpressionTest, NamesAndKeywordsIgnoreCase) {
  EXPECT_TRUE(Matches("I = 10 and S Like 'a%' Or i iN (3)"));
}

TEST(ExpressionTest, BindsAndBeforeOr) {
  EXPECT_TRUE(Matches("i = 10 OR i = 1 AND i = 2"));
  EXPECT_FALSE(Matches("(i = 10 OR i = 1) AND i = 2"));
  EXPECT_FALSE(Matches("NOT i = 10 OR i = 11"));
  EXPECT_TRUE(Matches("NOT (i = 10 AND s = 'z')"));
  EXPECT_TRUE(Matches("NOT NOT i = 10"));
}

// An int key with the values 2 and 10: BETWEEN is numeric.
TEST(ExpressionTest, BetweenIsNumeric) {
  const std::vector<PartitionKey> keys = {{"k", "int"}};
  const auto expression = Expression::Parse("k BETWEEN 1 AND 10", keys);
  for (const auto* value : {"2", "10"}) {
    const std::string_view values[] = {value};
    EXPECT_TRUE(*expression->Matches(values)) << value;
  }
  const std::string_view outside[] = {"11"};
  EXPECT_FALSE(*expression->Matches(outside));
  EXPECT_FALSE(Matches("i NOT BETWEEN 1 AND 10"));
}

TEST(ExpressionTest, In) {
  EXPECT_TRUE(Matches("i IN (1, 10, 3)"));
  EXPECT_FALSE(Matches("i NOT IN (1, 10, 3)"));
  EXPECT_TRUE(Matches("(i NOT IN (1, 3))"));
  EXPECT_TRUE(Matches("NOT i IN (1, 2)"));
  EXPECT_FALSE(Matches("NOT i IN (1, 10)"));
  EXPECT_TRUE(Refused("NOT (i IN (1, 2))"));
  EXPECT_TRUE(Refused("i IN ()"));
}

TEST(ExpressionTest, Like) {
  EXPECT_TRUE(Matches("s LIKE 'abc'"));
  EXPECT_TRUE(Matches("s LIKE 'a%'"));
  EXPECT_TRUE(Matches("s LIKE '%c'"));
  EXPECT_TRUE(Matches("s LIKE 'a_c'"));
  EXPECT_TRUE(Matches("s LIKE '%b%'"));
  EXPECT_TRUE(Matches("s LIKE '%%%'"));
  EXPECT_FALSE(Matches("s LIKE 'a'"));
  EXPECT_FALSE(Matches("s LIKE '_'"));
  EXPECT_FALSE(Matches("s LIKE 'abc_'"));
  EXPECT_TRUE(Matches("s NOT LIKE 'b%'"));
  EXPECT_FALSE(Matches("s LIKE 'a\\%'"));
  EXPECT_TRUE(Refused("i LIKE '1%'"));
  EXPECT_TRUE(Refused("s LIKE 1"));
}

TEST(ExpressionTest, LikeTakesCharactersAndNotBytes) {
  const std::vector<PartitionKey> keys = {{"s", "string"}};
  const std::string_view values[] = {"\xC3\xBC\xF0\x9F\x98\x80"};
  EXPECT_TRUE(*Expression::Parse("s LIKE '__'", keys)->Matches(values));
  EXPECT_FALSE(*Expression::Parse("s LIKE '___'", keys)->Matches(values));
}

TEST(ExpressionTest, LikeIsNotExponential) {
  const std::vector<PartitionKey> keys = {{"s", "string"}};
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "%a";
  const std::string text(1000, 'a');
  const std::string_view values[] = {text};
  EXPECT_FALSE(*Expression::Parse("s LIKE '" + pattern + "b'", keys)->Matches(values));
}

TEST(ExpressionTest, IsNullMatchesNothing) {
  EXPECT_FALSE(Matches("s IS NULL"));
  EXPECT_TRUE(Matches("s IS NOT NULL"));
}

TEST(ExpressionTest, NullPartitionIsTextToStringKeys) {
  const std::vector<PartitionKey> keys = {{"s", "string"}, {"i", "int"}};
  const std::string_view values[] = {kNullPartitionValue, kNullPartitionValue};
  EXPECT_TRUE(*Expression::Parse("s = '__HIVE_DEFAULT_PARTITION__'", keys)->Matches(values));
  EXPECT_FALSE(Expression::Parse("i = '__HIVE_DEFAULT_PARTITION__'", keys));
  const auto matches = Expression::Parse("i = 1", keys)->Matches(values);
  ASSERT_FALSE(matches);
  EXPECT_EQ(matches.error().kind, ErrorKind::kInvalidData);
}

TEST(ExpressionTest, UnreadableValueIsAnErrorOfTheDataOnlyWhereItDecides) {
  std::vector<std::string_view> values(std::begin(kTexts), std::end(kTexts));
  values[1] = "ten";
  const auto matches = Evaluate("i > 5", values);
  ASSERT_FALSE(matches);
  EXPECT_EQ(matches.error().kind, ErrorKind::kInvalidData);
  EXPECT_NE(matches.error().message.find("ten"), std::string::npos);
  EXPECT_TRUE(*Evaluate("s = 'abc' OR i > 5", values));
  EXPECT_FALSE(*Evaluate("s = 'x' AND i > 5", values));
}

TEST(ExpressionTest, QuotesAreDoubled) {
  const std::vector<PartitionKey> keys = {{"s", "string"}};
  const std::string_view values[] = {"it's"};
  EXPECT_TRUE(*Expression::Parse("s = 'it''s'", keys)->Matches(values));
}

TEST(ExpressionTest, LiteralMayComeFirst) {
  EXPECT_TRUE(Matches("5 < i"));
  EXPECT_FALSE(Matches("5 >= i"));
  EXPECT_TRUE(Matches("'abc' = s"));
}

TEST(ExpressionTest, ReservedWordsNeedQuotes) {
  EXPECT_TRUE(Refused("order = 'o'"));
  EXPECT_TRUE(Matches("`order` = 'o'"));
  EXPECT_TRUE(Matches("\"order\" = 'o'"));
  EXPECT_TRUE(IsReservedWord("Between"));
  EXPECT_TRUE(IsReservedWord("with"));
  EXPECT_FALSE(IsReservedWord("month"));
}

TEST(ExpressionTest, RefusesWhatItDoesNotUnderstand) {
  for (const auto* text : {"nokey IS NULL",
                           "i = ",
                           "i",
                           "= 1",
                           "i = 1 AND",
                           "i = 1 i = 2",
                           "(i = 1",
                           "i = 1)",
                           "i == 1",
                           "i = 1L",
                           "i = 1D",
                           "i = 1.5",
                           "i = abc",
                           "i = s",
                           "1 = 1",
                           "d = 2020-02-01",
                           "d > 20200201",
                           "t = 5",
                           "b = true",
                           "b = 'true'",
                           "i BETWEEN 1",
                           "i IS 1",
                           "i NOT 5",
                           "s = 'abc",
                           "s = abc",
                           "i ; 1",
                           "i = 1 -- x",
                           "i = 99999999999",
                           "d = '2020-13-01'",
                           "s LIKE",
                           "i = ?",
                           "i = 1 OR OR i = 2",
                           "NOT",
                           "f(i) = 1",
                           "i + 1 = 2",
                           "\x01"}) {
    EXPECT_TRUE(Refused(text)) << text;
  }
}

TEST(ExpressionTest, BoundsDepthAndSize) {
  EXPECT_TRUE(Refused(std::string(200, '(') + "i = 1" + std::string(200, ')')));
  std::string nots;
  for (int i = 0; i < 2000; ++i) nots += "NOT ";
  EXPECT_TRUE(Refused(nots + "i = 1"));
  EXPECT_TRUE(Refused(std::string(Expression::kMaxBytes, ' ') + "i = 1"));
  EXPECT_TRUE(Matches(std::string(50, '(') + "i = 10" + std::string(50, ')')));
}

TEST(ExpressionTest, LeadingValuesOfAConjunction) {
  const std::vector<PartitionKey> keys = {{"a", "string"}, {"b", "varchar(9)"}, {"n", "int"}};
  const auto leading = [&](std::string_view text) {
    return Expression::Parse(text, keys)->LeadingValues();
  };
  using Values = std::vector<std::string>;
  EXPECT_EQ(leading("a = 'x'"), Values({"x"}));
  EXPECT_EQ(leading("'it''s' = A"), Values({"it's"}));
  EXPECT_EQ(leading("n = 1 AND (b = 'y' AND a = 'x')"), Values({"x", "y"}));
  EXPECT_EQ(leading("a = 'x' AND b > 'y'"), Values({"x"}));
  EXPECT_EQ(leading("a = 'x' AND a = 'z'").size(), 1U);
  // Of an integer, there are several spellings.
  EXPECT_EQ(leading("a = 'x' AND b = 'y' AND n = 1"), Values({"x", "y"}));
  for (const std::string_view none :
       {"", "b = 'y'", "n = 1", "a = 'x' OR b = 'y'", "NOT a = 'x'", "a <> 'x'", "a IN ('x')",
        "NOT (a = 'x' AND b = 'y')", "a LIKE 'x'"}) {
    EXPECT_EQ(leading(none), Values()) << none;
  }
}

TEST(ExpressionTest, CountsValues) {
  const std::string_view values[] = {"abc"};
  EXPECT_EQ(Evaluate("i = 1", values).error().kind, ErrorKind::kInvalidArgument);
}

}  // namespace
}  // namespace gluecat::prune
