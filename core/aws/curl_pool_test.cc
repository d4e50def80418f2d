// The connections of CurlHttpClient under many threads.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/aws/curl_http_client.h"
#include "core/aws/loopback_server_testing.h"
#include "core/base/environment.h"

namespace gluecat::aws {
namespace {

class CurlPoolTest : public testing::Test {
 protected:
  static std::unique_ptr<CurlHttpClient> Client(const HttpClientOptions& options) {
    return std::make_unique<CurlHttpClient>(options, std::make_shared<FixedEnvironment>());
  }

  static HttpRequest RequestTo(const Endpoint& endpoint, std::string_view body = "{}") {
    HttpRequest request;
    request.endpoint = endpoint;
    request.headers = {{"Host", endpoint.HostHeader()}, {"Content-Type", "application/json"}};
    request.body = body;
    return request;
  }

  HttpResponse response_;
};

TEST_F(CurlPoolTest, WaitsForAConnectionAndSaysWhenThereIsNone) {
  HttpClientOptions options;
  options.max_connections = 1;
  options.acquire_timeout = std::chrono::milliseconds(30);
  const auto client = Client(options);
  Status inner;
  LoopbackServer server([&](const LoopbackRequest& request) {
    if (request.connection == 1) {
      HttpResponse response;
      inner = client->Send(RequestTo(server.endpoint()), {}, response);
    }
    return HttpReply(200, "ok");
  });
  EXPECT_TRUE(client->Send(RequestTo(server.endpoint()), {}, response_));
  ASSERT_FALSE(inner);
  EXPECT_EQ(inner.error().kind, ErrorKind::kTimeout);
  EXPECT_NE(inner.error().message.find("max-connections"), std::string::npos);
}

// Run under ThreadSanitizer too.
TEST_F(CurlPoolTest, ServesManyThreads) {
  LoopbackServer server(
      [](const LoopbackRequest& request) { return HttpReply(200, request.body); });
  HttpClientOptions options;
  options.max_connections = 4;
  const auto client = Client(options);
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      HttpResponse response;
      for (int i = 0; i < 20; ++i) {
        const std::string body = std::to_string(t) + "/" + std::to_string(i);
        if (client->Send(RequestTo(server.endpoint(), body), {}, response) &&
            response.body == body) {
          ++right;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 160);
  EXPECT_LE(server.connections(), 4);
}

// Each request is answered when as many are under way as there may be connections.
TEST_F(CurlPoolTest, ManyThreadsUseEveryConnectionAndNoMore) {
  constexpr int kConnections = 16;
  constexpr int kThreads = 64;
  std::mutex mutex;
  std::condition_variable changed;
  int under_way = 0;
  LoopbackServer server([&](const LoopbackRequest&) {
    std::unique_lock lock(mutex);
    if (++under_way % kConnections == 0) changed.notify_all();
    const int group = (under_way - 1) / kConnections;
    changed.wait(lock, [&] { return under_way >= (group + 1) * kConnections; });
    return HttpReply(200, "ok");
  });
  HttpClientOptions options;
  options.max_connections = kConnections;
  options.socket_timeout = std::chrono::seconds(20);
  options.acquire_timeout = std::chrono::seconds(20);
  const auto client = Client(options);
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      HttpResponse response;
      if (client->Send(RequestTo(server.endpoint()), {}, response)) ++right;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, kThreads);
  EXPECT_EQ(server.connections(), kConnections);
}

}  // namespace
}  // namespace gluecat::aws
