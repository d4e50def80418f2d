// When and how long after a failed attempt a call is tried again: the "standard"
// retry mode of the AWS SDKs (AWS SDKs and Tools Reference Guide, "Retry behavior").
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "core/aws/call_limits.h"
#include "core/aws/http_client.h"
#include "core/base/clock.h"
#include "core/base/error.h"

namespace gluecat::aws {

// Why an attempt failed, as far as trying again is concerned.
enum class FailureClass {
  kFinal,       // trying again changes nothing
  kTransient,   // connection trouble, 5xx
  kTimeout,     // no answer in time
  kThrottling,  // asked to slow down
};

// By error code where it is one of AWS's common ones, else by status.
FailureClass ClassifyAnswer(std::string_view code, int http_status);

// Of an error that HttpClient::Send gave.
FailureClass ClassifySendError(const Error& error);

// The wait that an answer asks for: x-amz-retry-after (milliseconds), or
// Retry-After (seconds) of a 429 or 503; nullopt if it asks for none.
std::optional<Duration> RequestedWait(const HttpResponse& response);

struct RetryOptions {
  int max_attempts = 3;  // the first one included
  Duration transient_base = std::chrono::milliseconds(50);
  Duration throttling_base = std::chrono::seconds(1);
  Duration max_backoff = std::chrono::seconds(20);
  int quota = 500;
};

// Shared by all calls of a client. A bucket of tokens keeps many callers from
// retrying into an outage: a retry takes 5 of them, after a timeout 10, and a
// success gives back what its last retry took, or 1. Thread-safe.
class RetryPolicy {
 public:
  // `random` gives numbers in [0, 1); by default a generator of this process.
  RetryPolicy(RetryOptions options, std::shared_ptr<Clock> clock,
              std::function<double()> random = {});

  Clock& clock() const { return *clock_; }
  std::shared_ptr<Clock> shared_clock() const { return clock_; }

 private:
  friend class RetryingCall;
  bool Take(int tokens);
  void Give(int tokens);
  double Random();

  const RetryOptions options_;
  const std::shared_ptr<Clock> clock_;
  const std::function<double()> random_;
  std::mutex mutex_;
  int tokens_;
};

// The attempts of one call:
//
//   RetryingCall call(policy);
//   for (;;) {
//     … attempt …
//     if (succeeded) { call.Succeeded(); return answer; }
//     if (!call.WaitToRetry(failure_class, wait, limits)) return the error;
//   }
class RetryingCall {
 public:
  explicit RetryingCall(RetryPolicy& policy) : policy_(policy) {}

  // Waits before the next attempt. False if there must be none: the failure is
  // final, attempts or tokens are used up, the wait would pass the deadline, or
  // the caller cancelled.
  bool WaitToRetry(FailureClass failure, std::optional<Duration> requested_wait,
                   const CallLimits& limits);

  // As WaitToRetry, without waiting: after a cause of failure was removed.
  bool RetryNow();

  void Succeeded();

  // Attempts begun so far; the first one counts from the start.
  int attempts() const { return attempts_; }

 private:
  RetryPolicy& policy_;
  int attempts_ = 1;
  int last_cost_ = 0;
};

}  // namespace gluecat::aws
