#include "core/aws/caching_provider.h"

#include <chrono>
#include <string>
#include <utility>

#include "core/aws/time_format.h"

namespace gluecat::aws {
namespace {

constexpr auto kRefreshWindow = std::chrono::minutes(5);
// Also for credentials that live shorter than the window.
constexpr auto kRefreshPause = std::chrono::minutes(1);
// A waiting thread looks this often whether its caller gave up.
constexpr auto kWaitSlice = std::chrono::milliseconds(20);

}  // namespace

CachingProvider::CachingProvider(std::shared_ptr<CredentialsProvider> source,
                                 std::shared_ptr<const Clock> clock,
                                 std::shared_ptr<Warnings> warnings)
    : source_(std::move(source)), clock_(std::move(clock)), warnings_(std::move(warnings)) {}

bool CachingProvider::Usable() const {
  return cached_ && (!cached_->expiration || clock_->Now() < *cached_->expiration);
}

bool CachingProvider::DueForRefresh() const {
  if (!cached_->expiration || clock_->Now() < *cached_->expiration - kRefreshWindow) return false;
  return !last_fetch_ || clock_->SteadyNow() - *last_fetch_ >= kRefreshPause;
}

Result<Credentials> CachingProvider::Resolve(const CallLimits& limits) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (Usable() && (flight_ != nullptr || !DueForRefresh())) return *cached_;
    if (flight_ == nullptr) return Fetch(lock, limits);
    const auto flight = flight_;
    GLUECAT_RETURN_IF_ERROR(Await(lock, flight, limits));
    if (!flight->given_up) return *flight->outcome;
  }
}

Status CachingProvider::Await(std::unique_lock<std::mutex>& lock,
                              const std::shared_ptr<Flight>& flight, const CallLimits& limits) {
  while (!flight->done) {
    if (limits.cancellation.IsCancelled()) {
      return Fail(ErrorKind::kCancelled, "cancelled while waiting for credentials");
    }
    if (limits.deadline && clock_->SteadyNow() >= *limits.deadline) {
      return Fail(ErrorKind::kTimeout, "the time is used up while waiting for credentials");
    }
    landed_.wait_for(lock, kWaitSlice);
  }
  return {};
}

Result<Credentials> CachingProvider::Fetch(std::unique_lock<std::mutex>& lock,
                                           const CallLimits& limits) {
  const auto flight = std::make_shared<Flight>();
  flight_ = flight;
  lock.unlock();
  auto outcome = source_->Resolve(limits);
  lock.lock();
  std::string warning;
  last_fetch_ = clock_->SteadyNow();
  if (outcome) {
    cached_ = *outcome;
  } else if (Usable()) {
    if (outcome.error().kind != ErrorKind::kCancelled) {
      warning = "the credentials " + cached_->Describe() + " expire at " +
                FormatIso8601(*cached_->expiration) +
                " and could not be renewed yet: " + outcome.error().message;
    }
    outcome = *cached_;
  }
  flight->given_up = !outcome && (limits.cancellation.IsCancelled() ||
                                  (limits.deadline && clock_->SteadyNow() >= *limits.deadline));
  flight->outcome = outcome;
  flight->done = true;
  flight_ = nullptr;
  landed_.notify_all();
  lock.unlock();
  if (!warning.empty()) warnings_->Warn(warning);
  return outcome;
}

void CachingProvider::Invalidate(const Credentials& refused) {
  {
    const std::lock_guard lock(mutex_);
    if (cached_ && cached_->access_key_id == refused.access_key_id &&
        cached_->session_token == refused.session_token) {
      cached_.reset();
    }
  }
  source_->Invalidate(refused);
}

}  // namespace gluecat::aws
