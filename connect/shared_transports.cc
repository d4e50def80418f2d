#include "connect/shared_transports.h"

namespace gluecat::connect {

SharedTransports& SharedTransports::Process() {
  static SharedTransports* const transports = new SharedTransports;
  return *transports;
}

Result<std::shared_ptr<glue::Transport>> SharedTransports::FindOrMake(const std::string& key,
                                                                      const Maker& make) {
  const std::lock_guard lock(mutex_);
  std::erase_if(transports_, [](const auto& entry) { return entry.second.expired(); });
  if (const auto found = transports_.find(key); found != transports_.end()) {
    if (auto transport = found->second.lock()) return transport;
  }
  GLUECAT_ASSIGN_OR_RETURN(std::shared_ptr<glue::Transport> made, make());
  transports_[key] = made;
  return made;
}

}  // namespace gluecat::connect
