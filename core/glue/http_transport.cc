#include "core/glue/http_transport.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "core/aws/service_error.h"
#include "core/aws/sigv4.h"
#include "core/base/text.h"
#include "core/glue/errors.h"

namespace gluecat::glue {

// One attempt: what was sent when, and what came back.
struct HttpTransport::Attempt {
  aws::HttpResponse response;
  Timestamp signing_time;
  std::optional<Error> error;
  aws::FailureClass failure = aws::FailureClass::kFinal;
  bool outcome_unknown = false;
};

HttpTransport::HttpTransport(HttpTransportOptions options, std::shared_ptr<aws::HttpClient> http,
                             std::shared_ptr<aws::CredentialsProvider> credentials,
                             std::shared_ptr<aws::RetryPolicy> retry)
    : options_(std::move(options)),
      http_(std::move(http)),
      credentials_(std::move(credentials)),
      retry_(std::move(retry)) {}

void HttpTransport::Send(std::string_view operation, std::string_view body,
                         const aws::Credentials& credentials, const aws::CallLimits& limits,
                         Attempt& attempt) {
  const Clock& clock = retry_->clock();
  aws::SignableRequest signable;
  signable.method = "POST";
  signable.path = options_.endpoint.path + "/";
  signable.body = body;
  signable.headers = {{"Host", options_.endpoint.HostHeader()},
                      {"Content-Type", "application/x-amz-json-1.1"},
                      {"X-Amz-Target", "AWSGlue." + std::string(operation)},
                      {"User-Agent", options_.user_agent}};
  const Timestamp sent = clock.Now();
  attempt.signing_time = skew_.Correct(sent);
  auto added =
      aws::SignRequest(signable, credentials, {options_.region, "glue"}, attempt.signing_time);
  aws::HttpRequest request;
  request.endpoint = options_.endpoint;
  request.path = signable.path;
  request.headers = std::move(signable.headers);
  std::move(added.begin(), added.end(), std::back_inserter(request.headers));
  request.body = body;

  attempt.error.reset();
  attempt.failure = aws::FailureClass::kFinal;
  aws::HttpResponse& response = attempt.response;
  const Status status = http_->Send(request, limits, response);
  attempt.outcome_unknown = response.times_sent > 1;
  if (!status) {
    attempt.error = status.error();
    attempt.failure = aws::ClassifySendError(*attempt.error);
    attempt.outcome_unknown = attempt.outcome_unknown || response.times_sent > 0;
    return;
  }
  skew_.Learn(response, sent, clock.Now());
  if (response.status >= 200 && response.status < 300) {
    const auto start = Trim(std::string_view(response.body).substr(0, 64));
    const bool empty = response.body.empty() && !response.Header("content-length").empty();
    if (!empty && !start.starts_with('{')) {
      attempt.error = MakeError(ErrorKind::kInvalidData,
                                options_.endpoint.Authority() +
                                    " does not answer as Glue does: " + Excerpt(response.body));
      attempt.error->http_status = response.status;
    }
    return;
  }
  attempt.error = ErrorFromAnswer(response, options_.endpoint.Authority());
  attempt.outcome_unknown =
      attempt.outcome_unknown || LeavesOutcomeUnknown(attempt.error->code, response.status);
  attempt.failure = aws::ClassifyAnswer(attempt.error->code, response.status);
  if (!attempt.error->retryable) {
    attempt.failure = aws::FailureClass::kFinal;
  } else if (attempt.failure == aws::FailureClass::kFinal) {
    attempt.failure = attempt.error->kind == ErrorKind::kTimeout ? aws::FailureClass::kTimeout
                                                                 : aws::FailureClass::kTransient;
  }
}

Result<std::string> HttpTransport::Call(std::string_view operation, std::string_view body,
                                        const CallContext& context) {
  aws::CallLimits limits{context.cancellation, context.deadline};
  if (options_.request_timeout) {
    const Deadline latest = retry_->clock().SteadyNow() + *options_.request_timeout;
    limits.deadline = limits.deadline ? std::min(*limits.deadline, latest) : latest;
  }
  const auto failed = [&](Error error) {
    if (options_.request_timeout && error.kind == ErrorKind::kTimeout &&
        retry_->clock().SteadyNow() >= *limits.deadline) {
      error.message += " (glue.request-timeout-ms limits it)";
    }
    return Fail(std::move(error));
  };
  aws::RetryingCall call(*retry_);
  bool refreshed = false;
  CallInfo info;
  Attempt attempt;
  if (context.spare != nullptr) attempt.response.body = std::move(*context.spare);
  for (;;) {
    const auto resolved = credentials_->Resolve(limits);
    if (!resolved) return failed(resolved.error());
    const aws::Credentials& credentials = *resolved;
    Send(operation, body, credentials, limits, attempt);
    info.attempts = call.attempts();
    info.outcome_unknown = info.outcome_unknown || attempt.outcome_unknown;
    if (context.info != nullptr) *context.info = info;
    if (!attempt.error) {
      call.Succeeded();
      if (attempt.response.body.empty()) return "{}";
      return std::move(attempt.response.body);
    }
    const Error& error = *attempt.error;
    if (skew_.ExplainsFailure(error.code, attempt.response, attempt.signing_time,
                              retry_->clock().Now())) {
      if (call.RetryNow()) continue;
      attempt.error->message += aws::ClockAdvice(skew_.value());
    } else if (aws::IsExpiredCredentialsCode(error.code) && !refreshed) {
      refreshed = true;
      credentials_->Invalidate(credentials);
      if (call.RetryNow()) continue;
    } else if (call.WaitToRetry(attempt.failure, aws::RequestedWait(attempt.response), limits)) {
      continue;
    }
    if (limits.cancellation.IsCancelled()) {
      return Fail(ErrorKind::kCancelled, "the call " + std::string(operation) + " was cancelled");
    }
    return failed(error);
  }
}

}  // namespace gluecat::glue
