#include "server/connection_threads.h"

#include <atomic>
#include <latch>

#include <gtest/gtest.h>

namespace gluecat::server {
namespace {

TEST(ConnectionThreads, OneThatSaysNothingHoldsNobodyUp) {
  constexpr int kSilent = 50;
  Metrics metrics("1", Timestamp());
  ConnectionThreads threads(100, metrics);
  std::latch all_started(kSilent);
  std::latch end(1);
  for (int i = 0; i < kSilent; ++i) {
    ASSERT_TRUE(threads.enqueue([&] {
      all_started.count_down();
      end.wait();
    }));
  }
  all_started.wait();
  EXPECT_EQ(metrics.open_connections(), kSilent);
  std::latch answered(1);
  ASSERT_TRUE(threads.enqueue([&] { answered.count_down(); }));
  answered.wait();
  end.count_down();
  threads.shutdown();
  EXPECT_EQ(metrics.open_connections(), 0);
  EXPECT_FALSE(threads.enqueue([] {}));
}

TEST(ConnectionThreads, RefusesMoreThanAreAllowed) {
  Metrics metrics("1", Timestamp());
  ConnectionThreads threads(2, metrics);
  std::latch end(1);
  EXPECT_TRUE(threads.enqueue([&] { end.wait(); }));
  EXPECT_TRUE(threads.enqueue([&] { end.wait(); }));
  EXPECT_FALSE(threads.enqueue([] {}));
  end.count_down();
  threads.shutdown();
}

TEST(ConnectionThreads, ManyShortOnesEnd) {
  Metrics metrics("1", Timestamp());
  std::atomic<int> done = 0;
  ConnectionThreads threads(10'000, metrics);
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(threads.enqueue([&] { ++done; }));
  threads.shutdown();
  EXPECT_EQ(done, 500);
}

}  // namespace
}  // namespace gluecat::server
