#include "core/aws/retry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <random>
#include <utility>

namespace gluecat::aws {
namespace {

constexpr int kRetryCost = 5;
constexpr int kTimeoutRetryCost = 10;

constexpr std::array<std::string_view, 14> kThrottlingCodes = {
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottledException",
    "RequestThrottled",
    "TooManyRequestsException",
    "ProvisionedThroughputExceededException",
    "TransactionInProgressException",
    "RequestLimitExceeded",
    "BandwidthLimitExceeded",
    "LimitExceededException",
    "SlowDown",
    "PriorRequestNotComplete",
    "EC2ThrottledException"};

template <typename List>
bool Contains(const List& list, std::string_view code) {
  return std::find(list.begin(), list.end(), code) != list.end();
}

std::optional<std::int64_t> Number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) {
    return std::nullopt;
  }
  return value;
}

double ProcessRandom() {
  thread_local std::minstd_rand generator(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

}  // namespace

FailureClass ClassifyAnswer(std::string_view code, int http_status) {
  if (Contains(kThrottlingCodes, code) || http_status == 429) return FailureClass::kThrottling;
  if (code == "RequestTimeout" || code == "RequestTimeoutException") return FailureClass::kTimeout;
  if (http_status == 500 || http_status == 502 || http_status == 503 || http_status == 504) {
    return FailureClass::kTransient;
  }
  return FailureClass::kFinal;
}

FailureClass ClassifySendError(const Error& error) {
  if (!error.retryable) return FailureClass::kFinal;
  return error.kind == ErrorKind::kTimeout ? FailureClass::kTimeout : FailureClass::kTransient;
}

std::optional<Duration> RequestedWait(const HttpResponse& response) {
  // Nobody may make us count beyond what a Duration holds.
  constexpr std::int64_t kDayInSeconds = 86400;
  if (const auto ms = Number(response.Header("x-amz-retry-after"))) {
    return std::chrono::milliseconds(std::min(*ms, kDayInSeconds * 1000));
  }
  if (response.status != 429 && response.status != 503) return std::nullopt;
  if (const auto seconds = Number(response.Header("retry-after"))) {
    return std::chrono::seconds(std::min(*seconds, kDayInSeconds));
  }
  return std::nullopt;
}

RetryPolicy::RetryPolicy(RetryOptions options, std::shared_ptr<Clock> clock,
                         std::function<double()> random)
    : options_(options),
      clock_(std::move(clock)),
      random_(random ? std::move(random) : ProcessRandom),
      tokens_(options.quota) {}

bool RetryPolicy::Take(int tokens) {
  const std::lock_guard lock(mutex_);
  if (tokens_ < tokens) return false;
  tokens_ -= tokens;
  return true;
}

void RetryPolicy::Give(int tokens) {
  const std::lock_guard lock(mutex_);
  tokens_ = std::min(tokens_ + tokens, options_.quota);
}

double RetryPolicy::Random() {
  const std::lock_guard lock(mutex_);
  return random_();
}

bool RetryingCall::WaitToRetry(FailureClass failure, std::optional<Duration> requested_wait,
                               const CallLimits& limits) {
  const RetryOptions& options = policy_.options_;
  if (failure == FailureClass::kFinal || attempts_ >= options.max_attempts) return false;
  const Duration base =
      failure == FailureClass::kThrottling ? options.throttling_base : options.transient_base;
  const Duration ceiling =
      std::min(base * (std::int64_t{1} << std::min(attempts_ - 1, 20)), options.max_backoff);
  auto wait = std::chrono::duration_cast<Duration>(ceiling * policy_.Random());
  // A service may ask for more than we would wait, within reason.
  if (requested_wait) wait = std::max(wait, std::min(*requested_wait, options.max_backoff));
  Clock& clock = policy_.clock();
  if (limits.deadline && clock.SteadyNow() + wait >= *limits.deadline) return false;
  const int cost = failure == FailureClass::kTimeout ? kTimeoutRetryCost : kRetryCost;
  if (!policy_.Take(cost)) return false;
  last_cost_ = cost;
  if (!clock.Sleep(wait, limits.cancellation)) return false;
  ++attempts_;
  return true;
}

bool RetryingCall::RetryNow() {
  if (attempts_ >= policy_.options_.max_attempts || !policy_.Take(kRetryCost)) return false;
  last_cost_ = kRetryCost;
  ++attempts_;
  return true;
}

void RetryingCall::Succeeded() { policy_.Give(std::max(last_cost_, 1)); }

}  // namespace gluecat::aws
