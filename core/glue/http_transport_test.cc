#include "core/glue/http_transport.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/aws/curl_http_client.h"
#include "core/aws/fakes_testing.h"
#include "core/aws/loopback_server_testing.h"
#include "core/aws/sigv4.h"
#include "core/aws/vectors_testing.h"

namespace gluecat::glue {
namespace {

using aws::Answer;
using aws::Failure;

std::string ErrorBody(const std::string& code) {
  return R"({"__type":")" + code + R"(","message":"m"})";
}

class HttpTransportTest : public testing::Test {
 protected:
  Result<std::string> Call(std::vector<aws::FakeOutcome> outcomes, CallContext context = {}) {
    http_->Script(std::move(outcomes));
    context.info = &info_;
    return transport_.Call("GetTable", R"({"Name":"t"})", context);
  }

  std::size_t requests() const { return http_->requests().size(); }

  std::shared_ptr<aws::FakeClock> clock_ = std::make_shared<aws::FakeClock>();
  std::shared_ptr<aws::FakeHttpClient> http_ = std::make_shared<aws::FakeHttpClient>();
  std::shared_ptr<aws::FakeProvider> credentials_ =
      std::make_shared<aws::FakeProvider>([](int call) -> Result<aws::Credentials> {
        return aws::Credentials{.access_key_id = "AKID" + std::to_string(call),
                                .secret_access_key = "secret",
                                .session_token = "token"};
      });
  HttpTransport transport_{{.endpoint = {"http", "127.0.0.1", 4566, "/base"},
                            .region = "eu-central-1",
                            .user_agent = "gluecat-test"},
                           http_,
                           credentials_,
                           std::make_shared<aws::RetryPolicy>(aws::RetryOptions(), clock_)};
  CallInfo info_;
};

TEST_F(HttpTransportTest, SpeaksJson11) {
  const auto answer = Call({Answer(200, R"({"Table":{}})")});
  EXPECT_EQ(answer, R"({"Table":{}})");
  const auto request = http_->requests().at(0);
  EXPECT_EQ(request.request.method, "POST");
  EXPECT_EQ(request.request.path, "/base/");
  EXPECT_EQ(request.body, R"({"Name":"t"})");
  EXPECT_EQ(request.Header("host"), "127.0.0.1:4566");
  EXPECT_EQ(request.Header("content-type"), "application/x-amz-json-1.1");
  EXPECT_EQ(request.Header("x-amz-target"), "AWSGlue.GetTable");
  EXPECT_EQ(request.Header("user-agent"), "gluecat-test");
  EXPECT_EQ(request.Header("x-amz-security-token"), "token");
  EXPECT_EQ(info_.attempts, 1);
  EXPECT_FALSE(info_.outcome_unknown);

  // As the server will check it.
  aws::SignableRequest received;
  received.method = "POST";
  received.path = request.request.path;
  received.headers = request.request.headers;
  received.body = request.body;
  const auto authorization = aws::ParseAuthorization(request.Header("authorization"));
  ASSERT_TRUE(authorization);
  EXPECT_EQ(authorization->scope.service, "glue");
  EXPECT_EQ(authorization->scope.region, "eu-central-1");
  EXPECT_EQ(aws::ExpectedSignature(received, *authorization, "secret"), authorization->signature);
}

// AWS's cases of the protocol that are not about (de)serializing shapes.
TEST_F(HttpTransportTest, RequestsLookAsAwssVectorsSay) {
  const auto document = aws::ReadAwsJsonVector("protocol/input.json");
  ASSERT_TRUE(document);
  int cases = 0;
  for (const auto& suite : document->root().Elements()) {
    for (const auto& test : suite["cases"].Elements()) {
      const std::string id = test["id"].StringOr("");
      if (id != "sends_requests_to_slash" && id != "includes_x_amz_target_and_content_type")
        continue;
      SCOPED_TRACE(id);
      ++cases;
      http_->Script({Answer(200, "{}")});
      ASSERT_TRUE(transport_.Call("EmptyOperation", "{}", {}));
      const auto sent = http_->requests().back();
      const JsonView expected = test["serialized"];
      EXPECT_EQ(sent.request.method, expected["method"].StringOr("POST"));
      EXPECT_EQ(sent.request.path, "/base" + expected["uri"].StringOr(""));
      for (const auto& [name, value] : expected["headers"].Members()) {
        // The vectors' service is called JsonProtocol.
        auto text = value.StringOr("");
        if (name == "X-Amz-Target") text = "AWSGlue" + text.substr(text.find('.'));
        EXPECT_EQ(sent.Header(name), text);
      }
    }
  }
  EXPECT_EQ(cases, 2);
}

TEST_F(HttpTransportTest, ErrorsOfTheServiceComeThrough) {
  const auto result =
      Call({Answer(400, ErrorBody("EntityNotFoundException"), {{"x-amzn-requestid", "id-1"}})});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(result.error().code, "EntityNotFoundException");
  EXPECT_EQ(result.error().http_status, 400);
  EXPECT_EQ(result.error().request_id, "id-1");
  EXPECT_EQ(requests(), 1U);
}

TEST_F(HttpTransportTest, ThrottlingIsRetriedThreeTimesInAll) {
  const auto result = Call({Answer(400, ErrorBody("ThrottlingException"))});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kThrottled);
  EXPECT_TRUE(result.error().retryable);
  EXPECT_EQ(requests(), 3U);
  EXPECT_EQ(info_.attempts, 3);
  EXPECT_FALSE(info_.outcome_unknown);
  EXPECT_TRUE(Call({Answer(400, ErrorBody("ThrottlingException")), Answer(200, "{}")}));
}

TEST_F(HttpTransportTest, WaitsAsLongAsTheServiceAsks) {
  EXPECT_TRUE(Call({Answer(503, "", {{"retry-after", "9"}}), Answer(200, "{}")}));
  EXPECT_EQ(clock_->sleeps(), std::vector<Duration>{std::chrono::seconds(9)});
}

TEST_F(HttpTransportTest, GluesOwnTransientErrorsAreRetried) {
  for (const char* code : {"ResourceNotReadyException", "OperationTimeoutException",
                           "FederationSourceRetryableException"}) {
    EXPECT_TRUE(Call({Answer(400, ErrorBody(code)), Answer(200, "{}")})) << code;
  }
  const auto before = requests();
  EXPECT_FALSE(Call({Answer(500, ErrorBody("GlueEncryptionException")), Answer(200, "{}")}));
  EXPECT_EQ(requests(), before + 1);
}

TEST_F(HttpTransportTest, ALostAnswerLeavesTheOutcomeUnknown) {
  // The create was carried out, its answer was lost, and the repetition finds the table.
  const auto result =
      Call({Failure(ErrorKind::kUnavailable, 1), Answer(400, ErrorBody("AlreadyExistsException"))});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kAlreadyExists);
  EXPECT_TRUE(info_.outcome_unknown);
  EXPECT_EQ(info_.attempts, 2);
}

