#include "server/resource.h"

#include "store/resource_arn.h"

namespace gluecat::server {
namespace {

// These work in the catalog of their ResourceArn; others do not look at such a member.
bool IsAboutAnArn(std::string_view operation) {
  return operation == "TagResource" || operation == "UntagResource" || operation == "GetTags" ||
         operation.ends_with("ResourcePolicy");
}

}  // namespace

std::string Resource::Arn(std::string_view region) const {
  std::string arn = "arn:aws:glue:" + std::string(region) + ":" +
                    catalog_id.substr(0, catalog_id.find(':')) + ":";
  if (!table.empty()) return arn + "table/" + database + "/" + table;
  if (!database.empty()) return arn + "database/" + database;
  return arn + "catalog";
}

Resource ResourceOf(std::string_view operation, JsonView request, std::string_view account) {
  Resource resource;
  resource.catalog_id = request["CatalogId"].StringOr(account);
  if (IsAboutAnArn(operation)) {
    const auto arn = store::ResourceArn::Parse(request["ResourceArn"].AsString().value_or(""));
    if (!arn) return resource;
    resource.catalog_id = arn->account;
    if (arn->type == "database") resource.database = arn->name;
    if (arn->type == "table") {
      resource.database = arn->database;
      resource.table = arn->name;
    }
    return resource;
  }
  if (operation == "GetCatalogs") {
    resource.catalog_id = request["ParentCatalogId"].StringOr(account);
  }
  resource.database = request["DatabaseName"].StringOr("");
  resource.table = request["TableName"].StringOr("");
  if (operation.contains("Connection") || operation.contains("Catalog")) return resource;
  if (resource.database.empty()) {
    // Operations on databases call theirs Name, or put it into the input.
    resource.database =
        request["Name"].StringOr(request["DatabaseInput"]["Name"].AsString().value_or(""));
  } else if (resource.table.empty() &&
             (operation.ends_with("Table") || operation == "GetUnfilteredTableMetadata")) {
    resource.table =
        request["Name"].StringOr(request["TableInput"]["Name"].AsString().value_or(""));
  }
  return resource;
}

}  // namespace gluecat::server
