// What every client of an AWS service works with.
#pragma once

#include <memory>

#include "core/aws/endpoint.h"
#include "core/aws/http_client.h"
#include "core/aws/process_runner.h"
#include "core/aws/retry.h"
#include "core/base/environment.h"
#include "core/base/warnings.h"

namespace gluecat::aws {

struct ClientRuntime {
  std::shared_ptr<HttpClient> http;
  std::shared_ptr<RetryPolicy> retry;
  std::shared_ptr<const Environment> environment;
  EndpointVariants variants = {};  // of AWS's own endpoints
  std::shared_ptr<ProcessRunner> processes = SystemProcesses();
  std::shared_ptr<Warnings> warnings = StandardErrorWarnings();
};

}  // namespace gluecat::aws
