#include "core/base/cancellation.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace gluecat {

namespace internal {
struct CancellationState {
  std::atomic<bool> cancelled{false};
  std::mutex mutex;
  std::condition_variable changed;
};
}  // namespace internal

CancellationToken::CancellationToken(std::shared_ptr<internal::CancellationState> state)
    : state_(std::move(state)) {}

bool CancellationToken::IsCancelled() const {
  return state_ != nullptr && state_->cancelled.load(std::memory_order_acquire);
}

bool CancellationToken::WaitFor(std::chrono::nanoseconds duration) const {
  if (state_ == nullptr) {
    std::this_thread::sleep_for(duration);
    return false;
  }
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, duration, [this] { return state_->cancelled.load(); });
}

CancellationSource::CancellationSource()
    : state_(std::make_shared<internal::CancellationState>()) {}

CancellationToken CancellationSource::token() const { return CancellationToken(state_); }

void CancellationSource::Cancel() {
  {
    std::lock_guard lock(state_->mutex);
    state_->cancelled.store(true, std::memory_order_release);
  }
  state_->changed.notify_all();
}

}  // namespace gluecat
