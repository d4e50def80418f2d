#include "cli/doctor.h"

#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/doctor_command.h"
#include "core/aws/fakes_testing.h"
#include "store/store_testing.h"

namespace gluecat::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr char kSecret[] = "0123SECRET456";

std::string IdentityAnswer(const std::string& account) {
  return "<GetCallerIdentityResult><Arn>arn:aws:iam::" + account +
         ":user/etl</Arn><UserId>AIDA</UserId><Account>" + account +
         "</Account></GetCallerIdentityResult>";
}

class DoctorTest : public testing::Test {
 protected:
  DoctorTest() {
    environment_->variables = {{"AWS_ACCESS_KEY_ID", "AKIAEXAMPLE00001"},
                               {"AWS_SECRET_ACCESS_KEY", kSecret},
                               {"AWS_REGION", "eu-central-1"},
                               {"HOME", "/home/me"}};
  }

  Diagnosis Ask(std::vector<aws::FakeOutcome> outcomes) {
    http_->Script(std::move(outcomes));
    return Diagnose(options_, {.environment = environment_,
                               .clock = clock_,
                               .make_http = [&](const auto&, const auto&) { return http_; }});
  }

  static const Step& Find(const Diagnosis& diagnosis, std::string_view name) {
    static const Step* const kNone = new Step;
    for (const Step& step : diagnosis.steps) {
      if (step.name == name) return step;
    }
    ADD_FAILURE() << "no step " << name;
    return *kNone;
  }

  static std::vector<std::string> States(const Diagnosis& diagnosis) {
    std::vector<std::string> states;
    states.reserve(diagnosis.steps.size());
    for (const Step& step : diagnosis.steps) {
      states.push_back(step.name + " " + std::string(StepStateName(step.state)));
    }
    return states;
  }

  static std::string Text(const Diagnosis& diagnosis, bool json) {
    std::ostringstream out;
    WriteDiagnosis(diagnosis, json, out);
    return out.str();
  }

  CatalogOptions options_;
  std::shared_ptr<aws::FakeClock> clock_ = std::make_shared<aws::FakeClock>();
  std::shared_ptr<aws::FakeHttpClient> http_ = std::make_shared<aws::FakeHttpClient>();
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
};

TEST_F(DoctorTest, EverythingWorks) {
  const auto diagnosis = Ask({aws::Answer(200, IdentityAnswer("111111111111")),
                              aws::Answer(200, R"({"DatabaseList":[]})")});
  EXPECT_TRUE(diagnosis.ok());
  EXPECT_THAT(States(diagnosis), ElementsAre("options ok", "region ok", "endpoint ok", "glue.id ok",
                                             "credentials ok", "identity ok", "access ok"));
  EXPECT_THAT(Find(diagnosis, "region").tried, ElementsAre(Attempt{"client.region", "not set"},
                                                           Attempt{"AWS_REGION", "eu-central-1"}));
  EXPECT_EQ(Find(diagnosis, "endpoint").result, "https://glue.eu-central-1.amazonaws.com");
  EXPECT_EQ(Find(diagnosis, "credentials").result, "access key ****0001, from environment");
  EXPECT_THAT(Find(diagnosis, "credentials").tried,
              ElementsAre(Attempt{"system properties", "aws.accessKeyId is not set"},
                          Attempt{"environment", "used"}));
  EXPECT_EQ(Find(diagnosis, "identity").result, "arn:aws:iam::111111111111:user/etl");
  EXPECT_EQ(http_->requests().size(), 2U);
  for (const bool json : {false, true}) {
    EXPECT_THAT(Text(diagnosis, json), Not(HasSubstr(kSecret)));
    EXPECT_THAT(Text(diagnosis, json), Not(HasSubstr("AKIAEXAMPLE")));
  }
  EXPECT_THAT(Text(diagnosis, false), HasSubstr("region: ok: eu-central-1\n"
                                                "    client.region  not set\n"
                                                "    AWS_REGION     eu-central-1\n"));
  EXPECT_TRUE(JsonDocument::Parse(Text(diagnosis, true)));
}

TEST_F(DoctorTest, ABadOptionEndsIt) {
  options_.conf = {"glue.skip-archive=maybe"};
  const auto diagnosis = Ask({});
  EXPECT_FALSE(diagnosis.ok());
  EXPECT_THAT(States(diagnosis), ElementsAre("options failed"));
  EXPECT_THAT(diagnosis.steps[0].result, HasSubstr("glue.skip-archive"));
}

