#include "server/wildcard.h"

#include <string>

#include <gtest/gtest.h>

namespace gluecat::server {
namespace {

bool Matches(std::string_view pattern, std::string_view text) {
  return MatchesWildcard(pattern, text, LetterCase::kMatters);
}

TEST(WildcardTest, StarsAndQuestionMarks) {
  EXPECT_TRUE(Matches("*", ""));
  EXPECT_TRUE(Matches("", ""));
  EXPECT_TRUE(Matches("**", "abc"));
  EXPECT_TRUE(Matches("glue:Get*", "glue:GetTable"));
  EXPECT_TRUE(Matches("*Get*Table*", "glue:BatchGetTables"));
  EXPECT_TRUE(Matches("a?c", "abc"));
  EXPECT_TRUE(Matches("a*b*c", "a1b2b3c"));
  EXPECT_FALSE(Matches("glue:Get", "glue:GetTable"));
  EXPECT_FALSE(Matches("a?c", "ac"));
  EXPECT_FALSE(Matches("a*b", "abc"));
  EXPECT_FALSE(Matches("", "a"));
}

TEST(WildcardTest, LettersMayBeFolded) {
  EXPECT_TRUE(MatchesWildcard("GLUE:get*", "glue:GetTable", LetterCase::kIgnored));
  EXPECT_FALSE(MatchesWildcard("GLUE:get*", "glue:GetTable", LetterCase::kMatters));
}

TEST(WildcardTest, EveryNameThatStartsWithATextIsMatchedOnlyThroughALastStar) {
  const auto every = [](std::string_view pattern, std::string_view text) {
    return MatchesWildcard(pattern, text, LetterCase::kMatters, Extent::kEveryName);
  };
  EXPECT_TRUE(every("table/db/*", "table/db/"));
  EXPECT_TRUE(every("table/*", "table/db/"));
  EXPECT_TRUE(every("*", "table/db/"));
  EXPECT_FALSE(every("table/db/a*", "table/db/"));
  EXPECT_FALSE(every("table/db/?", "table/db/"));
  EXPECT_FALSE(every("table/*/t", "table/db/"));
  EXPECT_FALSE(every("table/db/", "table/db/"));
}

TEST(WildcardTest, AnyNameThatStartsWithAText) {
  const auto any = [](std::string_view pattern, std::string_view text) {
    return MatchesWildcard(pattern, text, LetterCase::kMatters, Extent::kAnyName);
  };
  EXPECT_TRUE(any("table/db/secret", "table/db/"));
  EXPECT_TRUE(any("table/*/t", "table/db/"));
  EXPECT_TRUE(any("*", "table/db/"));
  EXPECT_FALSE(any("table/other/*", "table/db/"));
  EXPECT_FALSE(any("database/db", "table/db/"));
}

TEST(WildcardTest, ArnsAreComparedPieceByPiece) {
  constexpr std::string_view kArn = "arn:aws:glue:eu-central-1:111111111111:table/db/t:1";
  const auto matches = [&](std::string_view pattern) {
    return MatchesArn(pattern, kArn, LetterCase::kMatters);
  };
  EXPECT_TRUE(matches("arn:aws:glue:*:*:table/db/t:1"));
  EXPECT_TRUE(matches("arn:aws:glue:eu-*:111111111111:table/*"));
  EXPECT_TRUE(matches("arn:*:*:*:*:*"));
  EXPECT_FALSE(matches("arn:aws:glue:*:table/db/t:1"));
  EXPECT_FALSE(matches("arn:aws:glue:*"));
  EXPECT_FALSE(matches("arn:aws:glue:*:222222222222:table/*"));
  EXPECT_FALSE(matches("arn:aws:glue:*:*:table/DB/*"));
  EXPECT_TRUE(MatchesArn("arn:aws:glue:*:*:table/DB/*", kArn, LetterCase::kIgnored));
  EXPECT_FALSE(MatchesArn("arn:aws:GLUE:*:*:table/DB/*", kArn, LetterCase::kIgnored));
}

TEST(WildcardTest, ManyStarsTakeNoLongerThanTheProductOfTheLengths) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(Matches(pattern + "b", std::string(2000, 'a')));
}

}  // namespace
}  // namespace gluecat::server
