// The resource policies of catalogs, as they are in the store at the moment of asking.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "server/authorization.h"
#include "server/policy.h"
#include "store/store.h"

namespace gluecat::server {

class CatalogPolicies {
 public:
  explicit CatalogPolicies(std::shared_ptr<store::Store> store) : store_(std::move(store)) {}

  // The policy of the catalog of `account` in `region`; nullptr if it has none. Read from the
  // store each time, because other processes change it, and parsed only when its text is another
  // one. Errors: kInvalidData if the text is no policy (processes that open the directory
  // themselves can put any), and those of the store.
  Result<std::shared_ptr<const Policy>> Of(const std::string& account, const std::string& region);

 private:
  struct Parsed {
    std::string text;
    Result<std::shared_ptr<const Policy>> policy;
  };

  std::shared_ptr<store::Store> store_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Parsed> parsed_;  // by account and region
};

// Whether `text` may become the policy of a catalog of `account`: it must be a policy, and with
// `access` (nullptr if everything is allowed) one that does not keep the caller from putting the
// next one.
// Errors: InvalidInputException.
Status CheckNewPolicy(std::string_view text, const std::string& account, const std::string& region,
                      const CatalogAccess* access);

}  // namespace gluecat::server
