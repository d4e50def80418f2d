#include "core/aws/container_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aws/fakes_testing.h"

namespace gluecat::aws {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kAnswer[] =
    R"({"RoleArn":"arn:aws:iam::111111111111:role/task","AccessKeyId":"ASIATASK",)"
    R"("SecretAccessKey":"s","Token":"t","Expiration":"2026-01-02T04:04:05Z"})";

class ContainerTest : public testing::Test {
 protected:
  Result<Credentials> Resolve() {
    return ContainerProvider({.http = http_,
                              .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                              .environment = environment_})
        .Resolve({});
  }
  // What becomes of a full URI: where it is asked, or the message of its refusal.
  std::string At(const std::string& uri) {
    environment_->variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = uri;
    const auto before = http_->requests().size();
    const auto result = Resolve();
    if (http_->requests().size() == before) return result.error().message;
    const auto request = http_->requests().back().request;
    return request.endpoint.Url() + request.path;
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<FakeHttpClient> http_ = std::make_shared<FakeHttpClient>();
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
};

TEST_F(ContainerTest, DeclinesWithoutAUri) {
  environment_->variables["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "T";
  EXPECT_EQ(Resolve().error().kind, ErrorKind::kNotFound);
  EXPECT_TRUE(http_->requests().empty());
}

TEST_F(ContainerTest, ATaskOfEcs) {
  environment_->variables = {{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/credentials/1234?a=b"},
                             {"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1/not-asked"}};
  http_->Script({Answer(200, kAnswer)});
  const auto result = Resolve();
  ASSERT_TRUE(result) << result.error().message;
  const Credentials expected{.access_key_id = "ASIATASK",
                             .secret_access_key = "s",
                             .session_token = "t",
                             .expiration = clock_->Now() + std::chrono::hours(1),
                             .provider = "container"};
  EXPECT_EQ(result, expected);
  const auto request = http_->requests().at(0);
  EXPECT_EQ(request.request.method, "GET");
  EXPECT_EQ(request.request.endpoint.Url(), "http://169.254.170.2");
  EXPECT_EQ(request.request.path, "/v2/credentials/1234?a=b");
  EXPECT_TRUE(request.request.bypass_proxy);
  EXPECT_EQ(request.Header("authorization"), "");
}

TEST_F(ContainerTest, APodOfEksSendsTheTokenOfItsFile) {
  environment_->variables = {
      {"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.170.23/v1/credentials"},
      {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/var/run/eks/token"},
      {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "not this one"}};
  environment_->files["/var/run/eks/token"] = "of-the-file\n";
  http_->Script({Answer(200, kAnswer)});
  ASSERT_TRUE(Resolve());
  EXPECT_EQ(http_->requests().at(0).Header("authorization"), "of-the-file");
  environment_->variables.erase("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  ASSERT_TRUE(Resolve());
  EXPECT_EQ(http_->requests().at(1).Header("authorization"), "not this one");
}

TEST_F(ContainerTest, PlainHttpIsForLocalAddressesOnly) {
  http_->Script({Answer(200, kAnswer)});
  for (const char* uri :
       {"http://127.0.0.1:8080/c?x=y", "http://127.255.0.9/c", "http://localhost/c",
        "http://[::1]:80/c", "http://169.254.170.2/c", "http://169.254.170.23/c",
        "http://[fd00:ec2::23]/c", "https://credentials.example.com/c"}) {
    EXPECT_EQ(At(uri), std::string(uri) == "http://[::1]:80/c" ? "http://[::1]/c" : uri);
  }
  EXPECT_EQ(At("http://127.0.0.1:8080"), "http://127.0.0.1:8080/");
  EXPECT_EQ(At("http://127.0.0.1:8080?q"), "http://127.0.0.1:8080/?q");
  for (const char* uri :
       {"http://169.254.170.3/c", "http://169.254.169.254/c", "http://example.com/c",
        "http://127.0.0.1.example.com/c", "http://localhost.example.com/c", "http://10.0.0.1/c"}) {
    EXPECT_THAT(At(uri), HasSubstr("must not be asked for credentials over plain HTTP")) << uri;
  }
  for (const char* uri : {"/relative", "ftp://127.0.0.1/c", "http://me:hunter2@127.0.0.1/c",
                          "http://127.0.0.1:port/hunter2", "http://127.0.0.1/a b hunter2"}) {
    EXPECT_THAT(At(uri), HasSubstr("AWS_CONTAINER_CREDENTIALS_FULL_URI")) << uri;
    EXPECT_THAT(At(uri), Not(HasSubstr("hunter2"))) << uri;
  }
}

TEST_F(ContainerTest, ATokenThatCannotBeSentIsAFailure) {
  environment_->variables = {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1/c"},
                             {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/token"}};
  EXPECT_THAT(Resolve().error().message, HasSubstr("/token"));
  EXPECT_EQ(Resolve().error().kind, ErrorKind::kUnauthenticated);
  environment_->files["/token"] = "";
  EXPECT_THAT(Resolve().error().message, HasSubstr("is empty"));
  environment_->files["/token"] = "s3cret\r\nX-Evil: 1";
  EXPECT_THAT(Resolve().error().message, HasSubstr("more than one line"));
  EXPECT_THAT(Resolve().error().message, Not(HasSubstr("s3cret")));
  EXPECT_TRUE(http_->requests().empty());
}

TEST_F(ContainerTest, RefusalsAndAnswersThatAreNone) {
  environment_->variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/c";
  http_->Script({Answer(400, R"({"code":"InvalidIdentityToken","message":"not you"})")});
  auto result = Resolve();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_EQ(result.error().code, "InvalidIdentityToken");
  EXPECT_THAT(result.error().message, HasSubstr("169.254.170.2:80 gives no credentials (HTTP "
                                                "status 400): not you"));
  http_->Script({Answer(200, R"({"AccessKeyId":"A"})")});
  result = Resolve();
  EXPECT_EQ(result.error().kind, ErrorKind::kInvalidData);
  EXPECT_THAT(result.error().message, HasSubstr("no SecretAccessKey"));
  environment_->variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "c";
  EXPECT_EQ(Resolve().error().kind, ErrorKind::kInvalidArgument);
}

TEST_F(ContainerTest, TroubleIsRetried) {
  environment_->variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/c";
  http_->Script({Answer(429, ""), Failure(ErrorKind::kUnavailable), Answer(200, kAnswer)});
  EXPECT_TRUE(Resolve());
  EXPECT_EQ(http_->requests().size(), 3U);
  http_->Script({Answer(503, "")});
  EXPECT_EQ(Resolve().error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(http_->requests().size(), 6U);
}

}  // namespace
}  // namespace gluecat::aws
