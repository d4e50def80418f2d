// How far the service's clock is ahead of ours, learned from its Date headers, so
// that a machine with a wrong clock can still sign.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/aws/http_client.h"
#include "core/base/clock.h"

namespace gluecat::aws {

// Of one client. Thread-safe.
class ClockSkew {
 public:
  // The service's time, as far as known, at our time `now`.
  Timestamp Correct(Timestamp now) const;

  // Learns from an answer to a request that was sent and answered at these times
  // of ours. Answers from a cache (Age header), without a Date, or that took too
  // long to tell anything change nothing.
  void Learn(const HttpResponse& response, Timestamp sent, Timestamp received);

  // Whether an answer with this error code to a request signed for `signing_time`
  // means that the time was wrong, and signing again with what was learned from
  // it (call Learn first) may help.
  bool ExplainsFailure(std::string_view code, const HttpResponse& response, Timestamp signing_time,
                       Timestamp now) const;

  std::chrono::seconds value() const { return std::chrono::seconds(seconds_.load()); }
  void Set(std::chrono::seconds skew) { seconds_.store(skew.count()); }

 private:
  std::atomic<std::int64_t> seconds_{0};
};

// What to say of a failure that a wrong clock explains and that signing with a
// corrected time did not mend: "; the clock of this machine is 1200 s behind …".
std::string ClockAdvice(std::chrono::seconds skew);

}  // namespace gluecat::aws
