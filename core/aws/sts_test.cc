#include "core/aws/sts.h"

#include <gtest/gtest.h>

#include "core/aws/fakes_testing.h"

namespace gluecat::aws {
namespace {

constexpr char kIdentityAnswer[] =
    R"(<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <GetCallerIdentityResult>
    <Arn>arn:aws:iam::111111111111:user/etl</Arn>
    <UserId>AIDAEXAMPLE</UserId>
    <Account>111111111111</Account>
  </GetCallerIdentityResult>
  <ResponseMetadata><RequestId>r-1</RequestId></ResponseMetadata>
</GetCallerIdentityResponse>)";

class GetCallerIdentityTest : public testing::Test {
 protected:
  Result<CallerIdentity> Ask(std::vector<FakeOutcome> outcomes) {
    http_->Script(std::move(outcomes));
    const ClientRuntime runtime{.http = http_,
                                .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                                .environment = std::make_shared<FixedEnvironment>()};
    StsClient sts(runtime, *ServiceEndpoint("sts", "eu-central-1"), "eu-central-1");
    return sts.GetCallerIdentity({.access_key_id = "AKID", .secret_access_key = "secret"}, {});
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<FakeHttpClient> http_ = std::make_shared<FakeHttpClient>();
};

TEST_F(GetCallerIdentityTest, SendsASignedRequestAndReadsTheAnswer) {
  const auto identity = Ask({Answer(200, kIdentityAnswer)});
  ASSERT_TRUE(identity) << identity.error().message;
  EXPECT_EQ(*identity, (CallerIdentity{.account = "111111111111",
                                       .arn = "arn:aws:iam::111111111111:user/etl",
                                       .user_id = "AIDAEXAMPLE"}));
  ASSERT_EQ(http_->requests().size(), 1U);
  const auto request = http_->requests()[0];
  EXPECT_EQ(request.body, "Action=GetCallerIdentity&Version=2011-06-15");
  EXPECT_EQ(request.request.endpoint.host, "sts.eu-central-1.amazonaws.com");
  EXPECT_TRUE(request.Header("authorization").starts_with("AWS4-HMAC-SHA256 Credential=AKID/"));
}

TEST_F(GetCallerIdentityTest, RefusedKeysAreUnauthenticated) {
  const auto identity = Ask({Answer(403,
                                    "<ErrorResponse><Error><Code>InvalidClientTokenId</Code>"
                                    "<Message>The security token is invalid.</Message></Error>"
                                    "<RequestId>r-2</RequestId></ErrorResponse>")});
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_EQ(identity.error().code, "InvalidClientTokenId");
}

TEST_F(GetCallerIdentityTest, AnAnswerThatIsNotStssIsInvalidData) {
  const auto identity = Ask({Answer(200, "<html>a proxy</html>")});
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().kind, ErrorKind::kInvalidData);
}

}  // namespace
}  // namespace gluecat::aws
