#include "core/aws/profile_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aws/fake_processes_testing.h"
#include "core/aws/fakes_testing.h"
#include "core/aws/sigv4.h"

namespace gluecat::aws {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string StsAnswer(const std::string& key) {
  return "<Credentials><AccessKeyId>" + key +
         "</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>"
         "<Expiration>2026-01-02T04:04:05Z</Expiration></Credentials>";
}

class ProfileProviderTest : public testing::Test {
 protected:
  Result<Credentials> With(const std::string& config, const std::string& profile = "default") {
    environment_->variables["HOME"] = "/h";
    environment_->files["/h/.aws/config"] = config;
    if (profile != "default") environment_->variables["AWS_PROFILE"] = profile;
    ClientRuntime runtime{.http = http_,
                          .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                          .environment = environment_};
    runtime.processes = processes_;
    return ProfileProvider(runtime, region_).Resolve({});
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<FakeHttpClient> http_ = std::make_shared<FakeHttpClient>();
  std::shared_ptr<FakeProcesses> processes_ = std::make_shared<FakeProcesses>();
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
  std::optional<std::string> region_ = "eu-central-1";
};

TEST_F(ProfileProviderTest, StaticKeys) {
  const auto result = With(
      "[profile p]\naws_access_key_id=A\naws_secret_access_key=S\naws_session_token=T\n"
      "aws_account_id=111111111111\n",
      "p");
  const Credentials expected{.access_key_id = "A",
                             .secret_access_key = "S",
                             .session_token = "T",
                             .account_id = "111111111111",
                             .provider = "profile p"};
  EXPECT_EQ(result, expected);
}

TEST_F(ProfileProviderTest, DeclinesWhereNobodyConfiguredAnything) {
  EXPECT_EQ(With("").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(With("[default]\nregion = eu-west-1\n").error().kind, ErrorKind::kNotFound);
}

TEST_F(ProfileProviderTest, AProfileAskedForMustExist) {
  const auto result = With("[default]\n", "missing");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_EQ(result.error().message,
            "there is no profile 'missing' in /h/.aws/config or /h/.aws/credentials");
}

TEST_F(ProfileProviderTest, HalfAKeyIsAFailure) {
  const auto result = With("[default]\naws_access_key_id=A\n");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_NE(result.error().message.find("aws_secret_access_key"), std::string::npos);
}

TEST_F(ProfileProviderTest, ABrokenFileIsAFailure) {
  EXPECT_EQ(With("[default\n").error().kind, ErrorKind::kInvalidData);
}

TEST_F(ProfileProviderTest, AssumesARoleWithAnotherProfile) {
  http_->Script({Answer(200, StsAnswer("ROLE"))});
  const auto result = With(
      "[profile r]\nrole_arn=arn:aws:iam::111111111111:role/r\nsource_profile=base\n"
      "external_id=ext\nrole_session_name=sess\nduration_seconds=1200\nregion=eu-west-3\n"
      "[profile base]\naws_access_key_id=A\naws_secret_access_key=S\n",
      "r");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->access_key_id, "ROLE");
  const auto request = http_->requests().at(0);
  EXPECT_EQ(request.request.endpoint.host, "sts.eu-west-3.amazonaws.com");
  EXPECT_NE(request.body.find("&RoleSessionName=sess&DurationSeconds=1200&ExternalId=ext"),
            std::string::npos);
  EXPECT_EQ(ParseAuthorization(request.Header("authorization"))->access_key_id, "A");
}

TEST_F(ProfileProviderTest, RolesCanBeChained) {
  http_->Script({Answer(200, StsAnswer("INNER")), Answer(200, StsAnswer("OUTER"))});
  const auto result = With(
      "[profile outer]\nrole_arn=arn:aws:iam::111111111111:role/outer\nsource_profile=inner\n"
      "[profile inner]\nrole_arn=arn:aws:iam::111111111111:role/inner\nsource_profile=base\n"
      "[profile base]\naws_access_key_id=A\naws_secret_access_key=S\n",
      "outer");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->access_key_id, "OUTER");
  EXPECT_EQ(ParseAuthorization(http_->requests().at(1).Header("authorization"))->access_key_id,
            "INNER");
}

TEST_F(ProfileProviderTest, AProfileMayBeItsOwnSource) {
  http_->Script({Answer(200, StsAnswer("ROLE"))});
  EXPECT_TRUE(
      With("[default]\nrole_arn=arn:aws:iam::111111111111:role/r\nsource_profile=default\n"
           "aws_access_key_id=A\naws_secret_access_key=S\n"));
}

TEST_F(ProfileProviderTest, TheEnvironmentMayBeTheSource) {
  environment_->variables["AWS_ACCESS_KEY_ID"] = "E";
  environment_->variables["AWS_SECRET_ACCESS_KEY"] = "S";
  http_->Script({Answer(200, StsAnswer("ROLE"))});
  EXPECT_TRUE(
      With("[default]\nrole_arn=arn:aws:iam::111111111111:role/r\n"
           "credential_source=Environment\n"));
  EXPECT_EQ(ParseAuthorization(http_->requests().at(0).Header("authorization"))->access_key_id,
            "E");
}

TEST_F(ProfileProviderTest, CirclesAndLongWaysEnd) {
  EXPECT_EQ(With("[profile a]\nrole_arn=arn:aws:iam::111111111111:role/a\nsource_profile=b\n"
                 "[profile b]\nrole_arn=arn:aws:iam::111111111111:role/b\nsource_profile=a\n",
                 "a")
                .error()
                .kind,
            ErrorKind::kUnauthenticated);
  std::string chain;
  for (int i = 0; i < 20; ++i) {
    chain += "[profile p" + std::to_string(i) + "]\nrole_arn=arn:aws:iam::111111111111:role/a\n" +
             "source_profile=p" + std::to_string(i + 1) + "\n";
  }
  const auto result = With(chain, "p0");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("too many profiles"), std::string::npos);
}

