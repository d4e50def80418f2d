#include "core/aws/time_format.h"

#include <gtest/gtest.h>

namespace gluecat::aws {
namespace {

TEST(TimeFormat, WritesAndReadsBack) {
  const auto time = ParseIso8601("2024-02-29T23:59:58Z");
  ASSERT_TRUE(time);
  EXPECT_EQ(FormatAmzDate(*time), "20240229T235958Z");
  EXPECT_EQ(ParseAmzDate("20240229T235958Z"), time);
  EXPECT_EQ(FormatIso8601(*time), "2024-02-29T23:59:58Z");
  EXPECT_EQ(ParseHttpDate("Thu, 29 Feb 2024 23:59:58 GMT"), time);
  EXPECT_EQ(ParseIso8601("2024-03-01T01:59:58.123456+02:00"), time);
  EXPECT_EQ(ParseIso8601("2024-02-29T18:29:58-05:30"), time);
  EXPECT_EQ(FormatIso8601(Timestamp(std::chrono::milliseconds(-1))), "1969-12-31T23:59:59Z");
}

TEST(TimeFormat, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "2024-02-30T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T00:00:00Zx",
        "9999-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "2024-01-01T00:00:00*02:00"}) {
    EXPECT_EQ(ParseIso8601(text), std::nullopt) << text;
  }
  for (const char* text : {"", "20240101T000000", "2024010TT000000Z", "20240101T000000ZZ"}) {
    EXPECT_EQ(ParseAmzDate(text), std::nullopt) << text;
  }
  for (const char* text : {"", "Thu, 29 Fbe 2024 23:59:58 GMT", "Thu, 29 anF 2024 23:59:58 GMT",
                           "Thu, 29 Feb 2024 23:59:58 CET", "1709251198"}) {
    EXPECT_EQ(ParseHttpDate(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace gluecat::aws