TEST_F(DoctorTest, WithoutARegionItSaysWhatWasLookedAt) {
  environment_->variables.erase("AWS_REGION");
  const auto diagnosis = Ask({});
  EXPECT_THAT(States(diagnosis), ElementsAre("options ok", "region failed"));
  EXPECT_THAT(diagnosis.steps[1].tried, Contains(Attempt{"region of profile default", "not set"}));
  EXPECT_EQ(diagnosis.steps[1].tried.back().source, "instance metadata");
  EXPECT_THAT(diagnosis.steps[1].advice, HasSubstr("--region"));
}

TEST_F(DoctorTest, WithoutCredentialsItSaysWhatWasLookedAt) {
  environment_->variables.erase("AWS_ACCESS_KEY_ID");
  environment_->variables.erase("AWS_SECRET_ACCESS_KEY");
  const auto diagnosis = Ask({});
  const Step& step = Find(diagnosis, "credentials");
  EXPECT_EQ(step.state, StepState::kFailed);
  std::vector<std::string> sources;
  for (const Attempt& attempt : step.tried) sources.push_back(attempt.source);
  EXPECT_THAT(sources, ElementsAre("system properties", "environment", "web identity",
                                   "profile default", "container", "instance metadata"));
  EXPECT_EQ(diagnosis.steps.back().name, "credentials");
}

TEST_F(DoctorTest, ASourceThatFailsEndsTheSearch) {
  environment_->variables.erase("AWS_SECRET_ACCESS_KEY");
  const auto diagnosis = Ask({});
  const Step& step = Find(diagnosis, "credentials");
  EXPECT_EQ(step.state, StepState::kFailed);
  EXPECT_EQ(step.tried.back(), (Attempt{"environment", "failed"}));
  EXPECT_THAT(step.result, HasSubstr("AWS_SECRET_ACCESS_KEY"));
}

TEST_F(DoctorTest, TheInstanceSaysRegionAndIdentityWhereNobodyElseDoes) {
  environment_->variables = {{"HOME", "/home/me"}};
  const auto diagnosis = Ask({aws::Answer(200, "t0ken"), aws::Answer(200, "eu-north-1"),
                              aws::Answer(200, "t0ken"), aws::Answer(200, "etl"),
                              aws::Answer(200, R"({"AccessKeyId":"ASIAOFTHENODE0003",)"
                                               R"("SecretAccessKey":"0123SECRET456","Token":"t",)"
                                               R"("Expiration":"2026-01-02T09:04:05Z"})"),
                              aws::Answer(500, "")});
  EXPECT_EQ(Find(diagnosis, "region").tried.back(), (Attempt{"instance metadata", "eu-north-1"}));
  EXPECT_EQ(Find(diagnosis, "credentials").result,
            "access key ****0003, until 2026-01-02T09:04:05Z, from instance metadata");
  for (const bool json : {false, true}) {
    EXPECT_THAT(Text(diagnosis, json), Not(HasSubstr(kSecret)));
    EXPECT_THAT(Text(diagnosis, json), Not(HasSubstr("t0ken")));
  }
}

TEST_F(DoctorTest, TheNameOfAnEndpointSaysItsRegion) {
  options_.endpoint = "https://vpce-0a1b.glue.eu-west-1.vpce.amazonaws.com";
  const auto diagnosis = Ask({aws::Answer(200, R"({"DatabaseList":[]})")});
  EXPECT_EQ(Find(diagnosis, "region").tried.back(), (Attempt{"name of the endpoint", "eu-west-1"}));
  EXPECT_THAT(http_->requests().back().Header("authorization"), HasSubstr("/eu-west-1/glue/"));
}