TEST_F(ProfileProviderTest, WhatIsIncompleteOrUnsupportedSaysSo) {
  const auto kind = [this](const std::string& properties) {
    const auto result = With("[default]\n" + properties + "[profile empty]\n");
    return result ? std::string("ok") : std::string(ErrorKindName(result.error().kind));
  };
  const std::string role = "role_arn=arn:aws:iam::111111111111:role/r\n";
  EXPECT_EQ(kind(role), "unauthenticated");
  EXPECT_EQ(kind(role + "source_profile=missing\n"), "unauthenticated");
  EXPECT_EQ(kind(role + "source_profile=empty\n"), "unauthenticated");
  EXPECT_EQ(kind(role + "source_profile=empty\ncredential_source=Environment\n"),
            "unauthenticated");
  EXPECT_EQ(kind(role + "credential_source=Elsewhere\n"), "unauthenticated");
  EXPECT_EQ(kind(role + "credential_source=Environment\nmfa_serial=x\n"), "unsupported");
  EXPECT_THAT(
      With("[default]\n" + role + "credential_source=Environment\nmfa_serial=x\n").error().message,
      AllOf(HasSubstr("profile 'default' has mfa_serial"), HasSubstr("nobody can be asked"),
            HasSubstr("aws sts get-session-token")));
  EXPECT_EQ(kind(role + "credential_source=Environment\nduration_seconds=1h\n"), "unauthenticated");
  EXPECT_EQ(kind(role + "credential_source=Environment\nduration_seconds=1\n"), "invalid_argument");
  EXPECT_EQ(kind("sso_session=x\n"), "unauthenticated");
  EXPECT_EQ(kind("sso_start_url=x\n"), "unauthenticated");
  region_.reset();
  EXPECT_EQ(kind(role + "credential_source=Environment\n"), "unauthenticated");
  EXPECT_TRUE(http_->requests().empty());
}

constexpr char kPrinted[] = R"({"Version":1,"AccessKeyId":"PROC","SecretAccessKey":"s"})";

TEST_F(ProfileProviderTest, ACommandGoesBeforeKeys) {
  processes_->outcome = ProcessOutcome{.output = kPrinted};
  const auto result = With(
      "[default]\naws_access_key_id=A\naws_secret_access_key=S\naws_account_id=111111111111\n"
      "credential_process = /opt/get-keys --for me\n");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->Describe(), "PROC from credential_process /opt/get-keys");
  EXPECT_EQ(result->account_id, "111111111111");
  EXPECT_EQ(processes_->commands, std::vector<std::string>{"/opt/get-keys --for me"});
  processes_->outcome->exit_status = 4;
  const auto failed = With("[default]\ncredential_process = /opt/get-keys\n");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_TRUE(failed.error().message.starts_with(
      "profile 'default': credential_process /opt/get-keys ended with status 4"))
      << failed.error().message;
}

TEST_F(ProfileProviderTest, ACommandMayBeTheSourceOfARole) {
  processes_->outcome = ProcessOutcome{.output = kPrinted};
  http_->Script({Answer(200, StsAnswer("ROLE"))});
  EXPECT_TRUE(
      With("[default]\nrole_arn=arn:aws:iam::111111111111:role/r\nsource_profile=base\n"
           "[profile base]\ncredential_process = /opt/get-keys\n"));
  EXPECT_EQ(ParseAuthorization(http_->requests().at(0).Header("authorization"))->access_key_id,
            "PROC");
}

TEST_F(ProfileProviderTest, AWebIdentityTokenGoesBeforeASourceProfile) {
  environment_->files["/t"] = "t0ken";
  http_->Script({Answer(200, StsAnswer("WEB"))});
  const auto result = With(
      "[default]\nrole_arn=arn:aws:iam::111111111111:role/r\nweb_identity_token_file=/t\n"
      "source_profile=none\nrole_session_name=sess\nduration_seconds=900\n");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->access_key_id, "WEB");
  EXPECT_EQ(http_->requests().at(0).body,
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15"
            "&RoleArn=arn%3Aaws%3Aiam%3A%3A111111111111%3Arole%2Fr&RoleSessionName=sess"
            "&WebIdentityToken=t0ken&DurationSeconds=900");
}

TEST_F(ProfileProviderTest, TheContainerOrTheInstanceMayBeTheSource) {
  const std::string role = "[default]\nrole_arn=arn:aws:iam::111111111111:role/r\n";
  const std::string keys = R"({"AccessKeyId":"META","SecretAccessKey":"s","Token":"t",)"
                           R"("Expiration":"2026-01-02T09:00:00Z"})";
  environment_->variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/c";
  http_->Script({Answer(200, keys), Answer(200, StsAnswer("ROLE"))});
  EXPECT_TRUE(With(role + "credential_source=EcsContainer\n"));
  http_->Script(
      {Answer(200, "token"), Answer(200, "r"), Answer(200, keys), Answer(200, StsAnswer("ROLE"))});
  EXPECT_TRUE(With(role + "credential_source=Ec2InstanceMetadata\n"));
  EXPECT_EQ(http_->requests().size(), 6U);
  for (const std::size_t sts : {1U, 5U}) {
    EXPECT_EQ(ParseAuthorization(http_->requests().at(sts).Header("authorization"))->access_key_id,
              "META");
  }
  // What is asked for by name and not there is a failure, not another identity.
  environment_->variables.erase("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  EXPECT_EQ(With(role + "credential_source=EcsContainer\n").error().kind,
            ErrorKind::kUnauthenticated);
}

}  // namespace
}  // namespace gluecat::aws
