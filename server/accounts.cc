#include "server/accounts.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/base/environment.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace gluecat::server {
namespace {

constexpr std::size_t kAccountDigits = 12;
constexpr std::int64_t kMinDuration = 900;
constexpr std::int64_t kMaxDuration = 43200;

std::unexpected<Error> Invalid(const std::string& place, std::string_view what) {
  return Fail(ErrorKind::kInvalidArgument, "accounts file: " + place + " " + std::string(what));
}

Status CheckMembers(JsonView json, const std::string& place,
                    std::initializer_list<std::string_view> allowed) {
  if (!json.IsObject()) return Invalid(place, "must be an object");
  for (const auto& [name, value] : json.Members()) {
    if (std::ranges::find(allowed, name) == allowed.end()) {
      return Invalid(place, "has the unknown member '" + std::string(name) + "'");
    }
  }
  return {};
}

Result<std::string> RequiredText(JsonView json, const std::string& place, std::string_view member) {
  const auto text = json[member].AsString();
  if (!text || text->empty()) return Invalid(place, "needs the text '" + std::string(member) + "'");
  return std::string(*text);
}

Result<std::vector<std::string>> TextList(JsonView json, const std::string& place,
                                          std::string_view member) {
  std::vector<std::string> list;
  const JsonView value = json[member];
  if (value.IsMissing()) return list;
  if (!value.IsArray()) return Invalid(place, "'" + std::string(member) + "' must be a list");
  for (const auto& element : value.Elements()) {
    const auto text = element.AsString();
    if (!text) return Invalid(place, "'" + std::string(member) + "' must be a list of texts");
    list.emplace_back(*text);
  }
  return list;
}

Result<Permissions> ReadPermissions(JsonView json, const std::string& place) {
  Permissions permissions;
  GLUECAT_ASSIGN_OR_RETURN(permissions.allow, TextList(json, place, "allow"));
  GLUECAT_ASSIGN_OR_RETURN(permissions.deny, TextList(json, place, "deny"));
  GLUECAT_ASSIGN_OR_RETURN(permissions.catalogs, TextList(json, place, "catalogs"));
  for (const auto* list : {&permissions.allow, &permissions.deny}) {
    for (const auto& action : *list) {
      if (action != "*" && action.find(':') == std::string::npos) {
        return Invalid(place, "has the action '" + action + "', which must be like 'glue:Get*'");
      }
    }
  }
  return permissions;
}

Result<User> ReadUser(JsonView json, const std::string& account, std::string_view name) {
  User user;
  user.account = account;
  user.arn = "arn:aws:iam::" + account + ":user/" + std::string(name);
  const std::string place = "user " + user.arn;
  GLUECAT_RETURN_IF_ERROR(
      CheckMembers(json, place, {"access_key", "secret_key", "allow", "deny", "catalogs"}));
  GLUECAT_ASSIGN_OR_RETURN(user.access_key_id, RequiredText(json, place, "access_key"));
  GLUECAT_ASSIGN_OR_RETURN(user.secret_access_key, RequiredText(json, place, "secret_key"));
  GLUECAT_ASSIGN_OR_RETURN(user.permissions, ReadPermissions(json, place));
  return user;
}

Result<Role> ReadRole(JsonView json, const std::string& account, std::string_view name) {
  Role role;
  role.account = account;
  role.arn = "arn:aws:iam::" + account + ":role/" + std::string(name);
  const std::string place = "role " + role.arn;
  GLUECAT_RETURN_IF_ERROR(
      CheckMembers(json, place, {"trust", "max_duration", "allow", "deny", "catalogs"}));
  if (!json["trust"].IsArray()) return Invalid(place, "needs the list 'trust'");
  for (const auto& entry : json["trust"].Elements()) {
    GLUECAT_RETURN_IF_ERROR(CheckMembers(entry, place + ", trust", {"principal", "external_id"}));
    Trust trust;
    GLUECAT_ASSIGN_OR_RETURN(trust.principal, RequiredText(entry, place + ", trust", "principal"));
    if (!IsAccountId(trust.principal) && !trust.principal.starts_with("arn:") &&
        trust.principal != "*") {
      return Invalid(place, "trusts '" + trust.principal + "', which is no account, ARN or '*'");
    }
    if (!entry["external_id"].IsMissing()) {
      GLUECAT_ASSIGN_OR_RETURN(trust.external_id,
                               RequiredText(entry, place + ", trust", "external_id"));
    }
    role.trust.push_back(std::move(trust));
  }
  if (const JsonView duration = json["max_duration"]; !duration.IsMissing()) {
    role.max_duration_seconds = duration.IntOr(0);
    if (role.max_duration_seconds < kMinDuration || role.max_duration_seconds > kMaxDuration) {
      return Invalid(place, "'max_duration' must be between 900 and 43200 seconds");
    }
  }
  GLUECAT_ASSIGN_OR_RETURN(role.permissions, ReadPermissions(json, place));
  return role;
}

bool AnyMatches(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const auto& pattern) { return MatchesWildcard(pattern, text); });
}

}  // namespace

