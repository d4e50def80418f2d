// Glue over HTTP: AWS itself, or any endpoint that speaks its protocol.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/aws/clock_skew.h"
#include "core/aws/credentials.h"
#include "core/aws/endpoint.h"
#include "core/aws/http_client.h"
#include "core/aws/retry.h"
#include "core/glue/transport.h"

namespace gluecat::glue {

struct HttpTransportOptions {
  aws::Endpoint endpoint;
  std::string region;  // signed for
  std::string user_agent = "gluecat";
  // For a call with all its attempts, credentials included; nullopt: no limit.
  std::optional<Duration> request_timeout = {};
};

// JSON 1.1 with Signature Version 4. One call makes as many attempts as its
// aws::RetryPolicy allows, three by default; a repeated attempt is signed anew, with the time
// corrected if the service says that ours is wrong, and with fresh credentials, once, if it says
// that they have expired.
//
// How long a call may take without a deadline, with the default options: an
// endpoint that refuses or drops connections gives its error after at most
// 3 × 3 s and two waits of at most 50 and 100 ms; one that accepts a connection
// and is then silent after 3 × 30 s; one that throttles after its answers and two
// waits of at most 1 and 2 s, or up to 20 s each if it asks for that.
//
// Errors, besides Glue's own: kUnavailable (names host:port), kTimeout,
// kCancelled, kUnauthenticated (no credentials, or refused ones), kInvalidData
// (an answer that is not Glue's).
class HttpTransport final : public Transport {
 public:
  HttpTransport(HttpTransportOptions options, std::shared_ptr<aws::HttpClient> http,
                std::shared_ptr<aws::CredentialsProvider> credentials,
                std::shared_ptr<aws::RetryPolicy> retry);

  Result<std::string> Call(std::string_view operation, std::string_view body,
                           const CallContext& context) override;

 private:
  struct Attempt;
  void Send(std::string_view operation, std::string_view body, const aws::Credentials& credentials,
            const aws::CallLimits& limits, Attempt& attempt);

  const HttpTransportOptions options_;
  const std::shared_ptr<aws::HttpClient> http_;
  const std::shared_ptr<aws::CredentialsProvider> credentials_;
  const std::shared_ptr<aws::RetryPolicy> retry_;
  aws::ClockSkew skew_;
};

}  // namespace gluecat::glue
