// What bounds one call to a service, including its retries.
#pragma once

#include <optional>

#include "core/base/cancellation.h"
#include "core/base/clock.h"

namespace gluecat::aws {

struct CallLimits {
  CancellationToken cancellation;
  // Monotonic; nullopt leaves only the timeouts of the HTTP client.
  std::optional<Deadline> deadline;
};

}  // namespace gluecat::aws
