#include "core/aws/clock_skew.h"

#include <gtest/gtest.h>

#include "core/aws/time_format.h"
#include "core/aws/vectors_testing.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

Timestamp Time(JsonView text) { return ParseIso8601(text.StringOr("")).value_or(Timestamp()); }

HttpResponse ResponseOf(JsonView response) {
  HttpResponse result;
  result.status = static_cast<int>(response["statusCode"].IntOr(0));
  for (const auto& [name, value] : response["headers"].Members()) {
    result.headers.emplace_back(ToLowerAscii(name), value.StringOr(""));
  }
  return result;
}

TEST(ClockSkewVectors, SigningTimesAndWhatIsLearnedAreAwss) {
  const auto document = ReadAwsJsonVector("clock-skew-test-cases.json");
  ASSERT_TRUE(document);
  int cases = 0;
  for (const auto& test : document->root()["tests"].Elements()) {
    SCOPED_TRACE(test["description"].StringOr(""));
    ++cases;
    ClockSkew skew;
    for (const auto& operation : test["operations"].Elements()) {
      skew.Set(std::chrono::seconds(operation["initialClientSkew"].IntOr(0)));
      const auto attempts = operation["attempts"].Elements();
      for (std::size_t i = 0; i < attempts.size(); ++i) {
        const JsonView attempt = attempts[i];
        const Timestamp sent = Time(attempt["clientTimeAtSend"]);
        const Timestamp received = Time(attempt["clientTimeAtReceive"]);
        const Timestamp signing_time = skew.Correct(sent);
        EXPECT_EQ(FormatIso8601(signing_time), attempt["expectedSigningTime"].StringOr(""));
        const auto response = ResponseOf(attempt["response"]);
        skew.Learn(response, sent, received);
        // An attempt that is not the last is one that the skew explains.
        const bool more = i + 1 < attempts.size();
        const bool more_allowed =
            i + 1 < static_cast<std::size_t>(operation["maxAttempts"].IntOr(3));
        if (more_allowed) {
          EXPECT_EQ(skew.ExplainsFailure(attempt["response"]["errorCode"].StringOr(""), response,
                                         signing_time, received),
                    more);
        }
      }
      EXPECT_EQ(skew.value().count(), operation["expectedClientSkew"].IntOr(-1));
    }
  }
  EXPECT_EQ(cases, 10);
}

TEST(ClockSkew, SmallDifferencesAreNone) {
  ClockSkew skew;
  const Timestamp now = *ParseIso8601("2026-01-01T00:00:00Z");
  HttpResponse response;
  response.headers = {{"date", "Thu, 01 Jan 2026 00:00:02 GMT"}};
  skew.Learn(response, now, now);
  EXPECT_EQ(skew.value().count(), 0);
  response.headers = {{"date", "Wed, 31 Dec 2025 23:00:00 GMT"}};
  skew.Learn(response, now, now);
  EXPECT_EQ(skew.value().count(), -3600);
  response.headers = {{"date", "yesterday"}};
  skew.Learn(response, now, now);
  EXPECT_EQ(skew.value().count(), -3600);
}

}  // namespace
}  // namespace gluecat::aws
