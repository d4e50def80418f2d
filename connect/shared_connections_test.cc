// Many catalogs of one configuration against a server that counts: Spark makes new ones for every
// session, and none of them may cost more than memory.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "connect/connect.h"
#include "core/aws/loopback_server_testing.h"
#include "core/catalog/catalog.h"

namespace gluecat::connect {
namespace {

class SharedConnectionsTest : public testing::Test {
 protected:
  SharedConnectionsTest() {
    environment_->variables = {{"AWS_ACCESS_KEY_ID", "A"}, {"AWS_SECRET_ACCESS_KEY", "s"}};
  }

  std::unique_ptr<catalog::Catalog> Open(const aws::LoopbackServer& server,
                                         const std::string& max_connections) {
    catalog::OpenRequest request;
    request.catalog = "acct_a";
    request.options = {{"glue.endpoint", server.endpoint().Url()},
                       {"client.region", "eu-central-1"},
                       {"http-client.apache.max-connections", max_connections}};
    auto settings = catalog::ParseSettings(request).value();
    auto transport = Connect(settings, environment_, SystemClock()).value();
    return std::make_unique<catalog::Catalog>(std::move(settings), "4.1.1", std::move(transport),
                                              SystemClock());
  }

  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
};

// Run under ThreadSanitizer too.
TEST_F(SharedConnectionsTest, AHundredCatalogsHaveTheConnectionsOfOne) {
  constexpr int kCatalogs = 100;
  constexpr int kConnections = 8;
  std::mutex mutex;
  std::condition_variable changed;
  int under_way = 0;
  // The first answer waits until every connection that there may be is in use.
  aws::LoopbackServer server([&](const aws::LoopbackRequest&) {
    std::unique_lock lock(mutex);
    ++under_way;
    changed.notify_all();
    changed.wait(lock, [&] { return under_way >= kConnections; });
    return aws::HttpReply(200, R"({"Table":{"Name":"t","DatabaseName":"d"}})");
  });
  std::vector<std::unique_ptr<catalog::Catalog>> catalogs;
  catalogs.reserve(kCatalogs);
  for (int i = 0; i < kCatalogs; ++i) {
    catalogs.push_back(Open(server, std::to_string(kConnections)));
  }
  EXPECT_EQ(server.connections(), 0) << "opening one asks nobody";
  std::atomic<int> loaded = 0;
  std::vector<std::thread> threads;
  threads.reserve(kCatalogs);
  for (const auto& each : catalogs) {
    threads.emplace_back([&] {
      if (each->LoadTable("d", "t", {})) ++loaded;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(loaded, kCatalogs);
  EXPECT_EQ(server.connections(), kConnections);
}

TEST_F(SharedConnectionsTest, SixtyFourThreadsOfACatalogUseNoMoreThanMaxConnections) {
  constexpr int kThreads = 64;
  constexpr int kConnections = 16;
  aws::LoopbackServer server([](const aws::LoopbackRequest&) {
    return aws::HttpReply(200, R"({"Table":{"Name":"t","DatabaseName":"d"}})");
  });
  const auto catalog = Open(server, std::to_string(kConnections));
  std::atomic<int> loaded = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        if (catalog->LoadTable("d", "t" + std::to_string(10 * t + i), {})) ++loaded;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(loaded, kThreads * 10);
  EXPECT_EQ(server.requests(), kThreads * 10);
  EXPECT_LE(server.connections(), kConnections);
}

}  // namespace
}  // namespace gluecat::connect
