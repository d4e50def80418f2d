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
}

TEST(NamePatternTest, RefusesMalformedPatterns) {
  for (const auto* pattern : {"[", "(", ")", "a)", "*", "+a", "a{", "a{x}", "a{3,2}", "a{999}",
                              "\\", "[b-a]", "[a\\", "(?<n>a)"}) {
    EXPECT_FALSE(NamePattern::Compile(pattern)) << pattern;
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
