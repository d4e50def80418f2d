// What a Glue request is about: which action on which resources needs permission, and the names
// for the request log. One table over all operations (glue_resources.cc).
//
// Sources: AWS, "Actions, resources, and condition keys for AWS Glue" (which resources an action
// needs), "Specifying AWS Glue resource ARNs" (a resource needs permission on its ancestors too, a
// deletion on all that is deleted with it), and the operations of the Glue API (which action an
// operation without one of its own needs).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "server/policy_evaluation.h"

namespace gluecat::server {

struct GlueTarget {
  std::string catalog_id;
  std::string database;  // as in the request; empty if it names none
  std::string table;
  ActionName action;
  // What must be allowed, the most special first.
  std::vector<ResourceName> resources;

  // The account that the catalog belongs to: "111111111111:sales" is one of 111111111111.
  std::string owner() const;
};

// `account` is the catalog of requests that name none. Total: an operation that is not in the
// table, or a request that names nothing, is about the catalog.
GlueTarget TargetOf(std::string_view operation, JsonView request, std::string_view account,
                    std::string_view region);

// True if the table has `operation`.
bool HasResources(std::string_view operation);

// "aws", "aws-cn", "aws-us-gov", …: the second piece of ARNs in `region`.
std::string_view PartitionOf(std::string_view region);

// ARNs of what catalog `catalog_id` holds; the catalog's own path comes in front of names.
class CatalogArns {
 public:
  CatalogArns(std::string_view catalog_id, std::string_view region);

  // The account's catalog, and the catalogs down to this one: the ancestors of all else, the
  // nearest first.
  std::vector<ResourceName> Catalogs() const;
  ResourceName Catalog(std::string_view name) const;  // one directly below this one
  ResourceName Database(std::string_view database) const;
  ResourceName Table(std::string_view database, std::string_view table) const;
  ResourceName Function(std::string_view database, std::string_view function) const;
  ResourceName Connection(std::string_view connection) const;
  // Whatever is named `type`/… below a database, or below this catalog if `database` is empty.
  ResourceName AllBelow(std::string_view type, std::string_view database) const;

 private:
  std::string prefix_;  // "arn:aws:glue:eu-central-1:111111111111:"
  std::string path_;    // of the catalog below the account's, "" or "sales/"
};

}  // namespace gluecat::server
