// Time, injected, so that tests never wait.
#pragma once

#include <chrono>
#include <memory>

namespace gluecat {

using Timestamp = std::chrono::system_clock::time_point;
using Duration = std::chrono::nanoseconds;
using Deadline = std::chrono::steady_clock::time_point;

class CancellationToken;

class Clock {
 public:
  virtual ~Clock() = default;

  // Wall-clock time: for signatures, expiries and entry timestamps.
  virtual Timestamp Now() const = 0;

  // Monotonic time: for deadlines and backoff.
  virtual Deadline SteadyNow() const = 0;

  // Blocks for `duration`, or until `cancellation` fires if that is sooner.
  // Returns false if it was cut short.
  virtual bool Sleep(Duration duration, const CancellationToken& cancellation) = 0;
};

// The machine's clocks.
std::shared_ptr<Clock> SystemClock();

}  // namespace gluecat
