// Transports shared by the catalogs of this process.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/base/result.h"
#include "core/glue/transport.h"

namespace gluecat::connect {

// Transports by what makes them equal. One lives as long as a catalog uses it.
// Thread-safe.
class SharedTransports {
 public:
  using Maker = std::function<Result<std::shared_ptr<glue::Transport>>()>;

  // Lives as long as the process.
  static SharedTransports& Process();

  // The transport under `key`, made with `make` if there is none. `key` may hold
  // secrets and is never shown.
  Result<std::shared_ptr<glue::Transport>> FindOrMake(const std::string& key, const Maker& make);

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<glue::Transport>> transports_;
};

}  // namespace gluecat::connect
