// Who may do what: the accounts file of `gluecat serve` (docs/server.md).
//
// The file lists accounts; an account has users with long-lived keys and roles
// that others may assume. Each user and role says which actions it may call and
// in which catalogs. A deny always wins; what nothing allows is denied.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace gluecat::server {

// Actions like "glue:Get*" ('*' any text, '?' one character, case-insensitive) and catalogs.
struct Permissions {
  std::vector<std::string> allow;
  std::vector<std::string> deny;
  std::vector<std::string> catalogs;  // besides the own account's; "*" is every one

  bool AllowsAction(std::string_view action) const;
  bool DeniesAction(std::string_view action) const;
  bool ReachesCatalog(std::string_view own_account, std::string_view catalog_id) const;
};

struct User {
  std::string arn;
  std::string account;
  std::string access_key_id;
  std::string secret_access_key;
  Permissions permissions;
};

// One way to be let into a role.
struct Trust {
  std::string principal;                   // a 12-digit account, a user's or role's ARN, or "*"
  std::optional<std::string> external_id;  // must be given, and be this one
};

struct Role {
  std::string arn;
  std::string account;
  std::vector<Trust> trust;
  std::int64_t max_duration_seconds = 3600;
  Permissions permissions;
};

class Accounts {
 public:
  // Errors: kInvalidArgument, naming the place in the document. Unknown members are errors: a
  // misspelt restriction must not be ignored.
  static Result<Accounts> Parse(std::string_view json);
  static Result<Accounts> Load(const std::string& path);

  // nullptr if there is none.
  const User* FindUser(std::string_view access_key_id) const;
  const Role* FindRole(std::string_view arn) const;

 private:
  std::map<std::string, User, std::less<>> users_;  // by access key id
  std::map<std::string, Role, std::less<>> roles_;  // by ARN
};

// Whether `text` matches `pattern` with the wildcards * and ?, ignoring ASCII case.
bool MatchesWildcard(std::string_view pattern, std::string_view text);

bool IsAccountId(std::string_view text);

}  // namespace gluecat::server
