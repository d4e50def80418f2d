#include "core/aws/instance_metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aws/fakes_testing.h"
#include "core/aws/instance_provider.h"

namespace gluecat::aws {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr char kCredentials[] =
    R"({"Code":"Success","Type":"AWS-HMAC","AccessKeyId":"ASIANODE","SecretAccessKey":"s",)"
    R"("Token":"t","LastUpdated":"2026-01-02T03:00:00Z","Expiration":"2026-01-02T09:04:05Z"})";

class InstanceMetadataTest : public testing::Test {
 protected:
  InstanceMetadataTest()
      : metadata_(std::make_unique<InstanceMetadata>(ClientRuntime{
            .http = http_,
            .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_, [] { return 0.0; }),
            .environment = environment_})) {}

  Result<Credentials> Ask(std::vector<FakeOutcome> outcomes) {
    http_->Script(std::move(outcomes));
    return metadata_->RoleCredentials({});
  }
  std::vector<std::string> Asked() const {
    std::vector<std::string> lines;
    for (const auto& r : http_->requests())
      lines.push_back(r.request.method + " " + r.request.path);
    return lines;
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<FakeHttpClient> http_ = std::make_shared<FakeHttpClient>();
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
  std::unique_ptr<InstanceMetadata> metadata_;
};

TEST_F(InstanceMetadataTest, AsksForATokenTheRoleAndItsCredentials) {
  const auto result =
      Ask({Answer(200, "session-token"), Answer(200, "etl role\n"), Answer(200, kCredentials)});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->access_key_id, "ASIANODE");
  EXPECT_EQ(result->session_token, "t");
  EXPECT_EQ(result->expiration, clock_->Now() + std::chrono::hours(6));
  EXPECT_EQ(result->provider, "instance role etl role");
  EXPECT_THAT(Asked(), ElementsAre("PUT /latest/api/token",
                                   "GET /latest/meta-data/iam/security-credentials/",
                                   "GET /latest/meta-data/iam/security-credentials/etl%20role"));
  const auto requests = http_->requests();
  EXPECT_EQ(requests[0].request.endpoint.Url(), "http://169.254.169.254");
  EXPECT_EQ(requests[0].Header("x-aws-ec2-metadata-token-ttl-seconds"), "21600");
  EXPECT_EQ(requests[2].Header("x-aws-ec2-metadata-token"), "session-token");
  for (const auto& request : requests) EXPECT_TRUE(request.request.bypass_proxy);
}

TEST_F(InstanceMetadataTest, TheSessionTokenIsUsedAgainUntilItIsOldOrRefused) {
  ASSERT_TRUE(Ask({Answer(200, "one"), Answer(200, "r"), Answer(200, kCredentials)}));
  ASSERT_TRUE(Ask({Answer(200, "r"), Answer(200, kCredentials)}));
  clock_->Advance(std::chrono::hours(3));
  ASSERT_TRUE(Ask({Answer(200, "two"), Answer(200, "r"), Answer(200, kCredentials)}));
  ASSERT_TRUE(
      Ask({Answer(401, ""), Answer(200, "three"), Answer(200, "r"), Answer(200, kCredentials)}));
  EXPECT_EQ(http_->requests().back().Header("x-aws-ec2-metadata-token"), "three");
}

TEST_F(InstanceMetadataTest, GivesTheRegion) {
  http_->Script({Answer(200, "token"), Answer(200, "eu-central-1")});
  EXPECT_EQ(metadata_->Region({}), "eu-central-1");
  EXPECT_EQ(Asked().back(), "GET /latest/meta-data/placement/region");
  http_->Script({Answer(200, "<html>")});
  EXPECT_EQ(metadata_->Region({}).error().kind, ErrorKind::kInvalidData);
}

TEST_F(InstanceMetadataTest, DeclinesWhereThereIsNoneOrItKnowsNoRole) {
  struct Case {
    std::vector<FakeOutcome> outcomes;
    std::string mentions;
  };
  const std::vector<Case> cases = {{{Failure(ErrorKind::kUnavailable)}, "cannot be reached"},
                                   {{Failure(ErrorKind::kTimeout, 0, false)}, "cannot be reached"},
                                   {{Answer(403, "")}, "gives no session token"},
                                   {{Answer(404, "")}, "gives no session token"},
                                   {{Answer(200, "token"), Answer(404, "")}, "knows no role"},
                                   {{Answer(200, "")}, "knows no role"}};
  for (const auto& [outcomes, mentions] : cases) {
    const auto result = Ask(outcomes);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::kNotFound) << result.error().message;
    EXPECT_THAT(result.error().message, HasSubstr(mentions));
    EXPECT_THAT(result.error().message, HasSubstr("169.254.169.254:80"));
  }
}

