#include "store/name_pattern.h"

#include <gtest/gtest.h>

namespace gluecat::store {
namespace {

bool Matches(std::string_view pattern, std::string_view name) {
  const auto compiled = NamePattern::Compile(pattern);
  EXPECT_TRUE(compiled) << pattern << ": " << compiled.error().message;
  return compiled && compiled->Matches(name);
}

TEST(NamePatternTest, MatchesWholeNames) {
  EXPECT_TRUE(Matches("abc", "abc"));
  EXPECT_FALSE(Matches("ab", "abc"));
  EXPECT_FALSE(Matches("bc", "abc"));
  EXPECT_TRUE(Matches(".*", ""));
  EXPECT_TRUE(Matches(".*", "anything"));
  EXPECT_TRUE(Matches("ABC", "abc"));
  EXPECT_TRUE(Matches("", ""));
  EXPECT_FALSE(Matches("", "a"));
}

TEST(NamePatternTest, Operators) {
  EXPECT_TRUE(Matches("a+b?c*", "aac"));
  EXPECT_FALSE(Matches("a+b?c*", "bc"));
  EXPECT_TRUE(Matches("(sales|orders)_[0-9]{4}", "orders_2024"));
  EXPECT_FALSE(Matches("(sales|orders)_[0-9]{4}", "orders_24"));
  EXPECT_TRUE(Matches("a{2,3}", "aaa"));
  EXPECT_FALSE(Matches("a{2,3}", "aaaa"));
  EXPECT_TRUE(Matches("a{2,}", "aaaaa"));
  EXPECT_TRUE(Matches("a{0}b", "b"));
  EXPECT_TRUE(Matches("[^a-c]x", "dx"));
  EXPECT_FALSE(Matches("[^a-c]x", "Ax"));
  EXPECT_TRUE(Matches("[]a]+", "]a"));
  EXPECT_TRUE(Matches("[a-]+", "-a"));
  EXPECT_TRUE(Matches("\\w+\\.\\d", "t_1.5"));
  EXPECT_TRUE(Matches("^a$|^b$", "b"));
  EXPECT_FALSE(Matches("a^b", "ab"));
  EXPECT_TRUE(Matches("(?:ab)*?", "abab"));
  EXPECT_TRUE(Matches("(a|)b", "b"));
  EXPECT_TRUE(Matches("(a*)*b", "aab"));
  EXPECT_TRUE(Matches("(?i)\\AT\\z", "t"));
  EXPECT_TRUE(Matches("\\p{Alpha}+\\P{Alpha}", "ab1"));
  EXPECT_FALSE(Matches("\\p{Alpha}+", "ab1"));
  EXPECT_TRUE(Matches("[\\p{Digit}_]*", "1_2"));
  EXPECT_TRUE(Matches("\\Qa.b|*\\E.", "a.b|*c"));
  EXPECT_FALSE(Matches("\\Qa.b\\E", "axb"));
}

// As Hive's clients mean it; what is a regular expression without doubt stays one.
TEST(NamePatternTest, AStarBehindAPlainCharacterIsAWildcard) {
  EXPECT_TRUE(Matches("*", "anything"));
  EXPECT_TRUE(Matches("*", ""));
  EXPECT_TRUE(Matches("sales*", "sales_2024"));
  EXPECT_TRUE(Matches("sales*", "sales"));
  EXPECT_FALSE(Matches("sales*", "sale"));
  EXPECT_TRUE(Matches("*_2024|*_2025", "sales_2025"));
  EXPECT_FALSE(Matches("*_2024|*_2025", "sales_2025_old"));
  EXPECT_TRUE(Matches("a**b", "a_b"));
  EXPECT_TRUE(Matches("^sales*$", "sales_1"));
  EXPECT_TRUE(Matches("(s|t)*", "stst"));
  EXPECT_FALSE(Matches("(s|t)*", "stx"));
  EXPECT_TRUE(Matches("[st]*", "stst"));
  EXPECT_FALSE(Matches("[st]*", "stx"));
  EXPECT_FALSE(Matches("\\d*", "1x"));
  EXPECT_FALSE(Matches("\\.*", ".x"));
}

TEST(NamePatternTest, ACharacterIsAllOfItsBytes) {
  EXPECT_TRUE(Matches("t.ble", "t\u00E4ble"));
  EXPECT_TRUE(Matches("...", "\u00E4\u20AC\U0001F600"));
  EXPECT_FALSE(Matches("..", "\u20AC"));
  EXPECT_TRUE(Matches("\u00E4+", "\u00E4\u00E4"));
  EXPECT_TRUE(Matches("[^a]\\W\\S", "\u00E4\u00E4\u00E4"));
  EXPECT_FALSE(Matches("\\w", "\u00E4"));
}

TEST(NamePatternTest, RefusesMalformedPatterns) {
  for (const auto* pattern :
       {"[",     "(",      ")",      "a)",         "+a",    "?",     "{2}",    "a{",
        "a{x}",  "a{3,2}", "a{999}", "\\",         "[b-a]", "[a\\",  "[a-\\",  "(?<n>a)",
        "(?=a)", "(a)\\1", "\\bt",   "\\p{Greek}", "\\p",   "[[a]]", "[a&&b]", "[\u00E4]"}) {
    const auto compiled = NamePattern::Compile(pattern);
    ASSERT_FALSE(compiled) << pattern;
    EXPECT_EQ(compiled.error().code, "InvalidInputException") << pattern;
    EXPECT_TRUE(compiled.error().message.starts_with("Invalid pattern: ")) << pattern;
  }
}

TEST(NamePatternTest, CannotBeMadeSlowOrLarge) {
  EXPECT_FALSE(Matches("(a+)+b", std::string(255, 'a')));
  EXPECT_FALSE(Matches("(a|aa)*b", std::string(255, 'a')));
  EXPECT_FALSE(NamePattern::Compile("((((a{255}){255}){255}){255})"));
  EXPECT_FALSE(NamePattern::Compile("(((((){255}){255}){255}){255})"));
  EXPECT_FALSE(NamePattern::Compile(std::string(1000, '(')));
}

}  // namespace
}  // namespace gluecat::store
