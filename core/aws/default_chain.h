// The credentials of somebody who configured none for the catalog itself.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"

namespace gluecat::aws {

// In the order of the AWS SDK for Java: system properties, environment, web
// identity, profile, container, instance metadata. `region` is that of STS for
// roles whose source names none.
std::vector<std::shared_ptr<CredentialsProvider>> DefaultChainMembers(
    const ClientRuntime& runtime, const std::optional<std::string>& region);

// The first of them that is configured, cached.
std::shared_ptr<CredentialsProvider> DefaultCredentialsChain(
    const ClientRuntime& runtime, const std::optional<std::string>& region);

}  // namespace gluecat::aws
