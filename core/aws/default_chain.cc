#include "core/aws/default_chain.h"

#include <utility>
#include <vector>

#include "core/aws/caching_provider.h"
#include "core/aws/chain_provider.h"
#include "core/aws/environment_provider.h"
#include "core/aws/profile_provider.h"
#include "core/aws/system_properties_provider.h"

namespace gluecat::aws {

std::shared_ptr<CredentialsProvider> DefaultCredentialsChain(const ClientRuntime& runtime,
                                                             std::optional<std::string> region) {
  std::vector<std::shared_ptr<CredentialsProvider>> members = {
      std::make_shared<SystemPropertiesProvider>(runtime.environment),
      std::make_shared<EnvironmentProvider>(runtime.environment),
      std::make_shared<ProfileProvider>(runtime, std::move(region)),
  };
  return std::make_shared<CachingProvider>(std::make_shared<ChainProvider>(std::move(members)),
                                           runtime.retry->shared_clock());
}

}  // namespace gluecat::aws