TEST_F(DoctorTest, AProfileOfTheCommandLineGoesBeforeKeysOfTheEnvironment) {
  options_.profile = "other";
  environment_->variables["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/token";
  environment_->files["/home/me/.aws/config"] =
      "[profile other]\naws_access_key_id = AKIAOFTHEPROFILE\naws_secret_access_key = s\n";
  const auto diagnosis = Ask({aws::Answer(200, IdentityAnswer("222222222222")),
                              aws::Answer(200, R"({"DatabaseList":[]})")});
  EXPECT_TRUE(diagnosis.ok());
  EXPECT_THAT(Find(diagnosis, "credentials").result, HasSubstr("****FILE, from profile other"));
  for (const auto& request : http_->requests()) {
    EXPECT_THAT(request.Header("authorization"), HasSubstr("Credential=AKIAOFTHEPROFILE/"));
  }
}

TEST_F(DoctorTest, ARoleIsAssumedAndUsed) {
  options_.conf = {"client.assume-role.arn=arn:aws:iam::222222222222:role/reader"};
  const std::string assumed =
      "<AssumeRoleResult><Credentials><AccessKeyId>ASIAOFTHEROLE0002</AccessKeyId>"
      "<SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>"
      "<Expiration>2026-01-02T04:04:05Z</Expiration></Credentials></AssumeRoleResult>";
  const auto diagnosis =
      Ask({aws::Answer(200, assumed), aws::Answer(200, IdentityAnswer("222222222222")),
           aws::Answer(200, R"({"DatabaseList":[]})")});
  EXPECT_TRUE(diagnosis.ok());
  EXPECT_EQ(Find(diagnosis, "role").result,
            "assumed: access key ****0002, until 2026-01-02T04:04:05Z");
  ASSERT_EQ(http_->requests().size(), 3U);
  EXPECT_THAT(http_->requests()[2].Header("authorization"), HasSubstr("ASIAOFTHEROLE0002"));
}

TEST_F(DoctorTest, ARoleThatIsRefusedEndsIt) {
  options_.conf = {"client.assume-role.arn=arn:aws:iam::222222222222:role/reader"};
  const auto diagnosis =
      Ask({aws::Answer(403,
                       "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you"
                       "</Message></Error></ErrorResponse>")});
  EXPECT_EQ(diagnosis.steps.back().name, "role");
  EXPECT_EQ(diagnosis.steps.back().state, StepState::kFailed);
  EXPECT_THAT(diagnosis.steps.back().advice, HasSubstr("trust policy"));
}

TEST_F(DoctorTest, DeniedSaysWhomToAllowWhat) {
  options_.glue_id = "333333333333";
  const auto diagnosis =
      Ask({aws::Answer(200, IdentityAnswer("111111111111")),
           aws::Answer(400, R"({"__type":"AccessDeniedException","Message":"no"})")});
  EXPECT_FALSE(diagnosis.ok());
  const Step& step = Find(diagnosis, "access");
  EXPECT_THAT(step.result, HasSubstr("AccessDeniedException"));
  EXPECT_THAT(step.advice, HasSubstr("glue:GetDatabases to arn:aws:iam::111111111111:user/etl"));
  EXPECT_THAT(Find(diagnosis, "identity").tried.back().result, HasSubstr("333333333333"));
  EXPECT_THAT(http_->requests().back().body, HasSubstr(R"("CatalogId":"333333333333")"));
}

TEST_F(DoctorTest, AnEndpointThatIsNotAwssIsNotReportedToAwssSts) {
  options_.endpoint = "http://127.0.0.1:4566";
  const auto diagnosis = Ask({aws::Answer(200, R"({"DatabaseList":[]})")});
  EXPECT_TRUE(diagnosis.ok());
  EXPECT_EQ(Find(diagnosis, "identity").state, StepState::kSkipped);
  ASSERT_EQ(http_->requests().size(), 1U);
  EXPECT_EQ(http_->requests()[0].request.endpoint.host, "127.0.0.1");
}

TEST_F(DoctorTest, APasswordInAnEndpointIsNotShown) {
  environment_->variables["AWS_ENDPOINT_URL"] = "http://me:pass-word@host:1";
  const auto diagnosis = Ask({});
  EXPECT_FALSE(diagnosis.ok());
  EXPECT_THAT(Text(diagnosis, false), Not(HasSubstr("pass-word")));
}

TEST_F(DoctorTest, ALocalDirectoryNeedsNoCredentials) {
  std::string pattern = (store::FastTemporaryDirectory() / "gluecat-doctor-XXXXXX").string();
  const char* const made = mkdtemp(pattern.data());
  ASSERT_NE(made, nullptr);
  const std::string directory = made;
  environment_->variables.clear();
  options_.endpoint = "local:" + directory;
  const auto diagnosis = Ask({});
  EXPECT_TRUE(diagnosis.ok()) << Text(diagnosis, false);
  EXPECT_THAT(States(diagnosis),
              ElementsAre("options ok", "region ok", "endpoint ok", "glue.id ok", "access ok"));
  EXPECT_EQ(Find(diagnosis, "glue.id").result, store::kDefaultAccount);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace gluecat::cli
