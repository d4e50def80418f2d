#include "server/authorization.h"

#include <utility>

#include "store/service_errors.h"

namespace gluecat::server {
namespace {

// A caller's own policies are one: any of them allows or denies.
Verdict EvaluateAll(const std::vector<Policy>& policies, const Access& access) {
  auto verdict = Verdict::kNothing;
  for (const auto& policy : policies) {
    const auto one = Evaluate(policy, access);
    if (one == Verdict::kDeny) return one;
    if (one == Verdict::kAllow) verdict = one;
  }
  return verdict;
}

// What the session's policy leaves of the role's permissions; all of them without one.
Verdict EvaluateSession(const Caller& caller, const Access& access) {
  return caller.session_policy == nullptr ? Verdict::kAllow
                                          : Evaluate(*caller.session_policy, access);
}

std::unexpected<Error> Refuse(const Caller& caller, const Access& access, std::string reason) {
  return store::ServiceError(
      "AccessDeniedException",
      "User: " + caller.arn + " is not authorized to perform: " + access.action.name +
          " on resource: " + access.resource.arn + (access.resource.with_all_below ? "*" : "") +
          " " + std::move(reason));
}

std::unexpected<Error> Denied(const Caller& caller, const Access& access, std::string_view kind) {
  return Refuse(caller, access, "with an explicit deny in " + std::string(kind) + " policy");
}

std::unexpected<Error> NotAllowed(const Caller& caller, const Access& access,
                                  std::string_view kind) {
  return Refuse(
      caller, access,
      "because no " + std::string(kind) + " policy allows the " + access.action.name + " action");
}

PrincipalNames NamesOf(const Caller& caller) {
  if (caller.role_arn.empty()) return {caller.account, caller.arn, ""};
  return {caller.account, caller.role_arn, caller.arn};
}

// What the caller's own policies, its session's and what the resource's policy says decide
// together. `own`: the resource is of the caller's account. `named`: the caller's permissions name
// the catalog as one that needs no resource policy.
Status Decide(const Caller& caller, const Access& access, ResourceVerdict by_resource, bool own,
              bool named) {
  const auto identity = EvaluateAll(caller.permissions->policies, access);
  if (identity == Verdict::kDeny) return Denied(caller, access, "an identity-based");
  const auto session = EvaluateSession(caller, access);
  if (session == Verdict::kDeny) return Denied(caller, access, "a session");
  if (by_resource == ResourceVerdict::kDeny) return Denied(caller, access, "a resource-based");
  if (own && by_resource == ResourceVerdict::kAllowSession) return {};
  const bool principal_allowed = own && by_resource == ResourceVerdict::kAllowPrincipal;
  if (identity != Verdict::kAllow && !principal_allowed) {
    return NotAllowed(caller, access, "identity-based");
  }
  if (session != Verdict::kAllow) return NotAllowed(caller, access, "session");
  if (own || named || by_resource != ResourceVerdict::kNothing) return {};
  return NotAllowed(caller, access, "resource-based");
}

}  // namespace

ConditionValues ConditionValuesOf(const Caller& caller, std::string resource_account,
                                  Timestamp now) {
  ConditionValues values;
  values.principal_arn = caller.role_arn.empty() ? caller.arn : caller.role_arn;
  values.principal_account = caller.account;
  values.user_id = caller.user_id;
  values.user_name = caller.user_name;
  values.requested_region = caller.region;
  values.resource_account = std::move(resource_account);
  values.source_ip = caller.source_ip;
  values.secure_transport = caller.secure_transport;
  values.current_time = now;
  return values;
}

Status Authorize(const CatalogAccess& access, const ResourceName& resource) {
  const Caller& caller = access.caller;
  const Access one{access.action, resource, access.values};
  const auto by_resource =
      access.resource_policy == nullptr
          ? ResourceVerdict::kNothing
          : EvaluateResourcePolicy(*access.resource_policy, NamesOf(caller), one);
  return Decide(caller, one, by_resource, access.owner == caller.account,
                caller.permissions->NamesCatalog(access.catalog_id));
}

Status Authorize(const CatalogAccess& access, const std::vector<ResourceName>& resources) {
  for (const auto& resource : resources) {
    GLUECAT_RETURN_IF_ERROR(Authorize(access, resource));
  }
  return {};
}

Status AuthorizeByIdentity(const Caller& caller, const ActionName& action,
                           const ResourceName& resource, const ConditionValues& values) {
  // As if it were of the caller's account, without a policy of its own.
  return Decide(caller, {action, resource, values}, ResourceVerdict::kNothing, true, false);
}

}  // namespace gluecat::server
