#include "core/aws/assume_role_provider.h"

#include <gtest/gtest.h>

#include "core/aws/fakes_testing.h"
#include "core/aws/sigv4.h"

namespace gluecat::aws {
namespace {

constexpr char kRole[] = "arn:aws:iam::111111111111:role/glue-access";

constexpr char kAnswer[] = R"(<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleResult>
    <AssumedRoleUser>
      <AssumedRoleId>AROA:gluecat</AssumedRoleId>
      <Arn>arn:aws:sts::111111111111:assumed-role/glue-access/gluecat</Arn>
    </AssumedRoleUser>
    <Credentials>
      <AccessKeyId>ASIAROLE</AccessKeyId>
      <SecretAccessKey>se/c&#43;ret&amp;</SecretAccessKey>
      <SessionToken>token==</SessionToken>
      <Expiration>2026-01-02T04:04:05Z</Expiration>
    </Credentials>
  </AssumeRoleResult>
  <ResponseMetadata><RequestId>r-1</RequestId></ResponseMetadata>
</AssumeRoleResponse>)";

std::string StsError(const std::string& code, const std::string& message) {
  return "<ErrorResponse><Error><Type>Sender</Type><Code>" + code + "</Code><Message>" + message +
         "</Message></Error><RequestId>r-2</RequestId></ErrorResponse>";
}

class AssumeRoleTest : public testing::Test {
 protected:
  AssumeRoleTest() {
    options_.role_arn = kRole;
    options_.region = "eu-central-1";
    runtime_ = {.http = http_,
                .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                .environment = environment_};
  }

  Result<Credentials> Assume() {
    auto provider = AssumeRoleProvider::Create(options_, source_, runtime_);
    if (!provider) return Fail(provider.error());
    return (*provider)->Resolve({});
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<FakeHttpClient> http_ = std::make_shared<FakeHttpClient>();
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
  std::shared_ptr<FakeProvider> source_ =
      std::make_shared<FakeProvider>([](int call) -> Result<Credentials> {
        return Credentials{.access_key_id = "AKID" + std::to_string(call),
                           .secret_access_key = "secret",
                           .provider = "environment"};
      });
  ClientRuntime runtime_;
  AssumeRoleOptions options_;
};

TEST_F(AssumeRoleTest, SendsASignedRequestAndReadsTheAnswer) {
  options_.external_id = "ex id/1";
  options_.session_name = "my@session";
  options_.duration = std::chrono::seconds(900);
  http_->Script({Answer(200, kAnswer)});
  const auto credentials = Assume();
  ASSERT_TRUE(credentials) << credentials.error().message;
  EXPECT_EQ(credentials->access_key_id, "ASIAROLE");
  EXPECT_EQ(credentials->secret_access_key, "se/c+ret&");
  EXPECT_EQ(credentials->session_token, "token==");
  EXPECT_EQ(credentials->expiration, clock_->Now() + std::chrono::hours(1));
  EXPECT_EQ(credentials->account_id, "111111111111");
  EXPECT_EQ(credentials->Describe(),
            "ASIAROLE from role arn:aws:iam::111111111111:role/glue-access (assumed by AKID1 from "
            "environment)");

  const auto requests = http_->requests();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].request.endpoint.Url(), "https://sts.eu-central-1.amazonaws.com");
  EXPECT_EQ(requests[0].body,
            "Action=AssumeRole&Version=2011-06-15"
            "&RoleArn=arn%3Aaws%3Aiam%3A%3A111111111111%3Arole%2Fglue-access"
            "&RoleSessionName=my%40session&DurationSeconds=900&ExternalId=ex%20id%2F1");
  const auto authorization = ParseAuthorization(requests[0].Header("authorization"));
  ASSERT_TRUE(authorization);
  EXPECT_EQ(authorization->access_key_id, "AKID1");
  EXPECT_EQ(authorization->scope.service, "sts");
  EXPECT_EQ(authorization->scope.region, "eu-central-1");
}

TEST_F(AssumeRoleTest, TheEndpointCanBeElsewhere) {
  http_->Script({Answer(200, kAnswer)});
  environment_->variables["AWS_ENDPOINT_URL_STS"] = "http://127.0.0.1:5000/sts";
  ASSERT_TRUE(Assume());
  EXPECT_EQ(http_->requests()[0].request.endpoint.Authority(), "127.0.0.1:5000");
  EXPECT_EQ(http_->requests()[0].request.path, "/sts/");
  EXPECT_EQ(http_->requests()[0].Header("host"), "127.0.0.1:5000");
  options_.sts_endpoint = "http://127.0.0.1:6000";
  ASSERT_TRUE(Assume());
  EXPECT_EQ(http_->requests()[1].request.endpoint.Authority(), "127.0.0.1:6000");
}

TEST_F(AssumeRoleTest, DeniedNamesTheRoleAndWhoAsked) {
  http_->Script({Answer(403, StsError("AccessDenied", "User: x is not authorized"))});
  const auto result = Assume();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kAccessDenied);
  EXPECT_EQ(result.error().code, "AccessDenied");
  EXPECT_EQ(result.error().http_status, 403);
  EXPECT_EQ(result.error().request_id, "r-2");
  EXPECT_EQ(result.error().message, std::string("cannot assume the role ") + kRole +
                                        " as AKID1 from environment: User: x is not authorized");
  EXPECT_EQ(http_->requests().size(), 1U);
}

