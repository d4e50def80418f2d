#include "server/permissions.h"

#include <algorithm>
#include <utility>

#include "server/accounts_json.h"
#include "server/wildcard.h"

namespace gluecat::server {
namespace {

// The short form: actions on every resource.
Status AddShortForm(JsonView json, const std::string& place, std::string_view member, Effect effect,
                    Permissions& permissions) {
  GLUECAT_ASSIGN_OR_RETURN(auto actions, TextList(json, place, member));
  for (const auto& action : actions) {
    if (!IsActionPattern(action)) {
      return InvalidAccounts(place,
                             "has the action '" + action + "', which must be like 'glue:Get*'");
    }
  }
  if (actions.empty()) return {};
  Statement statement;
  statement.effect = effect;
  statement.actions = std::move(actions);
  statement.resources = {"*"};
  permissions.policies.push_back({{std::move(statement)}});
  return {};
}

}  // namespace

bool Permissions::NamesCatalog(std::string_view catalog_id) const {
  const std::string_view owner = catalog_id.substr(0, catalog_id.find(':'));
  return std::ranges::any_of(catalogs, [&](const auto& pattern) {
    return MatchesWildcard(pattern, catalog_id, LetterCase::kMatters) ||
           MatchesWildcard(pattern, owner, LetterCase::kMatters);
  });
}

void Permissions::Add(const Permissions& more) {
  policies.insert(policies.end(), more.policies.begin(), more.policies.end());
  catalogs.insert(catalogs.end(), more.catalogs.begin(), more.catalogs.end());
}

Result<Permissions> ReadPermissions(JsonView json, const std::string& place) {
  Permissions permissions;
  GLUECAT_RETURN_IF_ERROR(AddShortForm(json, place, "allow", Effect::kAllow, permissions));
  GLUECAT_RETURN_IF_ERROR(AddShortForm(json, place, "deny", Effect::kDeny, permissions));
  GLUECAT_ASSIGN_OR_RETURN(permissions.catalogs, TextList(json, place, "catalogs"));
  const JsonView policies = json["policies"];
  if (!policies.IsMissing() && !policies.IsArray()) {
    return InvalidAccounts(place, "'policies' must be a list");
  }
  std::size_t number = 0;
  for (const auto& document : policies.Elements()) {
    auto policy = ParseIdentityPolicy(document);
    ++number;
    if (!policy) {
      return InvalidAccounts(place + ", policy " + std::to_string(number) + ":",
                             policy.error().message);
    }
    permissions.policies.push_back(*std::move(policy));
  }
  return permissions;
}

}  // namespace gluecat::server
