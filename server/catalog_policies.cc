#include "server/catalog_policies.h"

#include <utility>

#include "store/service_errors.h"

namespace gluecat::server {
namespace {

// Far more than a server has accounts; beyond, everything is parsed again.
constexpr std::size_t kMaxParsed = 1024;

Result<std::shared_ptr<const Policy>> Parse(std::string_view text, const std::string& account,
                                            const std::string& region) {
  auto policy = ParseResourcePolicy(text, account, region);
  if (!policy) {
    return Fail(ErrorKind::kInvalidData, std::move(policy).error().message);
  }
  return std::make_shared<const Policy>(*std::move(policy));
}

}  // namespace

Result<std::shared_ptr<const Policy>> CatalogPolicies::Of(const std::string& account,
                                                          const std::string& region) {
  const store::Principal owner{.account = account, .region = region, .arn = ""};
  const auto answer = store_->Execute(owner, "GetResourcePolicy", "{}");
  if (!answer) {
    if (answer.error().code == "EntityNotFoundException") return nullptr;
    return Fail(answer.error());
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(*answer));
  const std::string text = document.root()["PolicyInJson"].StringOr("");
  const std::lock_guard lock(mutex_);
  const std::pair key(account, region);
  if (const auto found = parsed_.find(key); found != parsed_.end()) {
    if (found->second.text == text) return found->second.policy;
    parsed_.erase(found);
  }
  if (parsed_.size() >= kMaxParsed) parsed_.clear();
  auto policy = Parse(text, account, region);
  parsed_.emplace(key, Parsed{text, policy});
  return policy;
}

Status CheckNewPolicy(std::string_view text, const std::string& account, const std::string& region,
                      const CatalogAccess* access) {
  auto policy = ParseResourcePolicy(text, account, region);
  if (!policy) {
    return store::InvalidInput("The resource policy is not valid: " + policy.error().message + ".");
  }
  if (access == nullptr) return {};
  CatalogAccess after = *access;
  after.resource_policy = std::make_shared<const Policy>(*std::move(policy));
  if (!Authorize(after, CatalogArns(account, region).Catalogs())) {
    return store::InvalidInput(
        "The resource policy is not valid: with it, you could not put another one.");
  }
  return {};
}

}  // namespace gluecat::server
