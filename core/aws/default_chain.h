// The credentials of somebody who configured none for the catalog itself.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"

namespace gluecat::aws {

// System properties, environment, profile; in the order of the AWS SDK for Java,
// and cached. `region` is used for roles of profiles that name none.
std::shared_ptr<CredentialsProvider> DefaultCredentialsChain(const ClientRuntime& runtime,
                                                             std::optional<std::string> region);

}  // namespace gluecat::aws
