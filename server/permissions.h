// What a user, a group or a role of the accounts file may do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "server/policy.h"

namespace gluecat::server {

struct Permissions {
  // IAM policies; `allow` and `deny` of the file are two more, on every resource.
  std::vector<Policy> policies;
  // Catalogs of other accounts that need no resource policy, with wildcards; ours, not IAM's.
  std::vector<std::string> catalogs;

  // True if `catalogs` has the catalog ("111111111111:sales") or its account.
  bool NamesCatalog(std::string_view catalog_id) const;

  // Adds what `more` may and may not do.
  void Add(const Permissions& more);
};

// The members `allow`, `deny`, `catalogs` and `policies` of `json`.
// Errors: kInvalidArgument, naming the place.
Result<Permissions> ReadPermissions(JsonView json, const std::string& place);

}  // namespace gluecat::server
