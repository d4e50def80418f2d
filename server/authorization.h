// Whether a caller may do something: what its own policies, the policy of its session and the
// policy of the catalog say together (AWS, "Policy evaluation logic" and "Cross-account policy
// evaluation logic").
//
//   * A deny in any of them wins.
//   * In the caller's own account, its own policies or the catalog's must allow.
//   * In another account, its own policies must allow, and the catalog's policy must too, or the
//     caller's `catalogs` must name the catalog.
//   * A session's policy only takes away from what the role may do.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "server/caller.h"
#include "server/glue_resources.h"
#include "server/policy_evaluation.h"

namespace gluecat::server {

// The keys of conditions, of a request of `caller`. `resource_account` owns what it is about.
ConditionValues ConditionValuesOf(const Caller& caller, std::string resource_account,
                                  Timestamp now);

// Everything but the resource of a decision about a catalog.
struct CatalogAccess {
  const Caller& caller;  // with permissions
  std::string catalog_id;
  std::string owner;  // the catalog's account
  std::string region;
  ActionName action;
  std::shared_ptr<const Policy> resource_policy;  // of the owner's catalog; null if it has none
  ConditionValues values;
};

// Errors: AccessDeniedException in AWS's words, naming caller, action, resource and the kind of
// policy that is to blame.
Status Authorize(const CatalogAccess& access, const ResourceName& resource);
// All of them, in this order.
Status Authorize(const CatalogAccess& access, const std::vector<ResourceName>& resources);

// For what is no catalog (roles): the caller's own policies and its session's only.
// Errors: AccessDeniedException.
Status AuthorizeByIdentity(const Caller& caller, const ActionName& action,
                           const ResourceName& resource, const ConditionValues& values);

}  // namespace gluecat::server
