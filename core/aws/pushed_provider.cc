#include "core/aws/pushed_provider.h"

#include <utility>

#include "core/aws/time_format.h"

namespace gluecat::aws {

PushedProvider::PushedProvider(std::string origin, std::shared_ptr<const Clock> clock)
    : origin_(std::move(origin)), clock_(std::move(clock)) {}

void PushedProvider::Push(Credentials credentials) {
  credentials.provider = origin_;
  const std::lock_guard lock(mutex_);
  credentials_ = std::move(credentials);
  refused_ = false;
}

Result<Credentials> PushedProvider::Resolve(const CallLimits& limits) {
  (void)limits;
  const std::lock_guard lock(mutex_);
  if (!credentials_) {
    return Fail(ErrorKind::kUnauthenticated, "no credentials have come from " + origin_);
  }
  if (refused_) {
    return Fail(ErrorKind::kUnauthenticated,
                "the service refused the credentials from " + origin_ + " as expired");
  }
  if (credentials_->expiration && *credentials_->expiration <= clock_->Now()) {
    return Fail(ErrorKind::kUnauthenticated, "the credentials from " + origin_ + " expired at " +
                                                 FormatIso8601(*credentials_->expiration));
  }
  return *credentials_;
}

void PushedProvider::Invalidate(const Credentials& refused) {
  const std::lock_guard lock(mutex_);
  if (credentials_ && credentials_->access_key_id == refused.access_key_id &&
      credentials_->session_token == refused.session_token) {
    refused_ = true;
  }
}

}  // namespace gluecat::aws
