// Who may do what: the accounts file of `gluecat serve` (docs/server.md).
//
// The file lists accounts; an account has users with long-lived keys, groups of them, roles that
// others may assume, and the OpenID Connect providers whose tokens open roles.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/environment.h"
#include "core/base/result.h"
#include "server/account_id.h"
#include "server/oidc_provider.h"
#include "server/permissions.h"

namespace gluecat::server {

struct User {
  std::string arn;
  std::string account;
  std::string name;
  std::string access_key_id;
  std::string secret_access_key;
  Permissions permissions;  // its own and those of its groups
};

// One way to be let into a role by AssumeRole.
struct Trust {
  // A 12-digit account, the ARN of a user, a role or an assumed role, or "*".
  std::string principal;
  std::optional<std::string> external_id;  // must be given, and be this one
};

// One way to be let into a role by AssumeRoleWithWebIdentity.
struct WebIdentityTrust {
  std::shared_ptr<const OidcProvider> provider;
  std::string subject;                  // of the token, with wildcards
  std::optional<std::string> audience;  // one of the provider's if it is left out
};

struct Role {
  std::string arn;
  std::string account;
  std::vector<Trust> trust;
  std::vector<WebIdentityTrust> web_identities;
  std::int64_t max_duration_seconds = 3600;
  Permissions permissions;
};

class Accounts {
 public:
  // `files` holds the keys of providers that the document names by file, relative to `directory`.
  // Errors: kInvalidArgument, naming the place in the document. Unknown members are errors: a
  // misspelt restriction must not be ignored.
  static Result<Accounts> Parse(std::string_view json,
                                const Environment& files = FixedEnvironment(),
                                const std::string& directory = "");
  static Result<Accounts> Load(const std::string& path);

  // nullptr if there is none.
  const User* FindUser(std::string_view access_key_id) const;
  const Role* FindRole(std::string_view arn) const;
  // The provider of `account` with this issuer.
  const OidcProvider* FindProvider(std::string_view account, std::string_view issuer) const;

 private:
  std::map<std::string, User, std::less<>> users_;  // by access key id
  std::map<std::string, Role, std::less<>> roles_;  // by ARN
  std::multimap<std::string, std::shared_ptr<const OidcProvider>, std::less<>> providers_;
};

}  // namespace gluecat::server
