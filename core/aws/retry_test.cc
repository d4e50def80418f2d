#include "core/aws/retry.h"

#include <gtest/gtest.h>

#include "core/aws/fakes_testing.h"

namespace gluecat::aws {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RetryTest : public testing::Test {
 protected:
  RetryPolicy& Policy(RetryOptions options = {}) {
    policy_.emplace(options, clock_, [this] { return random_; });
    return *policy_;
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  double random_ = 0.5;
  std::optional<RetryPolicy> policy_;
};

TEST_F(RetryTest, ThreeAttemptsWithGrowingWaits) {
  RetryingCall call(Policy());
  EXPECT_EQ(call.attempts(), 1);
  EXPECT_TRUE(call.WaitToRetry(FailureClass::kTransient, {}, {}));
  EXPECT_TRUE(call.WaitToRetry(FailureClass::kTimeout, {}, {}));
  EXPECT_EQ(call.attempts(), 3);
  EXPECT_FALSE(call.WaitToRetry(FailureClass::kTransient, {}, {}));
  EXPECT_EQ(clock_->sleeps(), (std::vector<Duration>{milliseconds(25), milliseconds(50)}));
}

TEST_F(RetryTest, ThrottlingWaitsLonger) {
  RetryingCall call(Policy());
  EXPECT_TRUE(call.WaitToRetry(FailureClass::kThrottling, {}, {}));
  EXPECT_TRUE(call.WaitToRetry(FailureClass::kThrottling, {}, {}));
  EXPECT_EQ(clock_->sleeps(), (std::vector<Duration>{milliseconds(500), seconds(1)}));
}

TEST_F(RetryTest, JitterGoesDownToNothingAndBackoffIsBounded) {
  random_ = 0;
  RetryingCall none(Policy());
  EXPECT_TRUE(none.WaitToRetry(FailureClass::kThrottling, {}, {}));
  EXPECT_EQ(clock_->sleeps().back(), Duration(0));
  random_ = 1;
  RetryingCall many(Policy({.max_attempts = 100}));
  for (int i = 0; i < 90; ++i) {
    EXPECT_TRUE(many.WaitToRetry(FailureClass::kThrottling, {}, {}));
    EXPECT_LE(clock_->sleeps().back(), seconds(20));
  }
  EXPECT_EQ(clock_->sleeps().back(), seconds(20));
}

TEST_F(RetryTest, FinalFailuresAreNotRetried) {
  RetryingCall call(Policy());
  EXPECT_FALSE(call.WaitToRetry(FailureClass::kFinal, {}, {}));
  EXPECT_TRUE(clock_->sleeps().empty());
}

TEST_F(RetryTest, TheServiceMayAskForLonger) {
  RetryingCall call(Policy());
  EXPECT_TRUE(call.WaitToRetry(FailureClass::kThrottling, seconds(7), {}));
  EXPECT_TRUE(call.WaitToRetry(FailureClass::kThrottling, seconds(3600), {}));
  EXPECT_EQ(clock_->sleeps(), (std::vector<Duration>{seconds(7), seconds(20)}));
}

TEST_F(RetryTest, NoWaitBeyondTheDeadline) {
  RetryingCall call(Policy());
  CallLimits limits;
  limits.deadline = clock_->SteadyNow() + milliseconds(20);
  EXPECT_FALSE(call.WaitToRetry(FailureClass::kTransient, {}, limits));
  limits.deadline = clock_->SteadyNow() + milliseconds(30);
  EXPECT_TRUE(call.WaitToRetry(FailureClass::kTransient, {}, limits));
}

TEST_F(RetryTest, CancelledCallsStop) {
  RetryingCall call(Policy());
  CancellationSource source;
  source.Cancel();
  CallLimits limits;
  limits.cancellation = source.token();
  EXPECT_FALSE(call.WaitToRetry(FailureClass::kTransient, {}, limits));
}

// How many retries are possible now, each by a call of its own.
int RetriesLeft(RetryPolicy& policy, FailureClass failure) {
  int count = 0;
  while (count < 1000 && RetryingCall(policy).WaitToRetry(failure, {}, {})) ++count;
  return count;
}

TEST_F(RetryTest, TheBucketBoundsRetriesOfAllCalls) {
  EXPECT_EQ(RetriesLeft(Policy(), FailureClass::kTransient), 100);
  EXPECT_EQ(RetriesLeft(Policy(), FailureClass::kTimeout), 50);
}

TEST_F(RetryTest, SuccessFillsTheBucket) {
  RetryPolicy& policy = Policy({.quota = 20});
  RetryingCall call(policy);
  EXPECT_TRUE(call.WaitToRetry(FailureClass::kTimeout, {}, {}));
  call.Succeeded();
  EXPECT_EQ(RetriesLeft(policy, FailureClass::kTransient), 4);  // all of it came back
  for (int i = 0; i < 5; ++i) RetryingCall(policy).Succeeded();
  EXPECT_EQ(RetriesLeft(policy, FailureClass::kTransient), 1);
  for (int i = 0; i < 100; ++i) RetryingCall(policy).Succeeded();
  EXPECT_EQ(RetriesLeft(policy, FailureClass::kTransient), 4);  // and no more than that
}

TEST(ClassifyAnswer, CodesAndStatuses) {
  EXPECT_EQ(ClassifyAnswer("ThrottlingException", 400), FailureClass::kThrottling);
  EXPECT_EQ(ClassifyAnswer("RequestLimitExceeded", 503), FailureClass::kThrottling);
  EXPECT_EQ(ClassifyAnswer("", 429), FailureClass::kThrottling);
  EXPECT_EQ(ClassifyAnswer("RequestTimeout", 400), FailureClass::kTimeout);
  for (const int status : {500, 502, 503, 504}) {
    EXPECT_EQ(ClassifyAnswer("Whatever", status), FailureClass::kTransient);
  }
  for (const int status : {200, 301, 400, 403, 404, 409, 501}) {
    EXPECT_EQ(ClassifyAnswer("Whatever", status), FailureClass::kFinal);
  }
}

TEST(RequestedWait, ReadsBothHeaders) {
  const auto wait = [](int status, HeaderList headers) {
    return RequestedWait({.status = status, .headers = std::move(headers), .body = {}});
  };
  EXPECT_EQ(wait(500, {{"x-amz-retry-after", "1500"}}), milliseconds(1500));
  EXPECT_EQ(wait(503, {{"retry-after", "3"}}), seconds(3));
  EXPECT_EQ(wait(400, {{"retry-after", "3"}}), std::nullopt);
  EXPECT_EQ(wait(429, {{"retry-after", "Thu, 01 Jan 2026 00:00:00 GMT"}}), std::nullopt);
  EXPECT_EQ(wait(429, {{"retry-after", "-3"}}), std::nullopt);
  EXPECT_EQ(wait(429, {{"retry-after", "99999999999999999999"}}), std::nullopt);
  EXPECT_EQ(wait(429, {{"retry-after", "9223372036854775807"}}), seconds(86400));
  EXPECT_EQ(wait(429, {}), std::nullopt);
}

}  // namespace
}  // namespace gluecat::aws
