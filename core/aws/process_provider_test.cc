// credential_process, with scripted processes and with real ones.
#include "core/aws/process_provider.h"

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aws/fake_processes_testing.h"
#include "core/aws/fakes_testing.h"

namespace gluecat::aws {
namespace {

using testing::HasSubstr;
using testing::Not;

class ProcessProviderTest : public testing::Test {
 protected:
  Result<Credentials> Printing(const std::string& output, int exit_status = 0) {
    processes_->outcome = ProcessOutcome{.exit_status = exit_status, .output = output};
    return Resolve();
  }
  Result<Credentials> Resolve(const CallLimits& limits = {}) {
    ClientRuntime runtime{.http = nullptr,
                          .retry = std::make_shared<RetryPolicy>(RetryOptions(), clock_),
                          .environment = std::make_shared<FixedEnvironment>()};
    runtime.processes = processes_;
    return ProcessProvider("/opt/get-keys --password hunter2", "111111111111", runtime)
        .Resolve(limits);
  }

  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<FakeProcesses> processes_ = std::make_shared<FakeProcesses>();
};

TEST_F(ProcessProviderTest, ReadsWhatIsPrinted) {
  const auto result = Printing(R"({"Version": 1, "AccessKeyId": "A", "SecretAccessKey": "S",
                                   "SessionToken": "T", "Expiration": "2026-01-02T04:04:05Z"})");
  ASSERT_TRUE(result) << result.error().message;
  const Credentials expected{.access_key_id = "A",
                             .secret_access_key = "S",
                             .session_token = "T",
                             .expiration = clock_->Now() + std::chrono::hours(1),
                             .account_id = "111111111111",
                             .provider = "credential_process /opt/get-keys"};
  EXPECT_EQ(result, expected);
  EXPECT_EQ(processes_->commands, std::vector<std::string>{"/opt/get-keys --password hunter2"});
}

TEST_F(ProcessProviderTest, LongLivedKeysHaveNeitherTokenNorExpiration) {
  const auto result = Printing(
      R"({"Version":1,"AccessKeyId":"A","SecretAccessKey":"S","AccountId":"222222222222"})");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->session_token, "");
  EXPECT_EQ(result->expiration, std::nullopt);
  EXPECT_EQ(result->account_id, "222222222222");
}

TEST_F(ProcessProviderTest, WhatIsNoCredentialsIsNamedButNotShown) {
  struct Case {
    std::string output;
    std::string mentions;
  };
  for (const auto& [output, mentions] : std::vector<Case>{
           {"", "not a JSON object"},
           {"Password: S3CRET", "not a JSON object"},
           {R"(["S3CRET"])", "not a JSON object"},
           {R"({"AccessKeyId":"A","SecretAccessKey":"S3CRET"})", "\"Version\": 1"},
           {R"({"Version":2,"AccessKeyId":"A","SecretAccessKey":"S3CRET"})", "\"Version\": 1"},
           {R"({"Version":1,"SecretAccessKey":"S3CRET"})", "no AccessKeyId"},
           {R"({"Version":1,"AccessKeyId":"S3CRET"})", "no SecretAccessKey"},
           {R"({"Version":1,"AccessKeyId":"A","SecretAccessKey":"S3CRET","Expiration":"soon"})",
            "Expiration"}}) {
    const auto result = Printing(output);
    ASSERT_FALSE(result) << output;
    EXPECT_EQ(result.error().kind, ErrorKind::kInvalidData);
    EXPECT_THAT(result.error().message, HasSubstr(mentions));
    EXPECT_THAT(result.error().message, HasSubstr("credential_process /opt/get-keys"));
    EXPECT_THAT(result.error().message, Not(HasSubstr("S3CRET")));
    EXPECT_THAT(result.error().message, Not(HasSubstr("hunter2")));
  }
}