TEST_F(HttpTransportTest, ARequestThatNeverLeftDoesNot) {
  const auto result =
      Call({Failure(ErrorKind::kUnavailable, 0), Answer(400, ErrorBody("AlreadyExistsException"))});
  ASSERT_FALSE(result);
  EXPECT_FALSE(info_.outcome_unknown);
  EXPECT_EQ(info_.attempts, 2);
}

TEST_F(HttpTransportTest, ARequestSentTwiceBelowUsLeavesTheOutcomeUnknown) {
  auto resent = Answer(400, ErrorBody("AlreadyExistsException"));
  resent.response.times_sent = 2;
  ASSERT_FALSE(Call({resent}));
  EXPECT_TRUE(info_.outcome_unknown);
}

TEST_F(HttpTransportTest, FiveHundredsLeaveTheOutcomeUnknown) {
  EXPECT_TRUE(Call({Answer(500, ErrorBody("InternalServiceException")), Answer(200, "{}")}));
  EXPECT_TRUE(info_.outcome_unknown);
}

TEST_F(HttpTransportTest, AWrongClockIsCorrectedOnce) {
  const auto skewed = [](const char* code) {
    return Answer(400, ErrorBody(code), {{"date", "Fri, 02 Jan 2026 04:04:05 GMT"}});
  };
  EXPECT_TRUE(Call({skewed("InvalidSignatureException"), Answer(200, "{}")}));
  EXPECT_EQ(http_->requests()[0].Header("x-amz-date"), "20260102T030405Z");
  EXPECT_EQ(http_->requests()[1].Header("x-amz-date"), "20260102T040405Z");
  EXPECT_TRUE(clock_->sleeps().empty());
  // Remembered: the next call is signed right at once, and if that is refused too
  // the clock is not the reason.
  EXPECT_FALSE(Call({skewed("RequestTimeTooSkewed")}));
  EXPECT_EQ(requests(), 3U);
  EXPECT_EQ(http_->requests()[2].Header("x-amz-date"), "20260102T040405Z");
}

