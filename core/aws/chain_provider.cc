#include "core/aws/chain_provider.h"

#include <string>
#include <utility>

namespace gluecat::aws {

ChainProvider::ChainProvider(std::vector<std::shared_ptr<CredentialsProvider>> members)
    : members_(std::move(members)) {}

Result<Credentials> ChainProvider::Resolve(const CallLimits& limits) {
  std::string tried;
  for (const auto& member : members_) {
    auto credentials = member->Resolve(limits);
    if (credentials) return credentials;
    const std::string member_name(member->name());
    if (credentials.error().kind != ErrorKind::kNotFound) {
      return Fail(WithContext(std::move(credentials).error(), "credentials from " + member_name));
    }
    if (!tried.empty()) tried += "; ";
    tried += member_name + ": " + credentials.error().message;
  }
  return Fail(
      ErrorKind::kUnauthenticated,
      "no AWS credentials found; configure one of these sources, asked in this order: " + tried);
}

void ChainProvider::Invalidate(const Credentials& refused) {
  for (const auto& member : members_) member->Invalidate(refused);
}

}  // namespace gluecat::aws