TEST_F(ProcessProviderTest, FailuresOfTheProcessSayHowToLookIntoThem) {
  const auto failed = Printing("{}", 3);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_THAT(failed.error().message, HasSubstr("status 3; run it by hand"));
  const auto expired = Printing(
      R"({"Version":1,"AccessKeyId":"A","SecretAccessKey":"S","Expiration":"2026-01-02T03:04:05Z"})");
  ASSERT_FALSE(expired);
  EXPECT_EQ(expired.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_THAT(expired.error().message, HasSubstr("expired at 2026-01-02T03:04:05Z"));
  processes_->outcome = std::unexpected(MakeError(ErrorKind::kTimeout, "it was killed"));
  const auto late = Resolve();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, ErrorKind::kTimeout);
  EXPECT_EQ(late.error().message, "credential_process /opt/get-keys: it was killed");
}

TEST_F(ProcessProviderTest, HasAMinuteOrWhatTheCallHas) {
  EXPECT_FALSE(Resolve());
  EXPECT_EQ(processes_->deadline, clock_->SteadyNow() + std::chrono::minutes(1));
  CallLimits limits;
  limits.deadline = clock_->SteadyNow() + std::chrono::seconds(5);
  EXPECT_FALSE(Resolve(limits));
  EXPECT_EQ(processes_->deadline, limits.deadline);
}

class SystemProcessesTest : public testing::Test {
 protected:
  static CallLimits Within(std::chrono::milliseconds time) {
    CallLimits limits;
    limits.deadline = std::chrono::steady_clock::now() + time;
    return limits;
  }
  const std::shared_ptr<ProcessRunner> processes_ = SystemProcesses();
};

TEST_F(SystemProcessesTest, GivesOutputAndStatus) {
  const auto ended = processes_->Run("printf 'a b'; exit 7", 100, {});
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->output, "a b");
  EXPECT_EQ(ended->exit_status, 7);
  EXPECT_EQ(processes_->Run("kill -9 $$", 100, {})->exit_status, 137);
  EXPECT_EQ(processes_->Run("/no/such/program 2>/dev/null", 100, {})->exit_status, 127);
}

TEST_F(SystemProcessesTest, HasNoInputAndNoneOfOurFiles) {
  EXPECT_EQ(processes_->Run("cat", 100, Within(std::chrono::seconds(10)))->output, "");
  // Standard streams, and the one that ls itself opens.
  EXPECT_EQ(processes_->Run("ls /proc/self/fd | wc -l", 100, {})->output, "4\n");
}

TEST_F(SystemProcessesTest, OneThatHangsIsKilledWithItsChildren) {
  const auto started = std::chrono::steady_clock::now();
  const auto hung =
      processes_->Run("sleep 1000 & echo $!; wait", 100, Within(std::chrono::milliseconds(50)));
  ASSERT_FALSE(hung);
  EXPECT_EQ(hung.error().kind, ErrorKind::kTimeout);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(10));
}

TEST_F(SystemProcessesTest, ACallerMayGiveUp) {
  CancellationSource source;
  source.Cancel();
  CallLimits limits;
  limits.cancellation = source.token();
  EXPECT_EQ(processes_->Run("sleep 1000", 100, limits).error().kind, ErrorKind::kCancelled);
}

TEST_F(SystemProcessesTest, MuchOutputIsCutOff) {
  const auto flood = processes_->Run("head -c 10000000 /dev/zero", 64'000, {});
  ASSERT_FALSE(flood);
  EXPECT_EQ(flood.error().kind, ErrorKind::kInvalidData);
  EXPECT_THAT(flood.error().message, HasSubstr("64000 bytes"));
  EXPECT_EQ(processes_->Run("head -c 64000 /dev/zero", 64'000, {})->output.size(), 64'000U);
}

TEST_F(SystemProcessesTest, OneThatLeavesAChildBehindHasEnded) {
  const auto ended = processes_->Run("sleep 5 & printf x", 100, Within(std::chrono::seconds(10)));
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->output, "x");
}

}  // namespace
}  // namespace gluecat::aws
