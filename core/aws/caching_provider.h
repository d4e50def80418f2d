// Keeps another provider's credentials while they are good.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "core/aws/credentials.h"
#include "core/base/clock.h"
#include "core/base/warnings.h"

namespace gluecat::aws {

// Credentials are fetched on the thread that needs them, by one thread at a time.
// Within five minutes of their expiry one caller fetches new ones and the others
// go on with the old ones; if that fails, everybody goes on with the old ones, and
// the next try is a minute later and a warning says so. Without usable credentials all callers wait
// for the one fetch and share its outcome. A failure is not remembered.
class CachingProvider final : public CredentialsProvider {
 public:
  CachingProvider(std::shared_ptr<CredentialsProvider> source, std::shared_ptr<const Clock> clock,
                  std::shared_ptr<Warnings> warnings);

  std::string_view name() const override { return source_->name(); }

  // Errors: the source's; kCancelled and kTimeout by `limits` also while waiting
  // for another caller's fetch.
  Result<Credentials> Resolve(const CallLimits& limits) override;
  void Invalidate(const Credentials& refused) override;

 private:
  // A fetch in progress, and its outcome for those who wait.
  struct Flight {
    bool done = false;
    // The one who fetched ran into limits of its own, which say nothing to others.
    bool given_up = false;
    std::optional<Result<Credentials>> outcome;
  };

  bool Usable() const;
  bool DueForRefresh() const;
  // Waits for `flight` to end; an error if `limits` end the wait.
  Status Await(std::unique_lock<std::mutex>& lock, const std::shared_ptr<Flight>& flight,
               const CallLimits& limits);
  Result<Credentials> Fetch(std::unique_lock<std::mutex>& lock, const CallLimits& limits);

  const std::shared_ptr<CredentialsProvider> source_;
  const std::shared_ptr<const Clock> clock_;
  const std::shared_ptr<Warnings> warnings_;
  std::mutex mutex_;
  std::condition_variable landed_;
  std::shared_ptr<Flight> flight_;  // null if nobody is fetching
  std::optional<Credentials> cached_;
  std::optional<Deadline> last_fetch_;
};

}  // namespace gluecat::aws
