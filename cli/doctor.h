// What a configuration leads to, found out step by step.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/catalog_options.h"
#include "core/aws/http_client.h"
#include "core/base/clock.h"
#include "core/base/environment.h"
#include "core/catalog/settings.h"

namespace gluecat::cli {

enum class StepState { kOk, kFailed, kSkipped };

// "ok", "failed", "skipped"
std::string_view StepStateName(StepState state);

// A place that was asked, and what it said. Never holds a secret.
struct Attempt {
  std::string source;  // "AWS_REGION"
  std::string result;  // "not set"
  bool operator==(const Attempt&) const = default;
};

struct Step {
  std::string name;  // "region"
  StepState state = StepState::kOk;
  std::string result = {};          // what came out, or why nothing did
  std::vector<Attempt> tried = {};  // in the order of trying; the last one is what counts
  std::string advice = {};          // what to do about a failure
};

struct Diagnosis {
  std::vector<Step> steps;
  // True if no step failed.
  bool ok() const;
};

// The world that a diagnosis looks at.
struct DoctorWorld {
  using HttpMaker = std::function<std::shared_ptr<aws::HttpClient>(
      const catalog::HttpSettings&, const std::shared_ptr<Environment>&)>;

  std::shared_ptr<Environment> environment;  // of the process, without the profile of the options
  std::shared_ptr<Clock> clock;
  HttpMaker make_http;
};

// The steps options, region, endpoint, glue.id, credentials, role (if one is to
// be assumed), identity (STS GetCallerIdentity) and access (one GetDatabases of one
// database). A step that cannot be made without a failed one ends the list.
Diagnosis Diagnose(const CatalogOptions& options, const DoctorWorld& world);

}  // namespace gluecat::cli
