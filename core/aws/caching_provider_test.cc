#include "core/aws/caching_provider.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/aws/fakes_testing.h"
#include "core/base/gate_testing.h"

namespace gluecat::aws {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class CachingProviderTest : public testing::Test {
 protected:
  // The key of a fetch is its number; it lives for an hour.
  Result<Credentials> Fresh(int call) const {
    return Credentials{.access_key_id = std::to_string(call),
                       .expiration = clock_->Now() + minutes(60)};
  }
  static Result<Credentials> Broken() { return Fail(ErrorKind::kUnavailable, "STS is down"); }

  CachingProvider& Over(std::function<Result<Credentials>(int)> resolve) {
    source_ = std::make_shared<FakeProvider>(std::move(resolve));
    caching_ = std::make_unique<CachingProvider>(source_, clock_, warnings_);
    return *caching_;
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<KeptWarnings> warnings_ = std::make_shared<KeptWarnings>();
  std::shared_ptr<FakeProvider> source_;
  std::unique_ptr<CachingProvider> caching_;
};

TEST_F(CachingProviderTest, AsksOnceAndAgainFiveMinutesBeforeExpiry) {
  auto& caching = Over([this](int call) { return Fresh(call); });
  EXPECT_EQ(caching.Resolve({})->access_key_id, "1");
  clock_->Advance(minutes(55) - seconds(1));
  EXPECT_EQ(caching.Resolve({})->access_key_id, "1");
  clock_->Advance(seconds(1));
  EXPECT_EQ(caching.Resolve({})->access_key_id, "2");
  EXPECT_EQ(source_->calls(), 2);
}

TEST_F(CachingProviderTest, CredentialsWithoutExpiryStay) {
  auto& caching =
      Over([](int) -> Result<Credentials> { return Credentials{.access_key_id = "A"}; });
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(caching.Resolve({}));
    clock_->Advance(std::chrono::hours(1000));
  }
  EXPECT_EQ(source_->calls(), 1);
}

TEST_F(CachingProviderTest, AFailedRefreshKeepsWhatIsStillValid) {
  auto& caching = Over([this](int call) { return call == 1 ? Fresh(call) : Broken(); });
  EXPECT_TRUE(caching.Resolve({}));
  clock_->Advance(minutes(56));
  EXPECT_EQ(caching.Resolve({})->access_key_id, "1");
  EXPECT_EQ(caching.Resolve({})->access_key_id, "1");
  EXPECT_EQ(source_->calls(), 2);  // not asked again at once
  EXPECT_EQ(warnings_->texts(),
            std::vector<std::string>{"the credentials 1 expire at 2026-01-02T04:04:05Z and could "
                                     "not be renewed yet: STS is down"});
  clock_->Advance(minutes(1));
  EXPECT_EQ(caching.Resolve({})->access_key_id, "1");
  EXPECT_EQ(source_->calls(), 3);
  clock_->Advance(minutes(3));  // expired
  EXPECT_EQ(caching.Resolve({}).error().message, "STS is down");
}

TEST_F(CachingProviderTest, FailuresAreNotRemembered) {
  auto& caching = Over([this](int call) { return call < 3 ? Broken() : Fresh(call); });
  EXPECT_FALSE(caching.Resolve({}));
  EXPECT_FALSE(caching.Resolve({}));
  EXPECT_EQ(caching.Resolve({})->access_key_id, "3");
}

TEST_F(CachingProviderTest, ShortLivedCredentialsAreNotFetchedForEveryCall) {
  auto& caching = Over([this](int call) -> Result<Credentials> {
    return Credentials{.access_key_id = std::to_string(call),
                       .expiration = clock_->Now() + minutes(4)};
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(caching.Resolve({})->access_key_id, "1");
  clock_->Advance(minutes(1));
  EXPECT_EQ(caching.Resolve({})->access_key_id, "2");
}

TEST_F(CachingProviderTest, RefusedCredentialsAreFetchedAnew) {
  auto& caching = Over([this](int call) { return Fresh(call); });
  const auto first = *caching.Resolve({});
  caching.Invalidate(first);
  EXPECT_EQ(caching.Resolve({})->access_key_id, "2");
  caching.Invalidate(first);  // of somebody who was late: they are gone already
  EXPECT_EQ(caching.Resolve({})->access_key_id, "2");
  EXPECT_EQ(source_->invalidated(), (std::vector<std::string>{"1", "1"}));
}

TEST_F(CachingProviderTest, ManyCallersShareOneFetch) {
  Gate fetching, gate;
  auto& caching = Over([&](int call) {
    fetching.Open();
    gate.Pass();
    return Fresh(call);
  });
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto result = caching.Resolve({});
      if (result && result->access_key_id == "1") ++right;
    });
  }
  fetching.Pass();
  gate.Open();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
  EXPECT_EQ(source_->calls(), 1);
}

TEST_F(CachingProviderTest, DuringARefreshOthersGoOnWithTheOldOnes) {
  Gate fetching, gate;
  auto& caching = Over([&](int call) {
    if (call == 2) {
      fetching.Open();
      gate.Pass();
    }
    return Fresh(call);
  });
  EXPECT_TRUE(caching.Resolve({}));
  clock_->Advance(minutes(56));
  std::thread refresher([&] { EXPECT_EQ(caching.Resolve({})->access_key_id, "2"); });
  fetching.Pass();
  EXPECT_EQ(caching.Resolve({})->access_key_id, "1");
  gate.Open();
  refresher.join();
  EXPECT_EQ(caching.Resolve({})->access_key_id, "2");
}

TEST_F(CachingProviderTest, OneCallersCancellationIsNotTheOthers) {
  Gate fetching, gate;
  CancellationSource source;
  auto& caching = Over([&](int call) -> Result<Credentials> {
    if (call > 1) return Fresh(call);
    fetching.Open();
    gate.Pass();
    return Fail(ErrorKind::kCancelled, "cancelled");
  });
  std::thread first([&] {
    CallLimits limits;
    limits.cancellation = source.token();
    EXPECT_EQ(caching.Resolve(limits).error().kind, ErrorKind::kCancelled);
  });
  fetching.Pass();
  std::thread second([&] { EXPECT_EQ(caching.Resolve({})->access_key_id, "2"); });
  source.Cancel();
  gate.Open();
  first.join();
  second.join();
}

TEST_F(CachingProviderTest, AWaitingCallerKeepsItsOwnLimits) {
  Gate fetching, gate;
  auto& caching = Over([&](int call) {
    fetching.Open();
    gate.Pass();
    return Fresh(call);
  });
  std::thread first([&] { EXPECT_TRUE(caching.Resolve({})); });
  fetching.Pass();
  CancellationSource source;
  source.Cancel();
  CallLimits limits;
  limits.cancellation = source.token();
  EXPECT_EQ(caching.Resolve(limits).error().kind, ErrorKind::kCancelled);
  limits = {};
  limits.deadline = clock_->SteadyNow();
  EXPECT_EQ(caching.Resolve(limits).error().kind, ErrorKind::kTimeout);
  gate.Open();
  first.join();
}

}  // namespace
}  // namespace gluecat::aws
