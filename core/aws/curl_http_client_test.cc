#include "core/aws/curl_http_client.h"

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/aws/loopback_server_testing.h"
#include "core/aws/retry.h"
#include "core/base/environment.h"

namespace gluecat::aws {
namespace {

using Then = LoopbackReply::Then;
using std::chrono::milliseconds;

class CurlHttpClientTest : public testing::Test {
 protected:
  std::unique_ptr<CurlHttpClient> Client(const HttpClientOptions& options = {}) const {
    return std::make_unique<CurlHttpClient>(options, environment_);
  }

  static HttpRequest RequestTo(const Endpoint& endpoint, std::string_view body = "{}") {
    HttpRequest request;
    request.endpoint = endpoint;
    request.path = endpoint.path + "/";
    request.headers = {{"Host", endpoint.HostHeader()}, {"Content-Type", "application/json"}};
    request.body = body;
    return request;
  }

  // What one request to a server that answers with `reply` gives.
  Status Send(const LoopbackReply& reply, const HttpClientOptions& options = {}) {
    LoopbackServer server([&reply](const LoopbackRequest&) { return reply; });
    place_ = server.endpoint().Authority();
    return Client(options)->Send(RequestTo(server.endpoint()), {}, response_);
  }

  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
  HttpResponse response_;
  std::string place_;
};

TEST_F(CurlHttpClientTest, SendsExactlyWhatItIsGiven) {
  LoopbackRequest seen;
  LoopbackServer server([&seen](const LoopbackRequest& request) {
    seen = request;
    return HttpReply(200, "answer", "X-Thing: one\r\nx-thing: two\r\nEmpty:\r\n");
  });
  auto endpoint = server.endpoint();
  endpoint.path = "/a%20b/../c";
  auto request = RequestTo(endpoint, std::string_view("bo\0dy", 5));
  request.headers.emplace_back("X-Empty", "");
  ASSERT_TRUE(Client()->Send(request, {}, response_));
  EXPECT_EQ(seen.line, "POST /a%20b/../c/ HTTP/1.1");
  EXPECT_EQ(seen.body, std::string("bo\0dy", 5));
  EXPECT_EQ(seen.Header("host"), server.endpoint().HostHeader());
  EXPECT_EQ(seen.Header("content-type"), "application/json");
  EXPECT_NE(seen.head.find("X-Empty:"), std::string::npos);
  for (const char* name : {"accept", "expect", "user-agent"}) EXPECT_EQ(seen.Header(name), "");
  EXPECT_EQ(response_.status, 200);
  EXPECT_EQ(response_.body, "answer");
  EXPECT_EQ(response_.Header("x-thing"), "one");
  EXPECT_EQ(response_.times_sent, 1);
}

TEST_F(CurlHttpClientTest, AnswersOfEveryFraming) {
  ASSERT_TRUE(
      Send({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            "3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\n\r\n"}));
  EXPECT_EQ(response_.body, "abcde");
  ASSERT_TRUE(Send({"HTTP/1.1 200 OK\r\n\r\nuntil the end", Then::kClose}));
  EXPECT_EQ(response_.body, "until the end");
  ASSERT_TRUE(Send({"HTTP/1.0 404 Not Found\r\n\r\n", Then::kClose}));
  EXPECT_EQ(response_.status, 404);
  ASSERT_TRUE(Send({"HTTP/1.1 100 Continue\r\nA: 1\r\n\r\nHTTP/1.1 204 None\r\nB: 2\r\n\r\n"}));
  EXPECT_EQ(response_.status, 204);
  EXPECT_EQ(response_.Header("a"), "");
  ASSERT_TRUE(Send(HttpReply(302, "", "Location: http://127.0.0.1:1/\r\n")));
  EXPECT_EQ(response_.status, 302);
}

TEST_F(CurlHttpClientTest, AnswersCutShortAreLostConnections) {
  for (const LoopbackReply& reply :
       {LoopbackReply{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", Then::kClose},
        LoopbackReply{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc",
                      Then::kClose},
        LoopbackReply{"HTTP/1.1 200 OK\r\nContent-Len", Then::kClose},
        LoopbackReply{"", Then::kClose}, LoopbackReply{"", Then::kReset},
        LoopbackReply{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", Then::kReset}}) {
    SCOPED_TRACE(reply.bytes);
    const auto status = Send(reply);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
    EXPECT_TRUE(status.error().retryable);
    EXPECT_NE(status.error().message.find(place_), std::string::npos);
    EXPECT_EQ(response_.times_sent, 1);
  }
}

TEST_F(CurlHttpClientTest, WhatIsNotHttpIsInvalidData) {
  for (const char* bytes :
       {"SSH-2.0-OpenSSH_9.2\r\n", "\x16\x03\x01\x02garbage that is long\r\n\r\n",
        "HTTP/9.9 abc\r\n\r\n"}) {
    const auto status = Send({bytes, Then::kClose});
    ASSERT_FALSE(status) << bytes;
    EXPECT_EQ(status.error().kind, ErrorKind::kInvalidData) << status.error().message;
    EXPECT_FALSE(status.error().retryable);
  }
}

TEST_F(CurlHttpClientTest, AnswersLargerThanAcceptedAreCutOff) {
  HttpClientOptions options;
  options.max_response_bytes = 1000;
  EXPECT_TRUE(Send(HttpReply(200, std::string(1000, 'x')), options));
  const std::vector<LoopbackReply> large = {
      HttpReply(200, std::string(1001, 'x')),
      {"HTTP/1.1 200 OK\r\n\r\n" + std::string(5000, 'x'), Then::kClose},
      {"HTTP/1.1 200 OK\r\nX: " + std::string(90000, 'x') + "\r\nY: " + std::string(90000, 'x') +
           "\r\nZ: " + std::string(90000, 'x') + "\r\n\r\n",
       Then::kClose}};
  for (const auto& reply : large) {
    const auto status = Send(reply, options);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::kInvalidData) << status.error().message;
    EXPECT_LE(response_.body.size(), 1000U);
  }
  // A length that is only claimed costs no memory.
  EXPECT_FALSE(Send({"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\nx", Then::kClose}));
  EXPECT_FALSE(Send({"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx", Then::kClose}));
}

TEST_F(CurlHttpClientTest, RefusedConnectionsNameTheEndpoint) {
  const Endpoint endpoint{"http", "127.0.0.1", UnusedPort(), ""};
  const auto status = Client()->Send(RequestTo(endpoint), {}, response_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  EXPECT_TRUE(status.error().retryable);
  EXPECT_EQ(status.error().message,
            "cannot connect to " + endpoint.Authority() + ": Connection refused");
  EXPECT_EQ(response_.times_sent, 0);
}

TEST_F(CurlHttpClientTest, ConnectionsThatNobodyTakesEndWithTheConnectTimeout) {
  // A full backlog: the kernel drops every further attempt, as a firewall would.
  const LoopbackListener listener = ListenOnLoopback(0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(listener.port);
  const int first = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_GE(first, 0);
  ASSERT_EQ(::connect(first, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);

  HttpClientOptions options;
  options.connect_timeout = milliseconds(30);
  const Endpoint endpoint{"http", "127.0.0.1", listener.port, ""};
  const auto status = Client(options)->Send(RequestTo(endpoint), {}, response_);
  ::close(first);
  ::close(listener.socket);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  EXPECT_TRUE(status.error().retryable);
  EXPECT_EQ(status.error().message, "cannot connect to " + endpoint.Authority() + " within 30 ms");
  EXPECT_EQ(response_.times_sent, 0);
}

// Three attempts and the longest waits between them.
TEST_F(CurlHttpClientTest, DefaultsGiveUpAnUnreachableEndpointWithinTenSeconds) {
  const RetryOptions retry;
  const auto total = HttpClientOptions().connect_timeout * retry.max_attempts +
                     retry.transient_base * ((1 << (retry.max_attempts - 1)) - 1);
  EXPECT_LT(total, std::chrono::seconds(10));
}

TEST_F(CurlHttpClientTest, SilenceEndsWithTheSocketTimeout) {
  HttpClientOptions options;
  options.socket_timeout = milliseconds(30);
  for (const char* bytes : {"", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"}) {
    const auto status = Send({bytes, Then::kSilence}, options);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::kTimeout);
    EXPECT_TRUE(status.error().retryable);
    EXPECT_EQ(status.error().message, place_ + " sent nothing for 30 ms");
    EXPECT_EQ(response_.times_sent, 1);
  }
}

TEST_F(CurlHttpClientTest, DeadlineAndCancellationEndTheWait) {
  CancellationSource source;
  LoopbackServer server([&source](const LoopbackRequest&) {
    source.Cancel();
    return LoopbackReply{"", Then::kSilence};
  });
  const auto client = Client();
  CallLimits limits;
  limits.cancellation = source.token();
  auto status = client->Send(RequestTo(server.endpoint()), limits, response_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kCancelled);

  limits = {};
  limits.deadline = std::chrono::steady_clock::now() + milliseconds(30);
  status = client->Send(RequestTo(server.endpoint()), limits, response_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kTimeout);
  EXPECT_FALSE(status.error().retryable);
}

TEST_F(CurlHttpClientTest, ConnectionsAreUsedAgain) {
  LoopbackServer server([](const LoopbackRequest&) { return HttpReply(200, "ok"); });
  const auto client = Client();
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(client->Send(RequestTo(server.endpoint()), {}, response_));
  }
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(server.requests(), 5);
}

TEST_F(CurlHttpClientTest, SaysWhenADeadPooledConnectionMadeItSendTwice) {
  // The second request on a connection is read and not answered: its outcome is unknown.
  LoopbackServer server([](const LoopbackRequest& request) {
    return request.number == 2 ? LoopbackReply{"", Then::kClose} : HttpReply(200, "ok");
  });
  const auto client = Client();
  ASSERT_TRUE(client->Send(RequestTo(server.endpoint()), {}, response_));
  ASSERT_TRUE(client->Send(RequestTo(server.endpoint()), {}, response_));
  EXPECT_EQ(response_.body, "ok");
  EXPECT_EQ(response_.times_sent, 2);
  EXPECT_EQ(server.requests(), 3);
}

TEST_F(CurlHttpClientTest, ATransferThatFailedLeavesAClientThatWorks) {
  std::atomic<int> count = 0;
  LoopbackServer server([&count](const LoopbackRequest&) {
    return ++count == 1
               ? LoopbackReply{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", Then::kSilence}
               : HttpReply(200, "fresh");
  });
  HttpClientOptions options;
  options.socket_timeout = milliseconds(30);
  const auto client = Client(options);
  ASSERT_FALSE(client->Send(RequestTo(server.endpoint()), {}, response_));
  ASSERT_TRUE(client->Send(RequestTo(server.endpoint()), {}, response_));
  EXPECT_EQ(response_.body, "fresh");
}

TEST_F(CurlHttpClientTest, TheBodysMemoryIsUsedAgain) {
  LoopbackServer server(
      [](const LoopbackRequest&) { return HttpReply(200, std::string(100000, 'x')); });
  const auto client = Client();
  ASSERT_TRUE(client->Send(RequestTo(server.endpoint()), {}, response_));
  const auto* memory = response_.body.data();
  ASSERT_TRUE(client->Send(RequestTo(server.endpoint()), {}, response_));
  EXPECT_EQ(response_.body.data(), memory);
}

TEST_F(CurlHttpClientTest, HeadersCannotSmuggleOthers) {
  const Endpoint endpoint{"http", "127.0.0.1", UnusedPort(), ""};
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"X", "a\r\nY: b"}, {"X", "a\nb"}, {"X\r\nY", "a"},
      {"X:", "a"},        {"", "a"},     {"X", std::string("a\0b", 3)}};
  for (const auto& header : bad) {
    auto request = RequestTo(endpoint);
    request.headers.push_back(header);
    const auto status = Client()->Send(request, {}, response_);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::kInvalidArgument);
  }
}

TEST_F(CurlHttpClientTest, GoesThroughAProxy) {
  LoopbackRequest seen;
  LoopbackServer proxy([&seen](const LoopbackRequest& request) {
    seen = request;
    return HttpReply(200, "through");
  });
  HttpClientOptions options;
  options.proxy.endpoint = "http://me:p%40ss@127.0.0.1:" + std::to_string(proxy.port());
  const Endpoint endpoint{"http", "glue.invalid", 80, ""};
  ASSERT_TRUE(Client(options)->Send(RequestTo(endpoint), {}, response_));
  EXPECT_EQ(seen.line, "POST http://glue.invalid/ HTTP/1.1");
  EXPECT_EQ(seen.Header("proxy-authorization"), "Basic bWU6cEBzcw==");  // me:p@ss
  EXPECT_EQ(seen.Header("host"), "glue.invalid");
}

TEST_F(CurlHttpClientTest, AProxyThatRefusesIsNamedWithoutItsPassword) {
  HttpClientOptions options;
  const auto port = std::to_string(UnusedPort());
  options.proxy.endpoint = "http://me:hunter2@127.0.0.1:" + port;
  const Endpoint endpoint{"https", "glue.invalid", 443, ""};
  auto status = Client(options)->Send(RequestTo(endpoint), {}, response_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(status.error().message.find("glue.invalid:443 through the proxy 127.0.0.1:" + port),
            std::string::npos)
      << status.error().message;
  EXPECT_EQ(status.error().message.find("hunter2"), std::string::npos);

  LoopbackServer proxy([](const LoopbackRequest&) { return HttpReply(407, ""); });
  options.proxy.endpoint = "http://127.0.0.1:" + std::to_string(proxy.port());
  status = Client(options)->Send(RequestTo(endpoint), {}, response_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(
      status.error().message.find("refuses the request to glue.invalid:443 (HTTP status 407)"),
      std::string::npos)
      << status.error().message;
  EXPECT_FALSE(status.error().retryable);
  // Without a tunnel the proxy's answer looks like the endpoint's.
  options.proxy.endpoint = "http://me:hunter2@127.0.0.1:" + std::to_string(proxy.port());
  status = Client(options)->Send(RequestTo({"http", "glue.invalid", 80, ""}), {}, response_);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("does not accept the user and password"), std::string::npos)
      << status.error().message;
  EXPECT_EQ(status.error().message.find("hunter2"), std::string::npos);
}

TEST_F(CurlHttpClientTest, ARequestMayGoPastTheProxy) {
  LoopbackServer server([](const LoopbackRequest&) { return HttpReply(200, "direct"); });
  HttpClientOptions options;
  options.proxy.endpoint = "http://127.0.0.1:" + std::to_string(UnusedPort());
  auto request = RequestTo(server.endpoint());
  request.method = "PUT";
  request.bypass_proxy = true;
  ASSERT_TRUE(Client(options)->Send(request, {}, response_));
  EXPECT_EQ(response_.body, "direct");
}

TEST_F(CurlHttpClientTest, FindsTrustedCertificates) {
  environment_->variables["SSL_CERT_FILE"] = "/general.pem";
  EXPECT_EQ(FindCaBundle({}, *environment_), "/general.pem");
  environment_->variables["AWS_CA_BUNDLE"] = "/aws.pem";
  EXPECT_EQ(FindCaBundle({}, *environment_), "/aws.pem");
  HttpClientOptions options;
  options.ca_bundle = "/option.pem";
  EXPECT_EQ(FindCaBundle(options, *environment_), "/option.pem");
}

}  // namespace
}  // namespace gluecat::aws
