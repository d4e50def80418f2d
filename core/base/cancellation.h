// Cooperative cancellation of a call, from another thread.
#pragma once

#include <chrono>
#include <memory>

namespace gluecat {

namespace internal {
struct CancellationState;
}

// Asked by the code that does the work. Copies share one state; a
// default-constructed token never fires.
class CancellationToken {
 public:
  CancellationToken() = default;

  bool IsCancelled() const;

  // Waits until cancelled or until `duration` has passed; true if cancelled.
  bool WaitFor(std::chrono::nanoseconds duration) const;

 private:
  friend class CancellationSource;
  explicit CancellationToken(std::shared_ptr<internal::CancellationState> state);
  std::shared_ptr<internal::CancellationState> state_;
};

// Held by whoever may want to stop the work. Thread-safe.
class CancellationSource {
 public:
  CancellationSource();
  CancellationToken token() const;
  void Cancel();

 private:
  std::shared_ptr<internal::CancellationState> state_;
};

}  // namespace gluecat
