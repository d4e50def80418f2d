#include "server/policy_evaluation.h"

#include <algorithm>

#include "core/base/text.h"

namespace gluecat::server {
namespace {

// Glue folds the names of databases, tables and functions; two spellings are one object.
LetterCase LettersOf(std::string_view arn) {
  constexpr std::size_t kPieces = 6;
  const auto pieces = Split(arn, ':');
  const bool folded = pieces.size() >= kPieces && pieces[2] == "glue" &&
                      (pieces[5].starts_with("database/") || pieces[5].starts_with("table/") ||
                       pieces[5].starts_with("userDefinedFunction/"));
  return folded ? LetterCase::kIgnored : LetterCase::kMatters;
}

bool MatchesAction(const Statement& statement, std::string_view action) {
  const bool any = std::ranges::any_of(statement.actions, [&](const auto& pattern) {
    return MatchesWildcard(pattern, action, LetterCase::kIgnored);
  });
  return any != statement.not_actions;
}

bool MatchesAction(const Statement& statement, const ActionName& action) {
  return MatchesAction(statement, action.name) ||
         (!action.other.empty() && MatchesAction(statement, action.other));
}

bool MatchesResource(const Statement& statement, const ResourceName& resource) {
  // All that lies below must be inside an allow, any of it inside a deny; outside with NotResource.
  Extent extent = Extent::kText;
  if (resource.with_all_below) {
    const bool all = (statement.effect == Effect::kAllow) != statement.not_resources;
    extent = all ? Extent::kEveryName : Extent::kAnyName;
  }
  const LetterCase letters = LettersOf(resource.arn);
  const bool any = std::ranges::any_of(statement.resources, [&](const auto& pattern) {
    return pattern == "*" || MatchesArn(pattern, resource.arn, letters, extent);
  });
  return any != statement.not_resources;
}

bool Applies(const Statement& statement, const Access& access) {
  return MatchesAction(statement, access.action) && MatchesResource(statement, access.resource) &&
         std::ranges::all_of(statement.conditions, [&](const auto& condition) {
           return Holds(condition, access.values);
         });
}

ResourceVerdict AllowedAs(const Principals& principals, const PrincipalNames& caller) {
  const auto names = [&](const std::string& name) {
    return !name.empty() && std::ranges::find(principals.names, name) != principals.names.end();
  };
  if (names(caller.session_arn)) return ResourceVerdict::kAllowSession;
  if (principals.everybody || names(caller.user_or_role_arn)) {
    return ResourceVerdict::kAllowPrincipal;
  }
  if (names(caller.account)) return ResourceVerdict::kAllowAccount;
  return ResourceVerdict::kNothing;
}

}  // namespace

Verdict Evaluate(const Policy& policy, const Access& access) {
  Verdict verdict = Verdict::kNothing;
  for (const auto& statement : policy.statements) {
    if (!Applies(statement, access)) continue;
    if (statement.effect == Effect::kDeny) return Verdict::kDeny;
    verdict = Verdict::kAllow;
  }
  return verdict;
}

ResourceVerdict EvaluateResourcePolicy(const Policy& policy, const PrincipalNames& caller,
                                       const Access& access) {
  auto verdict = ResourceVerdict::kNothing;
  for (const auto& statement : policy.statements) {
    const auto as = AllowedAs(statement.principals, caller);
    const bool meant = (as != ResourceVerdict::kNothing) != statement.not_principals;
    if (!meant || !Applies(statement, access)) continue;
    if (statement.effect == Effect::kDeny) return ResourceVerdict::kDeny;
    verdict = std::max(verdict, as);
  }
  return verdict;
}

}  // namespace gluecat::server
