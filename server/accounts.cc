#include "server/accounts.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/json.h"
#include "server/accounts_json.h"

namespace gluecat::server {
namespace {

constexpr std::int64_t kMinDuration = 900;
constexpr std::int64_t kMaxDuration = 43200;

using Groups = std::map<std::string, Permissions, std::less<>>;
using Providers = std::map<std::string, std::shared_ptr<const OidcProvider>, std::less<>>;

std::string PlaceIn(const std::string& place, std::string_view kind, const std::string& name) {
  return place + ", " + std::string(kind) + " " + name;
}

Result<User> ReadUser(JsonView json, const std::string& account, const std::string& name,
                      const Groups& groups) {
  User user;
  user.account = account;
  user.arn = "arn:aws:iam::" + account + ":user/" + name;
  user.name = name.substr(name.rfind('/') + 1);
  const std::string place = "user " + user.arn;
  GLUECAT_RETURN_IF_ERROR(CheckMembers(
      json, place,
      {"access_key", "secret_key", "allow", "deny", "catalogs", "policies", "groups"}));
  GLUECAT_ASSIGN_OR_RETURN(user.access_key_id, RequiredText(json, place, "access_key"));
  GLUECAT_ASSIGN_OR_RETURN(user.secret_access_key, RequiredText(json, place, "secret_key"));
  GLUECAT_ASSIGN_OR_RETURN(user.permissions, ReadPermissions(json, place));
  GLUECAT_ASSIGN_OR_RETURN(const auto names, TextList(json, place, "groups"));
  for (const auto& group : names) {
    const auto found = groups.find(group);
    if (found == groups.end()) {
      return InvalidAccounts(place, "is in the group '" + group + "', which its account lacks");
    }
    user.permissions.Add(found->second);
  }
  return user;
}

Result<WebIdentityTrust> ReadWebIdentity(JsonView json, const std::string& place,
                                         const Providers& providers) {
  GLUECAT_RETURN_IF_ERROR(CheckMembers(json, place, {"provider", "subject", "audience"}));
  WebIdentityTrust trust;
  GLUECAT_ASSIGN_OR_RETURN(const auto provider, RequiredText(json, place, "provider"));
  GLUECAT_ASSIGN_OR_RETURN(trust.subject, RequiredText(json, place, "subject"));
  const auto found = providers.find(provider);
  if (found == providers.end()) {
    return InvalidAccounts(
        place, "names the provider '" + provider + "', which its account lacks under 'oidc'");
  }
  trust.provider = found->second;
  if (!json["audience"].IsMissing()) {
    GLUECAT_ASSIGN_OR_RETURN(trust.audience, RequiredText(json, place, "audience"));
    if (std::ranges::find(trust.provider->audiences, *trust.audience) ==
        trust.provider->audiences.end()) {
      return InvalidAccounts(
          place, "has the audience '" + *trust.audience + "', which is none of the provider's");
    }
  }
  return trust;
}

Status ReadTrust(JsonView json, const std::string& place, const Providers& providers, Role& role) {
  if (!json["web_identity"].IsMissing()) {
    GLUECAT_RETURN_IF_ERROR(CheckMembers(json, place, {"web_identity"}));
    GLUECAT_ASSIGN_OR_RETURN(
        auto trust, ReadWebIdentity(json["web_identity"], place + ", web_identity", providers));
    role.web_identities.push_back(std::move(trust));
    return {};
  }
  GLUECAT_RETURN_IF_ERROR(CheckMembers(json, place, {"principal", "external_id"}));
  Trust trust;
  GLUECAT_ASSIGN_OR_RETURN(trust.principal, RequiredText(json, place, "principal"));
  if (!IsAccountId(trust.principal) && !trust.principal.starts_with("arn:") &&
      trust.principal != "*") {
    return InvalidAccounts(place, "has '" + trust.principal + "', which is no account, ARN or '*'");
  }
  if (!json["external_id"].IsMissing()) {
    GLUECAT_ASSIGN_OR_RETURN(trust.external_id, RequiredText(json, place, "external_id"));
  }
  role.trust.push_back(std::move(trust));
  return {};
}

Result<Role> ReadRole(JsonView json, const std::string& account, const std::string& name,
                      const Providers& providers) {
  Role role;
  role.account = account;
  role.arn = "arn:aws:iam::" + account + ":role/" + name;
  const std::string place = "role " + role.arn;
  GLUECAT_RETURN_IF_ERROR(CheckMembers(
      json, place, {"trust", "max_duration", "allow", "deny", "catalogs", "policies"}));
  if (!json["trust"].IsArray()) return InvalidAccounts(place, "needs the list 'trust'");
  for (const auto& entry : json["trust"].Elements()) {
    GLUECAT_RETURN_IF_ERROR(ReadTrust(entry, place + ", trust", providers, role));
  }
  if (const JsonView duration = json["max_duration"]; !duration.IsMissing()) {
    role.max_duration_seconds = duration.IntOr(0);
    if (role.max_duration_seconds < kMinDuration || role.max_duration_seconds > kMaxDuration) {
      return InvalidAccounts(place, "'max_duration' must be between 900 and 43200 seconds");
    }
  }
  GLUECAT_ASSIGN_OR_RETURN(role.permissions, ReadPermissions(json, place));
  return role;
}

Result<Groups> ReadGroups(JsonView account, const std::string& place) {
  GLUECAT_ASSIGN_OR_RETURN(const auto members, NamedMembers(account, place, "groups"));
  Groups groups;
  for (const auto& [name, value] : members) {
    const std::string group_place = PlaceIn(place, "group", name);
    GLUECAT_RETURN_IF_ERROR(
        CheckMembers(value, group_place, {"allow", "deny", "catalogs", "policies"}));
    GLUECAT_ASSIGN_OR_RETURN(auto permissions, ReadPermissions(value, group_place));
    groups.emplace(name, std::move(permissions));
  }
  return groups;
}

Result<Providers> ReadProviders(JsonView account, const std::string& id, const Environment& files,
                                const std::string& directory) {
  const std::string place = "account " + id;
  GLUECAT_ASSIGN_OR_RETURN(const auto members, NamedMembers(account, place, "oidc"));
  Providers providers;
  for (const auto& [name, value] : members) {
    GLUECAT_ASSIGN_OR_RETURN(
        auto provider, ReadOidcProvider(value, PlaceIn(place, "provider", name), files, directory));
    for (const auto& [other, known] : providers) {
      if (known->issuer == provider.issuer) {
        return InvalidAccounts(place, "has the issuer " + provider.issuer + " in two providers");
      }
    }
    const std::size_t scheme = provider.issuer.find("://");
    provider.name = name;
    provider.arn = "arn:aws:iam::" + id + ":oidc-provider/" +
                   provider.issuer.substr(
                       scheme == std::string::npos ? 0 : scheme + std::string_view("://").size());
    providers.emplace(name, std::make_shared<const OidcProvider>(std::move(provider)));
  }
  return providers;
}

}  // namespace

Result<Accounts> Accounts::Parse(std::string_view json, const Environment& files,
                                 const std::string& directory) {
  auto document = JsonDocument::Parse(json);
  if (!document) return InvalidAccounts("it", "is " + document.error().message);
  const JsonView root = document->root();
  GLUECAT_RETURN_IF_ERROR(CheckMembers(root, "the top level", {"accounts"}));
  if (!root["accounts"].IsObject()) return InvalidAccounts("it", "needs the object 'accounts'");
  GLUECAT_ASSIGN_OR_RETURN(const auto members, NamedMembers(root, "the top level", "accounts"));
  Accounts accounts;
  for (const auto& [id, account] : members) {
    if (!IsAccountId(id)) return InvalidAccounts("account '" + id + "'", "must have 12 digits");
    const std::string place = "account " + id;
    GLUECAT_RETURN_IF_ERROR(CheckMembers(account, place, {"users", "groups", "roles", "oidc"}));
    GLUECAT_ASSIGN_OR_RETURN(const auto groups, ReadGroups(account, place));
    GLUECAT_ASSIGN_OR_RETURN(const auto providers, ReadProviders(account, id, files, directory));
    for (const auto& [name, provider] : providers) accounts.providers_.emplace(id, provider);
    GLUECAT_ASSIGN_OR_RETURN(const auto users, NamedMembers(account, place, "users"));
    for (const auto& [name, value] : users) {
      GLUECAT_ASSIGN_OR_RETURN(auto user, ReadUser(value, id, name, groups));
      std::string key = user.access_key_id;
      const std::string arn = user.arn;
      if (!accounts.users_.emplace(std::move(key), std::move(user)).second) {
        return InvalidAccounts("user " + arn, "has the access key of another user");
      }
    }
    GLUECAT_ASSIGN_OR_RETURN(const auto roles, NamedMembers(account, place, "roles"));
    for (const auto& [name, value] : roles) {
      GLUECAT_ASSIGN_OR_RETURN(auto role, ReadRole(value, id, name, providers));
      std::string arn = role.arn;
      accounts.roles_.emplace(std::move(arn), std::move(role));
    }
  }
  return accounts;
}

Result<Accounts> Accounts::Load(const std::string& path) {
  const auto files = ProcessEnvironment();
  auto text = files->ReadFile(path);
  if (!text) return Fail(WithContext(std::move(text).error(), "accounts file " + path));
  return Parse(*text, *files, std::filesystem::path(path).parent_path().string());
}

const User* Accounts::FindUser(std::string_view access_key_id) const {
  const auto found = users_.find(access_key_id);
  return found == users_.end() ? nullptr : &found->second;
}

const Role* Accounts::FindRole(std::string_view arn) const {
  const auto found = roles_.find(arn);
  return found == roles_.end() ? nullptr : &found->second;
}

const OidcProvider* Accounts::FindProvider(std::string_view account,
                                           std::string_view issuer) const {
  const auto [begin, end] = providers_.equal_range(account);
  const auto found =
      std::find_if(begin, end, [&](const auto& each) { return each.second->issuer == issuer; });
  return found == end ? nullptr : found->second.get();
}

}  // namespace gluecat::server
