#include "core/aws/web_identity_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aws/fakes_testing.h"

namespace gluecat::aws {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kRole[] = "arn:aws:iam::111111111111:role/deploy";
constexpr char kAnswer[] =
    "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult>"
    "<SubjectFromWebIdentityToken>system:serviceaccount:etl</SubjectFromWebIdentityToken>"
    "<AssumedRoleUser><Arn>arn:aws:sts::111111111111:assumed-role/deploy/gluecat</Arn>"
    "</AssumedRoleUser><Credentials><AccessKeyId>ASIAWEB</AccessKeyId>"
    "<SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>"
    "<Expiration>2026-01-02T04:04:05Z</Expiration></Credentials>"
    "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>";

FakeOutcome StsError(int status, const std::string& code, const std::string& message) {
  return Answer(status, "<ErrorResponse><Error><Code>" + code + "</Code><Message>" + message +
                            "</Message></Error></ErrorResponse>");
}

class WebIdentityTest : public testing::Test {
 protected:
  WebIdentityTest() {
    environment_->variables = {{"AWS_WEB_IDENTITY_TOKEN_FILE", "/var/run/token"},
                               {"AWS_ROLE_ARN", kRole}};
    environment_->files["/var/run/token"] = "hea.der.t0ken\n";
  }

  Result<Credentials> Resolve() {
    return WebIdentityEnvironmentProvider(
               {.http = http_,
                .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                .environment = environment_},
               region_)
        .Resolve({});
  }
  Result<Credentials> Answering(std::vector<FakeOutcome> outcomes) {
    http_->Script(std::move(outcomes));
    return Resolve();
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<FakeHttpClient> http_ = std::make_shared<FakeHttpClient>();
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
  std::optional<std::string> region_ = "eu-central-1";
};

TEST_F(WebIdentityTest, TheTokenIsTheIdentityAndNothingIsSigned) {
  const auto result = Answering({Answer(200, kAnswer)});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->access_key_id, "ASIAWEB");
  EXPECT_EQ(result->account_id, "111111111111");
  EXPECT_EQ(result->expiration, clock_->Now() + std::chrono::hours(1));
  const auto request = http_->requests().at(0);
  EXPECT_EQ(request.request.endpoint.Url(), "https://sts.eu-central-1.amazonaws.com");
  EXPECT_EQ(request.body,
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15"
            "&RoleArn=arn%3Aaws%3Aiam%3A%3A111111111111%3Arole%2Fdeploy"
            "&RoleSessionName=gluecat&WebIdentityToken=hea.der.t0ken");
  EXPECT_EQ(request.Header("authorization"), "");
  EXPECT_EQ(request.Header("x-amz-date"), "");
  EXPECT_FALSE(request.request.bypass_proxy);
}

TEST_F(WebIdentityTest, SystemPropertiesGoBeforeTheEnvironment) {
  environment_->system_properties = {{"aws.webIdentityTokenFile", "/other"},
                                     {"aws.roleArn", "arn:aws:iam::222222222222:role/other"},
                                     {"aws.roleSessionName", "nightly"}};
  environment_->files["/other"] = "0ther";
  ASSERT_TRUE(Answering({Answer(200, kAnswer)}));
  EXPECT_THAT(http_->requests().at(0).body,
              HasSubstr("222222222222%3Arole%2Fother&RoleSessionName=nightly&"
                        "WebIdentityToken=0ther"));
}

TEST_F(WebIdentityTest, ARenewedTokenIsReadAgain) {
  ASSERT_TRUE(Answering({Answer(200, kAnswer)}));
  environment_->files["/var/run/token"] = "renewed";
  ASSERT_TRUE(Resolve());
  EXPECT_THAT(http_->requests().at(1).body, HasSubstr("WebIdentityToken=renewed"));
}

TEST_F(WebIdentityTest, DeclinesWithoutATokenFileOnly) {
  environment_->variables.erase("AWS_ROLE_ARN");
  auto result = Resolve();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_THAT(result.error().message, HasSubstr("AWS_ROLE_ARN"));
  environment_->variables.erase("AWS_WEB_IDENTITY_TOKEN_FILE");
  environment_->variables["AWS_ROLE_ARN"] = kRole;
  result = Resolve();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kNotFound);
  EXPECT_TRUE(http_->requests().empty());
}

TEST_F(WebIdentityTest, AFileThatIsNotThereOrEmptyIsAFailure) {
  environment_->files["/var/run/token"] = " \n";
  EXPECT_THAT(Resolve().error().message, HasSubstr("/var/run/token is empty"));
  environment_->files.clear();
  const auto result = Resolve();
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_THAT(result.error().message, HasSubstr("/var/run/token cannot be read"));
  EXPECT_TRUE(http_->requests().empty());
}

TEST_F(WebIdentityTest, EveryRefusalNamesRoleAndFileAndNotTheToken) {
  struct Case {
    FakeOutcome outcome;
    ErrorKind kind;
    std::string mentions;
    std::size_t requests;
  };
  const std::vector<Case> cases = {
      {StsError(400, "ExpiredTokenException", "Token expired"), ErrorKind::kUnauthenticated,
       "has stopped renewing it", 1},
      {StsError(400, "InvalidIdentityToken", "No provider"), ErrorKind::kUnauthenticated,
       "No provider", 1},
      {StsError(403, "AccessDenied", "Not authorized"), ErrorKind::kAccessDenied, "trust policy",
       1},
      {StsError(400, "IDPCommunicationError", "no keys"), ErrorKind::kUnavailable, "no keys", 3},
      {StsError(500, "InternalFailure", "oops"), ErrorKind::kUnavailable, "oops", 3},
      {Failure(ErrorKind::kUnavailable), ErrorKind::kUnavailable, "test failure", 3},
      {Answer(200, "<html>sign in</html>"), ErrorKind::kInvalidData, "no credentials", 1}};
  for (const auto& [outcome, kind, mentions, requests] : cases) {
    const auto before = http_->requests().size();
    const auto result = Answering({outcome});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, kind) << result.error().message;
    EXPECT_THAT(result.error().message, HasSubstr(mentions));
    EXPECT_THAT(result.error().message, HasSubstr(kRole));
    EXPECT_THAT(result.error().message, HasSubstr("/var/run/token"));
    EXPECT_THAT(result.error().message, Not(HasSubstr("t0ken")));
    EXPECT_EQ(http_->requests().size() - before, requests);
  }
}

TEST_F(WebIdentityTest, OptionsOutOfBoundsAreRefusedBeforeAnyCall) {
  environment_->variables["AWS_ROLE_SESSION_NAME"] = "a b";
  EXPECT_EQ(Resolve().error().kind, ErrorKind::kInvalidArgument);
  environment_->variables["AWS_ROLE_SESSION_NAME"] = "session";
  environment_->variables["AWS_ROLE_ARN"] = "deploy";
  EXPECT_EQ(Resolve().error().kind, ErrorKind::kInvalidArgument);
  environment_->variables["AWS_ROLE_ARN"] = kRole;
  region_.reset();
  EXPECT_EQ(Resolve().error().kind, ErrorKind::kUnauthenticated);
  EXPECT_TRUE(http_->requests().empty());
}

}  // namespace
}  // namespace gluecat::aws