TEST_F(AssumeRoleTest, WrongKeysAreUnauthenticated) {
  http_->Script({Answer(403, StsError("InvalidClientTokenId", "The security token is invalid"))});
  EXPECT_EQ(Assume().error().kind, ErrorKind::kUnauthenticated);
  http_->Script({Answer(403, StsError("SignatureDoesNotMatch", "…"))});
  EXPECT_EQ(Assume().error().kind, ErrorKind::kUnauthenticated);
}

TEST_F(AssumeRoleTest, TroubleIsRetried) {
  http_->Script({Answer(400, StsError("Throttling", "slow")), Failure(ErrorKind::kUnavailable),
                 Answer(200, kAnswer)});
  EXPECT_TRUE(Assume());
  EXPECT_EQ(http_->requests().size(), 3U);
  http_->Script({Answer(500, "<html>oops</html>")});
  const auto result = Assume();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(http_->requests().size(), 6U);
}

TEST_F(AssumeRoleTest, AWrongClockIsCorrected) {
  http_->Script({Answer(403, StsError("SignatureDoesNotMatch", "Signature expired"),
                        {{"date", "Fri, 02 Jan 2026 05:04:05 GMT"}}),
                 Answer(200, kAnswer)});
  EXPECT_TRUE(Assume());
  EXPECT_EQ(http_->requests()[1].Header("x-amz-date"), "20260102T050405Z");
}

TEST_F(AssumeRoleTest, AnExpiredIdentityIsRefreshedOnce) {
  http_->Script({Answer(400, StsError("ExpiredToken", "expired")), Answer(200, kAnswer)});
  EXPECT_TRUE(Assume());
  EXPECT_EQ(source_->invalidated(), std::vector<std::string>{"AKID1"});
  http_->Script({Answer(400, StsError("ExpiredToken", "expired"))});
  EXPECT_EQ(Assume().error().kind, ErrorKind::kUnauthenticated);
  EXPECT_EQ(http_->requests().size(), 4U);
}

TEST_F(AssumeRoleTest, WithoutAnIdentityTheRoleIsNotDeclined) {
  source_ = std::make_shared<FakeProvider>(
      [](int) -> Result<Credentials> { return Fail(ErrorKind::kNotFound, "nothing is set"); });
  const auto result = Assume();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_EQ(result.error().message,
            std::string("to assume the role ") + kRole + ": nothing is set");
}

TEST_F(AssumeRoleTest, AnswersThatAreNotStssAreInvalidData) {
  for (const std::string& body :
       {std::string(), std::string("{}"), std::string(kAnswer).substr(0, 400),
        std::string("<html>login</html>"),
        std::string("<AccessKeyId>A</AccessKeyId><SecretAccessKey>S</SecretAccessKey>"
                    "<SessionToken>T</SessionToken><Expiration>soon</Expiration>")}) {
    http_->Script({Answer(200, body)});
    EXPECT_EQ(Assume().error().kind, ErrorKind::kInvalidData) << body;
  }
}

TEST_F(AssumeRoleTest, OptionsOutOfBoundsAreRefusedBeforeAnyCall) {
  const auto refused = [this](auto change) {
    AssumeRoleOptions options = options_;
    change(options);
    const auto provider = AssumeRoleProvider::Create(options, source_, runtime_);
    return !provider && provider.error().kind == ErrorKind::kInvalidArgument;
  };
  EXPECT_TRUE(refused([](auto& o) { o.role_arn = "glue-access"; }));
  EXPECT_TRUE(refused([](auto& o) { o.session_name = "a b"; }));
  EXPECT_TRUE(refused([](auto& o) { o.session_name = std::string(65, 'a'); }));
  EXPECT_TRUE(refused([](auto& o) { o.duration = std::chrono::seconds(899); }));
  EXPECT_TRUE(refused([](auto& o) { o.duration = std::chrono::seconds(43201); }));
  EXPECT_TRUE(refused([](auto& o) { o.external_id = "x"; }));
  EXPECT_TRUE(refused([](auto& o) { o.sts_endpoint = "sts.example.com"; }));
  EXPECT_TRUE(refused([](auto& o) { o.region = ""; }));
  EXPECT_TRUE(http_->requests().empty());
}

TEST(XmlElementText, FindsTextOfExactlyThatElement) {
  EXPECT_EQ(XmlElementText("<a><Code1>x</Code1><Code>y</Code></a>", "Code"), "y");
  EXPECT_EQ(XmlElementText("<Code a='b'> y\n</Code>", "Code"), "y");
  EXPECT_EQ(XmlElementText("<Code><b>x</b></Code><Code>y</Code>", "Code"), "y");
  EXPECT_EQ(XmlElementText("<Code></Code>", "Code"), "");
  for (const char* xml :
       {"", "<Code", "<Code>", "<Code>x", "<Code>x<", "<Code/>", "Code>x</Code>"}) {
    EXPECT_EQ(XmlElementText(xml, "Code"), std::nullopt) << xml;
  }
}

TEST(XmlElementText, ResolvesEntitiesAndLeavesTheRest) {
  const auto text = [](const std::string& raw) {
    return XmlElementText("<t>" + raw + "</t>", "t");
  };
  EXPECT_EQ(text("&lt;&amp;&gt;&quot;&apos;"), "<&>\"'");
  EXPECT_EQ(text("&#65;&#x42;&#xe9;&#x20AC;&#x1F600;"), "AB\u00e9\u20ac\U0001F600");
  EXPECT_EQ(text("&unknown; & &#xD800; &#; &#99999999999; &#0;"),
            "&unknown; & &#xD800; &#; &#99999999999; &#0;");
}

}  // namespace
}  // namespace gluecat::aws
