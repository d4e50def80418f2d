// The providers that look at configuration only, the chain, and the pushed one.
#include <gtest/gtest.h>

#include "core/aws/chain_provider.h"
#include "core/aws/default_chain.h"
#include "core/aws/environment_provider.h"
#include "core/aws/fakes_testing.h"
#include "core/aws/pushed_provider.h"
#include "core/aws/system_properties_provider.h"
#include "core/base/environment.h"

namespace gluecat::aws {
namespace {

class ProvidersTest : public testing::Test {
 protected:
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
};

TEST_F(ProvidersTest, SystemProperties) {
  SystemPropertiesProvider provider(environment_);
  EXPECT_EQ(provider.Resolve({}).error().kind, ErrorKind::kNotFound);
  environment_->system_properties = {{"aws.accessKeyId", " A "}};
  const auto half = provider.Resolve({});
  EXPECT_EQ(half.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_NE(half.error().message.find("aws.secretAccessKey is not set"), std::string::npos);
  environment_->system_properties["aws.secretKey"] = "old name";
  EXPECT_EQ(provider.Resolve({})->secret_access_key, "old name");
  environment_->system_properties["aws.secretAccessKey"] = "S";
  environment_->system_properties["aws.sessionToken"] = "T";
  environment_->system_properties["aws.accountId"] = "111111111111";
  const Credentials expected{.access_key_id = "A",
                             .secret_access_key = "S",
                             .session_token = "T",
                             .account_id = "111111111111",
                             .provider = "system properties"};
  EXPECT_EQ(provider.Resolve({}), expected);
}

TEST_F(ProvidersTest, EnvironmentVariables) {
  EnvironmentProvider provider(environment_);
  EXPECT_EQ(provider.Resolve({}).error().kind, ErrorKind::kNotFound);
  environment_->variables = {{"AWS_SECRET_ACCESS_KEY", "S"}};
  const auto half = provider.Resolve({});
  EXPECT_EQ(half.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_NE(half.error().message.find("AWS_ACCESS_KEY_ID is not set"), std::string::npos);
  environment_->variables["AWS_ACCESS_KEY_ID"] = "A";
  environment_->variables["AWS_SESSION_TOKEN"] = "T";
  const Credentials expected{.access_key_id = "A",
                             .secret_access_key = "S",
                             .session_token = "T",
                             .provider = "environment"};
  EXPECT_EQ(provider.Resolve({}), expected);
}

TEST_F(ProvidersTest, WhatIsShownHoldsNoSecret) {
  const Credentials credentials{.access_key_id = "AKID",
                                .secret_access_key = "hunter2",
                                .session_token = "hunter3",
                                .provider = "environment"};
  EXPECT_EQ(credentials.Describe(), "AKID from environment");
}

std::shared_ptr<FakeProvider> Gives(const std::string& key) {
  return std::make_shared<FakeProvider>(
      [key](int) -> Result<Credentials> { return Credentials{.access_key_id = key}; });
}

std::shared_ptr<FakeProvider> Fails(ErrorKind kind, const std::string& name,
                                    const std::string& message) {
  return std::make_shared<FakeProvider>(
      [kind, message](int) -> Result<Credentials> { return Fail(kind, message); }, name);
}

TEST_F(ProvidersTest, ChainTakesTheFirstThatIsConfigured) {
  const auto last = Gives("C");
  ChainProvider chain({Fails(ErrorKind::kNotFound, "a", "not set"), Gives("B"), last});
  EXPECT_EQ(chain.Resolve({})->access_key_id, "B");
  EXPECT_EQ(last->calls(), 0);
}

TEST_F(ProvidersTest, ChainStopsAtAMemberThatFails) {
  const auto last = Gives("C");
  ChainProvider chain({Fails(ErrorKind::kNotFound, "a", "not set"),
                       Fails(ErrorKind::kTimeout, "b", "no answer"), last});
  const auto result = chain.Resolve({});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kTimeout);
  EXPECT_EQ(result.error().message, "credentials from b: no answer");
  EXPECT_EQ(last->calls(), 0);
}

TEST_F(ProvidersTest, ChainSaysWhyEveryMemberDeclined) {
  ChainProvider chain(
      {Fails(ErrorKind::kNotFound, "a", "x is not set"), Fails(ErrorKind::kNotFound, "b", "no y")});
  const auto result = chain.Resolve({});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_EQ(result.error().message,
            "no AWS credentials found; configure one of these sources, asked in this order: "
            "a: x is not set; b: no y");
}

// Every source of the default chain gives a key of its own; taking one away after
// the other shows their order, and what is asked for each.
TEST_F(ProvidersTest, DefaultChainHasTheOrderOfTheSdkForJava) {
  const auto http = std::make_shared<FakeHttpClient>();
  const ClientRuntime runtime{.http = http,
                              .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                              .environment = environment_};
  const auto metadata = [](const std::string& key) {
    return Answer(200, R"({"AccessKeyId":")" + key +
                           R"(","SecretAccessKey":"s","Token":"t",)"
                           R"("Expiration":"2026-01-02T04:04:05Z"})");
  };
  const auto resolve = [&](std::vector<FakeOutcome> outcomes) {
    http->Script(std::move(outcomes));
    const auto result = DefaultCredentialsChain(runtime, "eu-west-1")->Resolve({});
    return result ? result->access_key_id : result.error().message;
  };
  environment_->system_properties = {{"aws.accessKeyId", "PROPERTY"}, {"aws.secretAccessKey", "s"}};
  environment_->variables = {{"HOME", "/h"},
                             {"AWS_ACCESS_KEY_ID", "VARIABLE"},
                             {"AWS_SECRET_ACCESS_KEY", "s"},
                             {"AWS_WEB_IDENTITY_TOKEN_FILE", "/token"},
                             {"AWS_ROLE_ARN", "arn:aws:iam::111111111111:role/web"},
                             {"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/c"}};
  environment_->files = {
      {"/token", "t0ken"},
      {"/h/.aws/credentials", "[default]\naws_access_key_id=PROFILE\naws_secret_access_key=s\n"}};
  EXPECT_EQ(resolve({}), "PROPERTY");
  environment_->system_properties.clear();
  EXPECT_EQ(resolve({}), "VARIABLE");
  // Whoever has keys and a region waits for no metadata service.
  EXPECT_TRUE(http->requests().empty());
  environment_->variables.erase("AWS_ACCESS_KEY_ID");
  environment_->variables.erase("AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(resolve({Answer(200,
                            "<Credentials><AccessKeyId>WEB</AccessKeyId><SecretAccessKey>s"
                            "</SecretAccessKey><SessionToken>t</SessionToken><Expiration>"
                            "2026-01-02T04:04:05Z</Expiration></Credentials>")}),
            "WEB");
  environment_->variables.erase("AWS_WEB_IDENTITY_TOKEN_FILE");
  EXPECT_EQ(resolve({}), "PROFILE");
  environment_->files.clear();
  EXPECT_EQ(resolve({metadata("CONTAINER")}), "CONTAINER");
  environment_->variables.erase("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  EXPECT_EQ(resolve({Answer(200, "token"), Answer(200, "role"), metadata("INSTANCE")}), "INSTANCE");
  const auto none = resolve({Failure(ErrorKind::kUnavailable)});
  std::size_t from = 0;
  for (const char* reason : {"system properties: aws.accessKeyId is not set",
                             "environment: AWS_ACCESS_KEY_ID is not set",
                             "web identity: AWS_WEB_IDENTITY_TOKEN_FILE is not set",
                             "profile: there is no profile 'default'",
                             "container: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and "
                             "AWS_CONTAINER_CREDENTIALS_FULL_URI are not set",
                             "instance metadata: the instance metadata service at "
                             "169.254.169.254:80 cannot be reached"}) {
    from = none.find(reason, from);
    ASSERT_NE(from, std::string::npos) << reason << "\n" << none;
  }
}

