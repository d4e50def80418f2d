#include "server/listing_filter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "server/glue_resources.h"

namespace gluecat::server {
namespace {

using Resources = std::vector<ResourceName>;

std::string Text(JsonView item, std::string_view member) { return item[member].StringOr(""); }

Resources DatabaseItem(JsonView item, const CatalogArns& arns) {
  return {arns.Database(Text(item, "Name"))};
}
Resources TableItem(JsonView item, const CatalogArns& arns) {
  return {arns.Table(Text(item, "DatabaseName"), Text(item, "Name")),
          arns.Database(Text(item, "DatabaseName"))};
}
Resources FunctionItem(JsonView item, const CatalogArns& arns) {
  return {arns.Function(Text(item, "DatabaseName"), Text(item, "FunctionName")),
          arns.Database(Text(item, "DatabaseName"))};
}
Resources ConnectionItem(JsonView item, const CatalogArns& arns) {
  return {arns.Connection(Text(item, "Name"))};
}
// The account's own catalog, which has no name below itself, was decided on before.
Resources CatalogItem(JsonView item, const CatalogArns& arns) {
  if (!Text(item, "CatalogId").contains(':')) return {};
  return {arns.Catalog(Text(item, "Name"))};
}

struct Listing {
  std::string_view operation;
  std::string_view list;  // member of the answer
  Resources (*resources)(JsonView item, const CatalogArns& arns);
  std::vector<std::string_view> types;  // of ARNs of items
};

const Listing* FindListing(std::string_view operation) {
  static const auto& listings = *new std::vector<Listing>{
      {"GetDatabases", "DatabaseList", DatabaseItem, {"database"}},
      {"GetTables", "TableList", TableItem, {"table", "database"}},
      {"SearchTables", "TableList", TableItem, {"table", "database"}},
      {"GetUserDefinedFunctions",
       "UserDefinedFunctions",
       FunctionItem,
       {"userDefinedFunction", "database"}},
      {"GetConnections", "ConnectionList", ConnectionItem, {"connection"}},
      {"GetCatalogs", "CatalogList", CatalogItem, {"catalog"}},
  };
  const auto found = std::ranges::find(listings, operation, &Listing::operation);
  return found == listings.end() ? nullptr : &*found;
}

// Whether everything may be listed, so that nobody has to look at the items.
bool IsUnrestricted(const Listing& listing, const CatalogArns& arns, const CatalogAccess& access) {
  return std::ranges::all_of(listing.types, [&](std::string_view type) {
    return Authorize(access, arns.AllBelow(type, "")).has_value();
  });
}

}  // namespace

Result<std::string> KeepPermitted(std::string_view operation, std::string answer,
                                  const CatalogAccess& access) {
  const Listing* const listing = FindListing(operation);
  if (listing == nullptr) return answer;
  const CatalogArns arns(access.catalog_id, access.region);
  if (IsUnrestricted(*listing, arns, access)) return answer;
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(answer));
  JsonWriter writer;
  writer.BeginObject();
  for (const auto& [name, value] : document.root().Members()) {
    writer.Key(name);
    if (name != listing->list) {
      writer.Raw(value.Dump());
      continue;
    }
    writer.BeginArray();
    for (const auto& item : value.Elements()) {
      if (Authorize(access, listing->resources(item, arns))) writer.Raw(item.Dump());
    }
    writer.EndArray();
  }
  return writer.EndObject().Take();
}

}  // namespace gluecat::server
