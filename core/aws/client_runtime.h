// What every client of an AWS service works with.
#pragma once

#include <memory>

#include "core/aws/http_client.h"
#include "core/aws/retry.h"
#include "core/base/environment.h"

namespace gluecat::aws {

struct ClientRuntime {
  std::shared_ptr<HttpClient> http;
  std::shared_ptr<RetryPolicy> retry;
  std::shared_ptr<const Environment> environment;
};

}  // namespace gluecat::aws