TEST_F(HttpTransportTest, AWrongClockThatCannotBeCorrectedIsNamed) {
  HttpTransport transport(
      {.endpoint = {"http", "127.0.0.1", 1, ""}, .region = "r"}, http_, credentials_,
      std::make_shared<aws::RetryPolicy>(aws::RetryOptions{.max_attempts = 1}, clock_));
  http_->Script({Answer(400, ErrorBody("InvalidSignatureException"),
                        {{"date", "Fri, 02 Jan 2026 03:24:05 GMT"}}),
                 Answer(200, "{}")});
  const auto result = transport.Call("GetTable", "{}", {});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find(
                "the clock of this machine is 1200 s behind that of the service: set it right"),
            std::string::npos)
      << result.error().message;
  // And all the same it is corrected from now on.
  EXPECT_TRUE(transport.Call("GetTable", "{}", {}));
}

TEST_F(HttpTransportTest, ARequestTimeoutIsForEverythingTogether) {
  const auto slow = std::make_shared<aws::FakeProvider>([this](int) -> Result<aws::Credentials> {
    clock_->Advance(std::chrono::seconds(2));
    return Fail(ErrorKind::kTimeout, "STS is slow");
  });
  const HttpTransportOptions options{.endpoint = {"http", "127.0.0.1", 1, ""},
                                     .region = "r",
                                     .request_timeout = std::chrono::milliseconds(1500)};
  const auto retry = std::make_shared<aws::RetryPolicy>(aws::RetryOptions{.max_attempts = 100},
                                                        clock_, [] { return 0.99; });
  EXPECT_EQ(HttpTransport(options, http_, slow, retry).Call("GetTable", "{}", {}).error().message,
            "STS is slow (glue.request-timeout-ms limits it)");
  EXPECT_EQ(requests(), 0U);
  // Waits of 50, 100, 200, 400 and 800 ms at most.
  http_->Script({Answer(500, "{}")});
  const auto started = clock_->SteadyNow();
  EXPECT_FALSE(HttpTransport(options, http_, credentials_, retry).Call("GetTable", "{}", {}));
  EXPECT_LT(clock_->SteadyNow() - started, std::chrono::milliseconds(1500));
  EXPECT_EQ(requests(), 5U);
}

TEST_F(HttpTransportTest, AWrongSecretIsNotTakenForAWrongClock) {
  const auto result = Call({Answer(400, ErrorBody("InvalidSignatureException"),
                                   {{"date", "Fri, 02 Jan 2026 03:04:06 GMT"}})});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_EQ(requests(), 1U);
}

TEST_F(HttpTransportTest, ExpiredCredentialsAreRefreshedOnce) {
  EXPECT_TRUE(Call({Answer(400, ErrorBody("ExpiredTokenException")), Answer(200, "{}")}));
  EXPECT_EQ(credentials_->invalidated(), std::vector<std::string>{"AKID1"});
  const auto before = requests();
  const auto result = Call({Answer(400, ErrorBody("ExpiredTokenException"))});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_EQ(requests(), before + 2);
}

TEST_F(HttpTransportTest, WithoutCredentialsNothingIsSent) {
  auto none = std::make_shared<aws::FakeProvider>([](int) -> Result<aws::Credentials> {
    return Fail(ErrorKind::kUnauthenticated, "no AWS credentials found");
  });
  HttpTransport transport({.endpoint = {"http", "127.0.0.1", 1, ""}, .region = "r"}, http_, none,
                          std::make_shared<aws::RetryPolicy>(aws::RetryOptions(), clock_));
  EXPECT_EQ(transport.Call("GetTable", "{}", {}).error().kind, ErrorKind::kUnauthenticated);
  EXPECT_EQ(requests(), 0U);
}

