// The catalog in this very process: what "glue.endpoint = local:<directory>" means.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/glue/transport.h"
#include "store/store.h"

namespace gluecat::store {

// The account of whoever has no 12-digit access key.
inline constexpr std::string_view kDefaultAccount = "123456789012";

// The caller that an access key id stands for where no accounts are configured:
// a 12-digit one is that account, any other is the default account.
Principal PrincipalOfAccessKey(std::string_view access_key_id, std::string region);

class LocalTransport final : public glue::Transport {
 public:
  LocalTransport(std::shared_ptr<Store> store, Principal principal, std::shared_ptr<Clock> clock);

  // Besides the store's errors: kCancelled and kTimeout, if the context says so
  // before the call starts. A call that started is short and runs to its end.
  Result<std::string> Call(std::string_view operation, std::string_view body,
                           const glue::CallContext& context) override;

 private:
  std::shared_ptr<Store> store_;
  Principal principal_;
  std::shared_ptr<Clock> clock_;
};

// The store in `directory` (made if it is missing), called as whoever has `access_key_id`.
// Errors: see Store::Open.
Result<std::shared_ptr<glue::Transport>> OpenLocalTransport(
    const std::string& directory, const std::optional<std::string>& access_key_id,
    const std::string& region, std::shared_ptr<Clock> clock);

}  // namespace gluecat::store
