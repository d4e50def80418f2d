#include "server/resource.h"

namespace gluecat::server {

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
  resource.database = request["DatabaseName"].StringOr("");
  resource.table = request["TableName"].StringOr("");
  if (resource.database.empty()) {
    // Operations on databases call theirs Name, or put it into the input.
    resource.database =
        request["Name"].StringOr(request["DatabaseInput"]["Name"].AsString().value_or(""));
  } else if (resource.table.empty() && operation.ends_with("Table")) {
    resource.table =
        request["Name"].StringOr(request["TableInput"]["Name"].AsString().value_or(""));
  }
  return resource;
}

}  // namespace gluecat::server
