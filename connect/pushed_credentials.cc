#include "connect/pushed_credentials.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace gluecat::connect {
namespace {

using Options = std::map<std::string, std::string>;
using Providers = std::map<std::pair<std::string, Options>, std::weak_ptr<aws::PushedProvider>>;

}  // namespace

std::shared_ptr<aws::PushedProvider> PushedCredentials(const catalog::Settings& settings,
                                                       const std::shared_ptr<Clock>& clock) {
  if (!settings.credentials_provider) return nullptr;
  // Live as long as the process: other threads may still be calling when it exits.
  static std::mutex& mutex = *new std::mutex;
  static Providers& providers = *new Providers;
  const auto& [class_name, options] = *settings.credentials_provider;
  const std::lock_guard lock(mutex);
  std::erase_if(providers, [](const auto& entry) { return entry.second.expired(); });
  auto& known = providers[{class_name, options}];
  auto provider = known.lock();
  if (!provider) {
    provider = std::make_shared<aws::PushedProvider>(class_name, clock);
    known = provider;
  }
  return provider;
}

}  // namespace gluecat::connect
