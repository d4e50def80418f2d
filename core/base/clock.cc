#include "core/base/clock.h"

#include "core/base/cancellation.h"

namespace gluecat {
namespace {

class RealClock final : public Clock {
 public:
  Timestamp Now() const override { return std::chrono::system_clock::now(); }
  Deadline SteadyNow() const override { return std::chrono::steady_clock::now(); }
  bool Sleep(Duration duration, const CancellationToken& cancellation) override {
    return !cancellation.WaitFor(duration);
  }
};

}  // namespace

std::shared_ptr<Clock> SystemClock() { return std::make_shared<RealClock>(); }

}  // namespace gluecat