TEST_F(InstanceMetadataTest, ASwitchedOffServiceIsNotAsked) {
  environment_->variables["AWS_EC2_METADATA_DISABLED"] = "True";
  EXPECT_EQ(metadata_->RoleCredentials({}).error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(metadata_->Region({}).error().message, HasSubstr("AWS_EC2_METADATA_DISABLED"));
  EXPECT_TRUE(http_->requests().empty());
}

TEST_F(InstanceMetadataTest, OneThatFailsIsAFailure) {
  auto result =
      Ask({Answer(200, "token"), Answer(200, "r"),
           Answer(200, R"({"Code":"AssumeRoleUnauthorizedAccess","Message":"no trust"})")});
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_THAT(result.error().message, HasSubstr("AssumeRoleUnauthorizedAccess: no trust"));
  result = Ask({Answer(200, "r"), Answer(200, R"({"SecretAccessKey":"S3CRET"})")});
  EXPECT_EQ(result.error().kind, ErrorKind::kInvalidData);
  EXPECT_THAT(result.error().message, Not(HasSubstr("S3CRET")));
  result = Ask({Answer(500, "")});
  EXPECT_EQ(result.error().kind, ErrorKind::kUnavailable);
}

// An HTTP client that takes a second for every answer, and notes how long it was given.
class SlowHttpClient final : public HttpClient {
 public:
  explicit SlowHttpClient(std::shared_ptr<FakeClock> clock) : clock_(std::move(clock)) {}
  Status Send(const HttpRequest&, const CallLimits& limits, HttpResponse& response) override {
    response.Clear();
    const auto left = *limits.deadline - clock_->SteadyNow();
    clock_->Advance(std::min<Duration>(left, std::chrono::seconds(1)));
    if (left <= std::chrono::seconds(1)) return Fail(ErrorKind::kTimeout, "the time is used up");
    response.status = 503;
    return {};
  }

 private:
  const std::shared_ptr<FakeClock> clock_;
};

TEST_F(InstanceMetadataTest, AllRequestsTogetherHaveTwoSeconds) {
  InstanceMetadata metadata({.http = std::make_shared<SlowHttpClient>(clock_),
                             .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                             .environment = environment_});
  const auto started = clock_->SteadyNow();
  EXPECT_FALSE(metadata.RoleCredentials({}));
  EXPECT_LE(clock_->SteadyNow() - started, std::chrono::seconds(2));
}

TEST_F(InstanceMetadataTest, ItMayBeElsewhere) {
  const auto url = [this]() -> std::string {
    const auto place = InstanceMetadata::Place(*environment_);
    return place ? place->Url() : place.error().message;
  };
  environment_->variables["HOME"] = "/h";
  environment_->files["/h/.aws/config"] =
      "[profile six]\nec2_metadata_service_endpoint_mode = IPv6\n"
      "[profile own]\nec2_metadata_service_endpoint = http://10.0.0.1:1338/prefix\n";
  EXPECT_EQ(url(), "http://169.254.169.254");
  environment_->variables["AWS_PROFILE"] = "six";
  EXPECT_EQ(url(), "http://[fd00:ec2::254]");
  environment_->variables["AWS_PROFILE"] = "own";
  EXPECT_EQ(url(), "http://10.0.0.1:1338/prefix");
  environment_->variables["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = "http://127.0.0.1:1338/";
  EXPECT_EQ(url(), "http://127.0.0.1:1338");
  environment_->system_properties["aws.ec2MetadataServiceEndpoint"] = "http://127.0.0.1:1339";
  EXPECT_EQ(url(), "http://127.0.0.1:1339");
  environment_->system_properties.clear();
  environment_->variables.erase("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  environment_->variables["AWS_PROFILE"] = "none";
  environment_->variables["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"] = "ipv6";
  EXPECT_EQ(url(), "http://[fd00:ec2::254]");
  environment_->variables["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"] = "IPv5";
  EXPECT_THAT(url(), HasSubstr("allowed is IPv4 or IPv6"));
}

}  // namespace
}  // namespace gluecat::aws