TEST_F(ProvidersTest, AWebIdentityThatFailsIsNotReplacedByTheNodesRole) {
  const auto http = std::make_shared<FakeHttpClient>();
  environment_->variables = {{"AWS_WEB_IDENTITY_TOKEN_FILE", "/token"},
                             {"AWS_ROLE_ARN", "arn:aws:iam::111111111111:role/web"}};
  environment_->files["/token"] = "t0ken";
  http->Script({Answer(500, "")});
  const auto result =
      DefaultCredentialsChain({.http = http,
                               .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                               .environment = environment_},
                              "eu-west-1")
          ->Resolve({});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnavailable);
  EXPECT_TRUE(result.error().message.starts_with("credentials from web identity: "));
  for (const auto& request : http->requests()) {
    EXPECT_EQ(request.request.endpoint.host, "sts.eu-west-1.amazonaws.com");
  }
}

TEST_F(ProvidersTest, PushedCredentialsAreGivenUntilTheyExpire) {
  PushedProvider provider("com.example.Provider", clock_);
  EXPECT_EQ(provider.Resolve({}).error().message,
            "no credentials have come from com.example.Provider");
  provider.Push({.access_key_id = "A",
                 .expiration = clock_->Now() + std::chrono::minutes(1),
                 .provider = "ignored"});
  EXPECT_EQ(provider.Resolve({})->Describe(), "A from com.example.Provider");
  clock_->Advance(std::chrono::minutes(1));
  const auto expired = provider.Resolve({});
  ASSERT_FALSE(expired);
  EXPECT_EQ(expired.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_NE(expired.error().message.find("expired at 2026-01-02T03:05:05Z"), std::string::npos);
  provider.Push({.access_key_id = "B"});
  EXPECT_EQ(provider.Resolve({})->access_key_id, "B");
  provider.Invalidate({.access_key_id = "A"});
  EXPECT_TRUE(provider.Resolve({}));
  provider.Invalidate({.access_key_id = "B"});
  EXPECT_EQ(provider.Resolve({}).error().message,
            "the service refused the credentials from com.example.Provider as expired");
  provider.Push({.access_key_id = "C"});
  EXPECT_TRUE(provider.Resolve({}));
}

}  // namespace
}  // namespace gluecat::aws
