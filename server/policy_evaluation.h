// What a policy says of one action on one resource (AWS, "Policy evaluation logic"). How the
// answers of several policies become a decision is authorization.h's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/policy.h"
#include "server/policy_condition.h"
#include "server/wildcard.h"

namespace gluecat::server {

// A resource by its ARN; database, table and function names in lower case, as Glue stores them.
struct ResourceName {
  std::string arn;
  // All that lies below `arn`, which ends in '/': what deleting a database deletes. To be allowed,
  // all of it must be; to be denied, any name in it.
  bool with_all_below = false;
};

// Both names are documented for the call: a policy that allows either allows it, one that denies
// either denies it.
struct ActionName {
  std::string name;   // "glue:GetTable"
  std::string other;  // empty for most
};

struct Access {
  const ActionName& action;
  const ResourceName& resource;
  const ConditionValues& values;
};

enum class Verdict : std::uint8_t { kNothing, kAllow, kDeny };

// A deny wins over every allow. The principals of statements are not looked at.
Verdict Evaluate(const Policy& policy, const Access& access);

// Who asks, as resource policies name principals.
struct PrincipalNames {
  std::string account;
  std::string user_or_role_arn;  // of a session, its role's
  std::string session_arn;       // empty for users
};

// What a resource policy says of a caller. An account that is allowed still has to allow its
// users; a user, role or session that is allowed by its own name (or with '*') is allowed within
// the same account whatever its own policies leave out, a session even if the policy that it was
// opened with leaves it out.
enum class ResourceVerdict : std::uint8_t {
  kNothing,
  kAllowAccount,
  kAllowPrincipal,
  kAllowSession,
  kDeny,
};

ResourceVerdict EvaluateResourcePolicy(const Policy& policy, const PrincipalNames& caller,
                                       const Access& access);

}  // namespace gluecat::server
