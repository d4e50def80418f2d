#include "core/aws/default_chain.h"

#include "core/aws/caching_provider.h"
#include "core/aws/chain_provider.h"
#include "core/aws/container_provider.h"
#include "core/aws/environment_provider.h"
#include "core/aws/instance_provider.h"
#include "core/aws/profile_provider.h"
#include "core/aws/system_properties_provider.h"
#include "core/aws/web_identity_provider.h"

namespace gluecat::aws {

std::vector<std::shared_ptr<CredentialsProvider>> DefaultChainMembers(
    const ClientRuntime& runtime, const std::optional<std::string>& region) {
  return {
      std::make_shared<SystemPropertiesProvider>(runtime.environment),
      std::make_shared<EnvironmentProvider>(runtime.environment),
      std::make_shared<WebIdentityEnvironmentProvider>(runtime, region),
      std::make_shared<ProfileProvider>(runtime, region),
      std::make_shared<ContainerProvider>(runtime),
      std::make_shared<InstanceProvider>(runtime),
  };
}

std::shared_ptr<CredentialsProvider> DefaultCredentialsChain(
    const ClientRuntime& runtime, const std::optional<std::string>& region) {
  return std::make_shared<CachingProvider>(
      std::make_shared<ChainProvider>(DefaultChainMembers(runtime, region)),
      runtime.retry->shared_clock(), runtime.warnings);
}

}  // namespace gluecat::aws
