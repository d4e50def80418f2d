#include "core/aws/sso_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aws/crypto.h"
#include "core/aws/fakes_testing.h"
#include "core/base/json.h"

namespace gluecat::aws {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr char kRenewed[] = R"({"accessToken":"new-token","tokenType":"Bearer","expiresIn":28800,)"
                            R"("refreshToken":"new-refresh"})";

// It is 03:04:05 of 2026-01-02.
class SsoTokenTest : public testing::Test {
 protected:
  SsoTokenTest() { environment_->variables["HOME"] = "/h"; }

  // What `aws sso login` writes for a session.
  void LoggedIn(const std::string& until,
                const std::string& registered_until = "2026-03-01T00:00:00Z") {
    environment_->files[kPath] =
        R"({"startUrl":"https://acme.awsapps.com/start","region":"eu-west-1","accessToken":)"
        R"("old-token","expiresAt":")" +
        until +
        R"(","clientId":"c1ient","clientSecret":"c1ient-secret","registrationExpiresAt":")" +
        registered_until + R"(","refreshToken":"old-refresh","another":{"kept":[1]}})";
  }
  Result<std::string> Token() {
    ClientRuntime runtime{.http = http_,
                          .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                          .environment = environment_};
    runtime.warnings = warnings_;
    return SsoAccessToken({.cache_key = "acme", .region = "eu-west-1", .profile = "p"}, runtime,
                          {});
  }
  std::string InFile(const char* member) const {
    const auto document = JsonDocument::Parse(environment_->files.at(kPath));
    return document ? document->root()[member].Dump() : "no JSON";
  }

  const std::string kPath = "/h/.aws/sso/cache/" + Sha1Hex("acme") + ".json";
  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<FakeHttpClient> http_ = std::make_shared<FakeHttpClient>();
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
  std::shared_ptr<KeptWarnings> warnings_ = std::make_shared<KeptWarnings>();
};

TEST_F(SsoTokenTest, IsUsedAsItIsUntilFiveMinutesBeforeItsEnd) {
  LoggedIn("2026-01-02T03:09:06Z");
  EXPECT_EQ(Token(), "old-token");
  EXPECT_THAT(http_->requests(), IsEmpty());
}

TEST_F(SsoTokenTest, IsRenewedAndKeptWithWhateverElseTheFileHolds) {
  LoggedIn("2026-01-02T03:09:05Z");
  http_->Script({Answer(200, kRenewed)});
  EXPECT_EQ(Token(), "new-token");
  const auto request = http_->requests().at(0);
  EXPECT_EQ(request.request.endpoint.Url(), "https://oidc.eu-west-1.amazonaws.com");
  EXPECT_EQ(request.request.method, "POST");
  EXPECT_EQ(request.request.path, "/token");
  EXPECT_EQ(request.Header("content-type"), "application/json");
  EXPECT_EQ(request.body,
            R"({"clientId":"c1ient","clientSecret":"c1ient-secret","refreshToken":"old-refresh",)"
            R"("grantType":"refresh_token"})");
  EXPECT_EQ(InFile("accessToken"), R"("new-token")");
  EXPECT_EQ(InFile("refreshToken"), R"("new-refresh")");
  EXPECT_EQ(InFile("expiresAt"), R"("2026-01-02T11:04:05Z")");
  EXPECT_EQ(InFile("clientSecret"), R"("c1ient-secret")");
  EXPECT_EQ(InFile("another"), R"({"kept":[1]})");
  // And is what the next one finds.
  EXPECT_EQ(Token(), "new-token");
  EXPECT_EQ(http_->requests().size(), 1U);
}

TEST_F(SsoTokenTest, AnAnswerWithoutARefreshTokenKeepsTheOldOne) {
  LoggedIn("2026-01-01T00:00:00Z");
  http_->Script({Answer(200, R"({"accessToken":"new-token","expiresIn":60})")});
  EXPECT_EQ(Token(), "new-token");
  EXPECT_EQ(InFile("refreshToken"), R"("old-refresh")");
}

TEST_F(SsoTokenTest, OneThatCannotBeRenewedYetIsUsedWithAWarning) {
  LoggedIn("2026-01-02T03:05:00Z");
  http_->Script({Answer(400, R"({"error":"invalid_grant","error_description":"not any more"})")});
  EXPECT_EQ(Token(), "old-token");
  ASSERT_EQ(warnings_->texts().size(), 1U);
  EXPECT_THAT(warnings_->texts()[0],
              AllOf(HasSubstr("expires at 2026-01-02T03:05:00Z"), HasSubstr("not any more"),
                    HasSubstr("aws sso login --profile p")));
}

TEST_F(SsoTokenTest, OneThatHasExpiredAndCannotBeRenewedSaysHowToLogIn) {
  LoggedIn("2026-01-02T03:00:00Z");
  const auto refusal = [this](FakeOutcome outcome, ErrorKind kind) {
    http_->Script({std::move(outcome)});
    const auto token = Token();
    EXPECT_EQ(token.error().kind, kind);
    EXPECT_THAT(token.error().message, AllOf(HasSubstr("expired at 2026-01-02T03:00:00Z"),
                                             HasSubstr("run `aws sso login --profile p`"),
                                             Not(HasSubstr("old-")), Not(HasSubstr("secret"))));
    return token.error().message;
  };
  EXPECT_THAT(refusal(Answer(400, R"({"error":"invalid_grant"})"), ErrorKind::kUnauthenticated),
              HasSubstr("oidc.eu-west-1.amazonaws.com:443 answered with HTTP status 400: "
                        "invalid_grant"));
  EXPECT_THAT(refusal(Answer(503, ""), ErrorKind::kUnavailable), HasSubstr("HTTP status 503"));
  EXPECT_THAT(refusal(Answer(200, R"({"expiresIn":1})"), ErrorKind::kUnauthenticated),
              HasSubstr("no token"));
  refusal(Failure(ErrorKind::kTimeout), ErrorKind::kTimeout);
}

TEST_F(SsoTokenTest, AfterTheEndOfTheRegistrationNobodyIsAsked) {
  LoggedIn("2026-01-02T03:05:00Z", "2026-01-02T03:04:05Z");
  EXPECT_EQ(Token(), "old-token");
  LoggedIn("2026-01-02T03:00:00Z", "2026-01-02T03:04:05Z");
  EXPECT_THAT(Token().error().message, HasSubstr("expired at 2026-01-02T03:00:00Z; run"));
  EXPECT_THAT(http_->requests(), IsEmpty());
}

// A refresh token is good once, and another process has just used it.
TEST_F(SsoTokenTest, WhatAnotherProcessRenewedIsUsed) {
  LoggedIn("2026-01-02T03:00:00Z");
  auto refused = Answer(400, R"({"error":"invalid_grant"})");
  refused.meanwhile = [this] {
    environment_->files[kPath] = R"({"accessToken":"theirs","expiresAt":"2026-01-02T11:00:00Z"})";
  };
  http_->Script({refused});
  EXPECT_EQ(Token(), "theirs");
  EXPECT_THAT(warnings_->texts(), IsEmpty());
}

TEST_F(SsoTokenTest, ATokenThatCannotBeKeptIsUsedAllTheSame) {
  LoggedIn("2026-01-02T03:00:00Z");
  environment_->files_are_read_only = true;
  http_->Script({Answer(200, kRenewed)});
  EXPECT_EQ(Token(), "new-token");
  ASSERT_EQ(warnings_->texts().size(), 1U);
  EXPECT_THAT(warnings_->texts()[0], HasSubstr("cannot be kept"));
}

}  // namespace
}  // namespace gluecat::aws