TEST_F(HttpTransportTest, CancellationIsNotTheServicesError) {
  CancellationSource source;
  CallContext context;
  context.cancellation = source.token();
  auto throttled = Answer(400, ErrorBody("ThrottlingException"));
  throttled.meanwhile = [&source] { source.Cancel(); };
  const auto result = Call({throttled}, context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(requests(), 1U);
}

TEST_F(HttpTransportTest, ADeadlineStopsRetriesWithTheLastError) {
  CallContext context;
  context.deadline = clock_->SteadyNow();
  const auto result = Call({Answer(400, ErrorBody("ThrottlingException"))}, context);
  EXPECT_EQ(result.error().kind, ErrorKind::kThrottled);
  EXPECT_EQ(requests(), 1U);
}

TEST_F(HttpTransportTest, SuccessesThatAreNotGluesAreInvalidData) {
  for (const char* body : {"<html>Please log in</html>", "[1]", "null", "   "}) {
    const auto result = Call({Answer(200, body)});
    ASSERT_FALSE(result) << body;
    EXPECT_EQ(result.error().kind, ErrorKind::kInvalidData);
    EXPECT_NE(result.error().message.find("127.0.0.1:4566"), std::string::npos);
  }
  EXPECT_EQ(Call({Answer(302, "", {{"location", "http://elsewhere"}})}).error().kind,
            ErrorKind::kInvalidData);
  auto unframed = Answer(200, "");
  unframed.response.headers.clear();
  EXPECT_FALSE(Call({unframed}));
  EXPECT_EQ(Call({Answer(200, "")}), "{}");
  EXPECT_EQ(Call({Answer(200, " \n{ }")}), " \n{ }");
}

// Over real connections.
class HttpTransportOverLoopback : public testing::Test {
 protected:
  std::unique_ptr<HttpTransport> Transport(const aws::Endpoint& endpoint) const {
    return std::make_unique<HttpTransport>(
        HttpTransportOptions{.endpoint = endpoint, .region = "us-east-1"},
        std::make_shared<aws::CurlHttpClient>(aws::HttpClientOptions(),
                                              std::make_shared<FixedEnvironment>()),
        std::make_shared<aws::FakeProvider>([](int) -> Result<aws::Credentials> {
          return aws::Credentials{.access_key_id = "A", .secret_access_key = "S"};
        }),
        std::make_shared<aws::RetryPolicy>(aws::RetryOptions(),
                                           std::make_shared<aws::FakeClock>()));
  }
};

TEST_F(HttpTransportOverLoopback, AnUnreachableEndpointIsNamed) {
  const aws::Endpoint endpoint{"http", "127.0.0.1", aws::UnusedPort(), ""};
  CallInfo info;
  CallContext context;
  context.info = &info;
  const auto result = Transport(endpoint)->Call("GetTable", "{}", context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(result.error().message.find(endpoint.Authority()), std::string::npos);
  EXPECT_EQ(info.attempts, 3);
  EXPECT_FALSE(info.outcome_unknown);
}

TEST_F(HttpTransportOverLoopback, SurvivesAServerThatKeepsClosing) {
  // Every third request is read and dropped, on whatever connection it comes.
  std::atomic<int> count = 0;
  aws::LoopbackServer server([&count](const aws::LoopbackRequest&) {
    return ++count % 3 == 0 ? aws::LoopbackReply{"", aws::LoopbackReply::Then::kReset}
                            : aws::HttpReply(200, "{}");
  });
  const auto transport = Transport(server.endpoint());
  for (int i = 0; i < 20; ++i) {
    const auto result = transport->Call("GetTable", "{}", {});
    ASSERT_TRUE(result) << result.error().message;
  }
}

// Run under ThreadSanitizer too.
TEST_F(HttpTransportOverLoopback, ManyThreadsShareOneTransport) {
  aws::LoopbackServer server([](const aws::LoopbackRequest& request) {
    return aws::HttpReply(200, request.body, "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n");
  });
  const auto transport = Transport(server.endpoint());
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const std::string body = R"({"n":)" + std::to_string(t * 100 + i) + "}";
        if (transport->Call("GetTable", body, {}) == body) ++right;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 80);
}

}  // namespace
}  // namespace gluecat::glue
