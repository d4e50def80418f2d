// A query that outlives the session of its role: each request is signed with what is good when it
// is sent.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connect/http_access.h"
#include "core/aws/fakes_testing.h"
#include "core/aws/sigv4.h"
#include "core/aws/time_format.h"
#include "core/base/text.h"
#include "core/glue/client.h"

namespace gluecat::connect {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kRole[] = "arn:aws:iam::111111111111:role/reader";

// STS gives keys for a quarter of an hour, numbered; Glue takes twenty minutes for each of three
// pages, and does not know a key that has expired.
class SlowAws final : public aws::HttpClient {
 public:
  explicit SlowAws(std::shared_ptr<aws::FakeClock> clock) : clock_(std::move(clock)) {}

  Status Send(const aws::HttpRequest& request, const aws::CallLimits&,
              aws::HttpResponse& response) override {
    std::string key;
    std::string service;
    for (const auto& [name, value] : request.headers) {
      if (ToLowerAscii(name) != "authorization") continue;
      const auto authorization = aws::ParseAuthorization(value);
      key = authorization->access_key_id;
      service = authorization->scope.service;
    }
    response.Clear();
    response.status = 200;
    if (service == "sts") {
      if (closed) {
        response.status = 403;
        response.body = "<Error><Code>AccessDenied</Code><Message>not any more</Message></Error>";
        return {};
      }
      key_ = "KEY" + std::to_string(++sessions);
      expiration_ = clock_->Now() + std::chrono::minutes(15);
      response.body = "<Credentials><AccessKeyId>" + key_ +
                      "</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t"
                      "</SessionToken><Expiration>" +
                      aws::FormatIso8601(expiration_) + "</Expiration></Credentials>";
      return {};
    }
    pages.push_back(key);
    if (key != key_ || clock_->Now() >= expiration_) {
      response.status = 400;
      response.body = R"({"__type":"ExpiredTokenException","message":"expired"})";
      return {};
    }
    response.body = R"({"DatabaseList":[{"Name":"d"}])";
    if (pages.size() < 3) {
      response.body += R"(,"NextToken":")" + std::to_string(pages.size()) + "\"";
    }
    response.body += "}";
    clock_->Advance(std::chrono::minutes(20));
    return {};
  }

  int sessions = 0;
  std::vector<std::string> pages;  // the key that each was asked for with
  bool closed = false;             // STS gives no more

 private:
  const std::shared_ptr<aws::FakeClock> clock_;
  std::string key_;
  Timestamp expiration_;
};

class SessionExpiryTest : public testing::Test {
 protected:
  SessionExpiryTest() {
    environment_->variables = {{"AWS_ACCESS_KEY_ID", "BASE"}, {"AWS_SECRET_ACCESS_KEY", "s"}};
    catalog::OpenRequest request;
    request.catalog = "a";
    request.options = {{"client.region", "eu-central-1"},
                       {"client.assume-role.arn", kRole},
                       {"client.assume-role.timeout-sec", "900"}};
    const auto settings = catalog::ParseSettings(request).value();
    const auto runtime = MakeRuntime(settings, aws_, environment_, clock_).value();
    auto credentials = MakeCredentials(settings, "eu-central-1", runtime).value();
    client_ = std::make_unique<glue::Client>(
        MakeHttpTransport(settings, "eu-central-1", runtime, std::move(credentials)).value(),
        std::nullopt, true);
  }

  const std::shared_ptr<aws::FakeClock> clock_ = std::make_shared<aws::FakeClock>();
  const std::shared_ptr<SlowAws> aws_ = std::make_shared<SlowAws>(clock_);
  const std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
  std::unique_ptr<glue::Client> client_;
};

TEST_F(SessionExpiryTest, ALongListingGoesOnWithANewSession) {
  const auto databases = client_->GetDatabases({});
  ASSERT_TRUE(databases) << databases.error().message;
  EXPECT_EQ(databases->size(), 3U);
  EXPECT_THAT(aws_->pages, ElementsAre("KEY1", "KEY2", "KEY3"));
}

TEST_F(SessionExpiryTest, ASessionThatCannotBeHadAgainIsNamed) {
  ASSERT_TRUE(client_->GetDatabases({}));
  aws_->closed = true;
  const auto databases = client_->GetDatabases({});
  ASSERT_FALSE(databases);
  EXPECT_EQ(databases.error().kind, ErrorKind::kAccessDenied);
  EXPECT_THAT(databases.error().message,
              AllOf(HasSubstr("cannot assume the role"), HasSubstr(kRole), HasSubstr("BASE"),
                    HasSubstr("not any more")));
}

}  // namespace
}  // namespace gluecat::connect
