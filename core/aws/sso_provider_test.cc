#include "core/aws/sso_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aws/crypto.h"
#include "core/aws/fakes_testing.h"
#include "core/aws/profile_provider.h"

namespace gluecat::aws {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kStart[] = "https://acme.awsapps.com/start";
constexpr char kAnswer[] =
    R"({"roleCredentials":{"accessKeyId":"ASIASSO","secretAccessKey":"s","sessionToken":"t",)"
    R"("expiration":1767326645000}})";

// A session of one's own, and the properties in the profile itself, as older versions wrote them.
constexpr char kConfig[] =
    "[sso-session acme]\nsso_region = eu-west-1\n"
    "sso_start_url = https://acme.awsapps.com/start\n"
    "[profile modern]\nsso_session = acme\nsso_account_id = 111111111111\n"
    "sso_role_name = Data Reader\n"
    "[profile legacy]\nsso_region = eu-west-1\nsso_start_url = https://acme.awsapps.com/start\n"
    "sso_account_id = 111111111111\nsso_role_name = Data Reader\n";

class SsoTest : public testing::Test {
 protected:
  SsoTest() { environment_->variables["HOME"] = "/h"; }

  void Token(const std::string& cache_key, const std::string& text) {
    environment_->files["/h/.aws/sso/cache/" + Sha1Hex(cache_key) + ".json"] = text;
  }
  Result<Credentials> With(const std::string& profile, const std::string& config = kConfig) {
    environment_->files["/h/.aws/config"] = config;
    environment_->variables["AWS_PROFILE"] = profile;
    return ProfileProvider({.http = http_,
                            .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                            .environment = environment_},
                           "eu-central-1")
        .Resolve({});
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<FakeHttpClient> http_ = std::make_shared<FakeHttpClient>();
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
};

constexpr char kToken[] = R"({"accessToken":"t0ken","expiresAt":"2026-01-02T09:00:00Z"})";

TEST_F(SsoTest, FileNamesAreSha1) {
  EXPECT_EQ(Sha1Hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST_F(SsoTest, ATokenOfASessionAndALegacyOne) {
  for (const auto& [profile, cache_key] :
       {std::pair<const char*, const char*>{"modern", "acme"}, {"legacy", kStart}}) {
    environment_->files.clear();
    Token(cache_key, kToken);
    http_->Script({Answer(200, kAnswer)});
    const auto result = With(profile);
    ASSERT_TRUE(result) << result.error().message;
    const Credentials expected{
        .access_key_id = "ASIASSO",
        .secret_access_key = "s",
        .session_token = "t",
        .expiration = *ParseIso8601("2026-01-02T04:04:05Z"),
        .account_id = "111111111111",
        .provider = "IAM Identity Center, the role Data Reader of account 111111111111"};
    EXPECT_EQ(result, expected);
    const auto request = http_->requests().back();
    EXPECT_EQ(request.request.endpoint.Url(), "https://portal.sso.eu-west-1.amazonaws.com");
    EXPECT_EQ(request.request.path,
              "/federation/credentials?role_name=Data%20Reader&account_id=111111111111");
    EXPECT_EQ(request.Header("x-amz-sso_bearer_token"), "t0ken");
    EXPECT_FALSE(request.request.bypass_proxy);
  }
}

TEST_F(SsoTest, WithoutAGoodTokenItSaysHowToLogIn) {
  const auto refusal = [this](const std::string& text) {
    if (!text.empty()) Token("acme", text);
    const auto result = With("modern");
    EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
    EXPECT_THAT(result.error().message, HasSubstr("run `aws sso login --profile modern`"));
    EXPECT_THAT(result.error().message, Not(HasSubstr("t0ken")));
    return result.error().message;
  };
  EXPECT_THAT(refusal(""), HasSubstr("has no SSO token"));
  EXPECT_THAT(refusal("t0ken"), HasSubstr("is not JSON"));
  EXPECT_THAT(refusal(R"({"accessToken":"t0ken"})"), HasSubstr("holds no SSO token"));
  EXPECT_THAT(refusal(R"({"accessToken":"t0ken","expiresAt":"2026-01-02T03:04:05Z"})"),
              HasSubstr("expired at 2026-01-02T03:04:05Z"));
  EXPECT_TRUE(http_->requests().empty());
  http_->Script({Answer(401, R"({"message":"Session token not found or invalid"})")});
  EXPECT_THAT(refusal(kToken), HasSubstr("Session token not found"));
}

TEST_F(SsoTest, ARoleThatIsNotGiven) {
  Token("acme", kToken);
  http_->Script({Answer(403, R"({"message":"No access"})")});
  const auto result = With("modern");
  EXPECT_EQ(result.error().kind, ErrorKind::kAccessDenied);
  EXPECT_THAT(result.error().message, HasSubstr("Data Reader of account 111111111111"));
  http_->Script({Answer(200, R"({"roleCredentials":{"accessKeyId":"A"}})")});
  EXPECT_EQ(With("modern").error().kind, ErrorKind::kInvalidData);
}

TEST_F(SsoTest, IncompleteProfilesNameWhatIsMissing) {
  const auto refusal = [this](const std::string& properties) {
    const auto result = With("p", std::string(kConfig) + "[profile p]\n" + properties);
    EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
    return result.error().message;
  };
  EXPECT_THAT(refusal("sso_account_id=1\n"), HasSubstr("has no sso_region"));
  EXPECT_THAT(refusal("sso_session=acme\nsso_account_id=1\n"), HasSubstr("has no sso_role_name"));
  EXPECT_THAT(refusal("sso_session=acme\n"), HasSubstr("has no sso_account_id"));
  EXPECT_THAT(refusal("sso_session=none\nsso_account_id=1\n"), HasSubstr("[sso-session none]"));
  EXPECT_THAT(
      refusal("sso_session=acme\nsso_account_id=1\nsso_role_name=r\nsso_region=us-east-1\n"),
      HasSubstr("contradict each other in sso_region"));
}

}  // namespace
}  // namespace gluecat::aws
