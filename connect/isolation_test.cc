// Two catalogs in one process, with other accounts, regions, roles and endpoints:
// nothing of one is ever in a request of the other.
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connect/http_access.h"
#include "core/aws/fakes_testing.h"
#include "core/aws/sigv4.h"
#include "core/base/text.h"
#include "core/glue/client.h"

namespace gluecat::connect {
namespace {

// The whole of AWS: STS gives a key named after the role, Glue has one empty table.
class RecordingAws final : public aws::HttpClient {
 public:
  struct Seen {
    std::string host;
    std::string body;
    std::string access_key;
    std::string region;
    std::string service;
  };

  Status Send(const aws::HttpRequest& request, const aws::CallLimits&,
              aws::HttpResponse& response) override {
    Seen seen;
    seen.host = request.endpoint.host;
    seen.body = request.body;
    for (const auto& [name, value] : request.headers) {
      if (ToLowerAscii(name) != "authorization") continue;
      const auto authorization = aws::ParseAuthorization(value);
      seen.access_key = authorization->access_key_id;
      seen.region = authorization->scope.region;
      seen.service = authorization->scope.service;
    }
    response.Clear();
    response.status = 200;
    response.body = R"({"Table":{"Name":"t","DatabaseName":"d"}})";
    if (seen.service == "sts") {
      const auto role = seen.body.find("role%2F") + 7;
      const std::string name = seen.body.substr(role, seen.body.find('&', role) - role);
      response.body = "<Credentials><AccessKeyId>OF-" + name +
                      "</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t"
                      "</SessionToken><Expiration>2026-01-02T04:04:05Z</Expiration></Credentials>";
    }
    const std::lock_guard lock(mutex_);
    seen_.push_back(std::move(seen));
    return {};
  }
  std::vector<Seen> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Seen> seen_;
};

struct Account {
  std::string id;
  std::string region;
  std::string role;
  std::string endpoint;  // empty: AWS's own
  std::string host;
};

// Run under ThreadSanitizer too.
TEST(Isolation, EveryRequestCarriesItsOwnAccountRegionAndIdentity) {
  const auto world = std::make_shared<RecordingAws>();
  const auto clock = std::make_shared<aws::FakeClock>();
  const auto environment = std::make_shared<FixedEnvironment>();
  environment->variables = {{"AWS_ACCESS_KEY_ID", "BASE"}, {"AWS_SECRET_ACCESS_KEY", "s"}};
  const std::vector<Account> accounts = {
      {"111111111111", "eu-central-1", "reader", "", "glue.eu-central-1.amazonaws.com"},
      {"222222222222", "cn-north-1", "writer", "https://glue.proxy.example.com",
       "glue.proxy.example.com"}};
  std::vector<std::unique_ptr<glue::Client>> clients;
  for (const Account& account : accounts) {
    catalog::OpenRequest request;
    request.catalog = "acct_" + account.role;
    request.options = {
        {"glue.id", account.id},
        {"client.region", account.region},
        {"glue.endpoint", account.endpoint},
        {"client.assume-role.arn", "arn:aws:iam::" + account.id + ":role/" + account.role}};
    const auto settings = catalog::ParseSettings(request).value();
    const auto runtime = MakeRuntime(settings, world, environment, clock).value();
    auto credentials = MakeCredentials(settings, account.region, runtime).value();
    clients.push_back(std::make_unique<glue::Client>(
        MakeHttpTransport(settings, account.region, runtime, std::move(credentials)).value(),
        settings.glue_id, settings.skip_archive));
  }
  constexpr int kThreadsEach = 8;
  constexpr int kCallsEach = 25;
  std::vector<std::thread> threads;
  for (const auto& client : clients) {
    for (int t = 0; t < kThreadsEach; ++t) {
      threads.emplace_back([&client] {
        for (int i = 0; i < kCallsEach; ++i) EXPECT_TRUE(client->GetTable("d", "t", {}));
      });
    }
  }
  for (auto& thread : threads) thread.join();

  std::map<std::string, int> glue_requests;
  int sts_requests = 0;
  for (const auto& seen : world->seen()) {
    if (seen.service == "sts") {
      ++sts_requests;
      EXPECT_EQ(seen.access_key, "BASE");
      continue;
    }
    const Account& account = seen.host == accounts[0].host ? accounts[0] : accounts[1];
    ++glue_requests[account.id];
    EXPECT_EQ(seen.host, account.host);
    EXPECT_EQ(seen.access_key, "OF-" + account.role);
    EXPECT_EQ(seen.region, account.region);
    EXPECT_THAT(seen.body, testing::HasSubstr(R"("CatalogId":")" + account.id + R"(")"));
  }
  EXPECT_EQ(sts_requests, 2) << "one for each role, whoever asks first";
  for (const Account& account : accounts) {
    EXPECT_EQ(glue_requests[account.id], kThreadsEach * kCallsEach);
  }
}

}  // namespace
}  // namespace gluecat::connect
