#include "server/random.h"

#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluecat::server {
namespace {

TEST(RandomUuidTest, HasTheFormOfVersion4) {
  for (int i = 0; i < 1000; ++i) {
    EXPECT_THAT(RandomUuid(), testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-"
                                                    "[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  }
}

TEST(RandomUuidTest, IsAnotherEachTimeInEveryThread) {
  constexpr std::size_t kThreads = 4, kEach = 1000;
  std::vector<std::vector<std::string>> made(kThreads);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (auto& mine : made) {
    threads.emplace_back([&mine] {
      for (std::size_t i = 0; i < kEach; ++i) mine.push_back(RandomUuid());
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& mine : made) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), kThreads * kEach);
}

}  // namespace
}  // namespace gluecat::server
