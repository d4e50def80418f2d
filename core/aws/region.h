// Which region a client talks to.
#pragma once

#include <optional>
#include <string>

#include "core/base/environment.h"
#include "core/base/result.h"

namespace gluecat::aws {

// The first that is set of: `option`, the system property aws.region, AWS_REGION,
// AWS_DEFAULT_REGION, `region` of the chosen profile.
// Errors: kNotFound if none is set (says what was looked at); kInvalidArgument if
// the name cannot be part of a host name; those of LoadProfiles.
Result<std::string> ResolveRegion(const std::optional<std::string>& option,
                                  const Environment& environment);

// Lower-case letters, digits and '-', at most 63, neither first nor last a '-'.
bool IsValidRegion(std::string_view region);

}  // namespace gluecat::aws