bool IsAccountId(std::string_view text) {
  return text.size() == kAccountDigits &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool MatchesWildcard(std::string_view pattern, std::string_view text) {
  const std::string lower_pattern = ToLowerAscii(pattern);
  const std::string lower_text = ToLowerAscii(text);
  std::size_t p = 0;
  std::size_t t = 0;
  std::optional<std::pair<std::size_t, std::size_t>> retry;
  while (t < lower_text.size()) {
    if (p < lower_pattern.size() && lower_pattern[p] == '*') {
      retry = {++p, t};
    } else if (p < lower_pattern.size() &&
               (lower_pattern[p] == '?' || lower_pattern[p] == lower_text[t])) {
      ++p;
      ++t;
    } else if (retry) {
      p = retry->first;
      t = ++retry->second;
    } else {
      return false;
    }
  }
  while (p < lower_pattern.size() && lower_pattern[p] == '*') ++p;
  return p == lower_pattern.size();
}

bool Permissions::AllowsAction(std::string_view action) const { return AnyMatches(allow, action); }
bool Permissions::DeniesAction(std::string_view action) const { return AnyMatches(deny, action); }

bool Permissions::ReachesCatalog(std::string_view own_account, std::string_view catalog_id) const {
  // "account:catalog/…" belongs to the account in front.
  const std::string_view owner = catalog_id.substr(0, catalog_id.find(':'));
  return owner == own_account || AnyMatches(catalogs, catalog_id) || AnyMatches(catalogs, owner);
}

Result<Accounts> Accounts::Parse(std::string_view json) {
  auto document = JsonDocument::Parse(json);
  if (!document) return Invalid("it", "is " + document.error().message);
  const JsonView root = document->root();
  GLUECAT_RETURN_IF_ERROR(CheckMembers(root, "the top level", {"accounts"}));
  if (!root["accounts"].IsObject()) return Invalid("it", "needs the object 'accounts'");
  Accounts accounts;
  for (const auto& [id, account] : root["accounts"].Members()) {
    const std::string account_id(id);
    if (!IsAccountId(id)) return Invalid("account '" + account_id + "'", "must have 12 digits");
    GLUECAT_RETURN_IF_ERROR(CheckMembers(account, "account " + account_id, {"users", "roles"}));
    for (const auto& [name, value] : account["users"].Members()) {
      GLUECAT_ASSIGN_OR_RETURN(auto user, ReadUser(value, account_id, name));
      std::string key = user.access_key_id;
      const std::string arn = user.arn;
      if (!accounts.users_.emplace(std::move(key), std::move(user)).second) {
        return Invalid("user " + arn, "has the access key of another user");
      }
    }
    for (const auto& [name, value] : account["roles"].Members()) {
      GLUECAT_ASSIGN_OR_RETURN(auto role, ReadRole(value, account_id, name));
      std::string arn = role.arn;
      accounts.roles_.emplace(std::move(arn), std::move(role));
    }
  }
  return accounts;
}

Result<Accounts> Accounts::Load(const std::string& path) {
  auto text = ProcessEnvironment()->ReadFile(path);
  if (!text) return Fail(WithContext(std::move(text).error(), "accounts file " + path));
  return Parse(*text);
}

const User* Accounts::FindUser(std::string_view access_key_id) const {
  const auto found = users_.find(access_key_id);
  return found == users_.end() ? nullptr : &found->second;
}

const Role* Accounts::FindRole(std::string_view arn) const {
  const auto found = roles_.find(arn);
  return found == roles_.end() ? nullptr : &found->second;
}

}  // namespace gluecat::server
