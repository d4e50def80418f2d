// The environment of a command that was told which profile to use.
#pragma once

#include <memory>
#include <string>

#include "core/base/environment.h"

namespace gluecat::cli {

// `base`, in which the profile is `profile` and no keys and no web identity are set: whoever names
// a profile means its identity, as with the AWS command line. `base` itself if `profile` is empty.
std::shared_ptr<Environment> WithProfile(std::shared_ptr<Environment> base, std::string profile);

}  // namespace gluecat::cli
