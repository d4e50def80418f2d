#include "store/local_transport.h"

#include <algorithm>
#include <utility>

namespace gluecat::store {

Principal PrincipalOfAccessKey(std::string_view access_key_id, std::string region) {
  constexpr std::size_t kAccountDigits = 12;
  const bool account = access_key_id.size() == kAccountDigits &&
                       std::all_of(access_key_id.begin(), access_key_id.end(),
                                   [](char c) { return c >= '0' && c <= '9'; });
  Principal principal;
  principal.account = account ? access_key_id : kDefaultAccount;
  principal.region = std::move(region);
  principal.arn = "arn:aws:iam::" + principal.account + ":root";
  return principal;
}

LocalTransport::LocalTransport(std::shared_ptr<Store> store, Principal principal,
                               std::shared_ptr<Clock> clock)
    : store_(std::move(store)), principal_(std::move(principal)), clock_(std::move(clock)) {}

Result<std::string> LocalTransport::Call(std::string_view operation, std::string_view body,
                                         const glue::CallContext& context) {
  if (context.cancellation.IsCancelled())
    return Fail(ErrorKind::kCancelled, "the call was cancelled");
  if (context.deadline && clock_->SteadyNow() >= *context.deadline) {
    return Fail(ErrorKind::kTimeout, "the deadline passed before the call started");
  }
  return store_->Execute(principal_, operation, body);
}

Result<std::shared_ptr<glue::Transport>> OpenLocalTransport(
    const std::string& directory, const std::optional<std::string>& access_key_id,
    const std::string& region, std::shared_ptr<Clock> clock) {
  GLUECAT_ASSIGN_OR_RETURN(auto store, Store::Open(directory, clock));
  return std::make_shared<LocalTransport>(
      std::move(store), PrincipalOfAccessKey(access_key_id.value_or(""), region), std::move(clock));
}

}  // namespace gluecat::store
