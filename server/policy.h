// IAM policy documents: of users and roles, of sessions, and of catalogs (AWS, "IAM JSON policy
// elements reference" and "Resource-based policy examples for AWS Glue").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "server/policy_condition.h"

namespace gluecat::server {

// AWS's limits, in characters: of a role's inline policies, of a catalog's policy, of the policy
// that is handed to AssumeRole.
inline constexpr std::size_t kMaxIdentityPolicy = 10'240;
inline constexpr std::size_t kMaxResourcePolicy = 10'240;
inline constexpr std::size_t kMaxSessionPolicy = 2'048;

enum class Effect : std::uint8_t { kAllow, kDeny };

// Whom a statement of a resource policy is about.
struct Principals {
  bool everybody = false;
  // 12-digit accounts (arn:aws:iam::<account>:root is written as that), ARNs of users, roles and
  // sessions of roles.
  std::vector<std::string> names;
};

struct Statement {
  Effect effect = Effect::kAllow;
  bool not_actions = false;            // NotAction: all but `actions`
  std::vector<std::string> actions;    // "*" or like "glue:Get*"
  bool not_resources = false;          // NotResource: all but `resources`
  std::vector<std::string> resources;  // "*" or ARNs with wildcards
  bool not_principals = false;         // NotPrincipal: all but `principals`
  Principals principals;               // of resource policies only
  std::vector<Condition> conditions;   // all must hold
};

struct Policy {
  std::vector<Statement> statements;
};

// Reads a policy of a user, a role or a session. Elements, operators and keys of conditions that
// are not known here are errors, as are policy variables ("${aws:username}"): a restriction must
// not be ignored.
// Errors: kInvalidArgument, naming the statement and the element.
Result<Policy> ParseIdentityPolicy(JsonView json);
Result<Policy> ParseIdentityPolicy(std::string_view text, std::size_t max_characters);

// Reads the policy of the catalog of `account` in `region`. Every statement needs a Principal or
// NotPrincipal; its resources must be ARNs of that catalog.
// Errors: kInvalidArgument, as above.
Result<Policy> ParseResourcePolicy(std::string_view text, std::string_view account,
                                   std::string_view region);

// True for "*" and patterns like "glue:Get*".
bool IsActionPattern(std::string_view text);

}  // namespace gluecat::server
