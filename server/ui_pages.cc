// The pages of catalogs and databases.
#include "server/ui_pages.h"

#include <algorithm>
#include <vector>

#include "core/base/text.h"

namespace gluecat::server {
namespace {

constexpr std::size_t kCatalogsOfPage = 50;
constexpr std::string_view kDatabasesOfCatalog = R"("MaxResults":20)";

void WriteDatabases(HtmlWriter& page, const UiPlace& catalog, JsonView databases) {
  StartTable(page, {"Database", "Description", "Location"}, "Databases");
  for (const auto& database : databases.Elements()) {
    UiPlace place = catalog;
    place.database = database["Name"].StringOr("");
    page.Open("tr");
    WriteLinkCell(page, UiUrl("database", place), place.database);
    for (const auto* member : {"Description", "LocationUri"}) {
      page.Open("td");
      WriteBrief(page, database[member].StringOr(""));
      page.Close();
    }
    page.Close();
  }
  EndTable(page);
}

Status WriteCatalog(store::Store& store, const store::CatalogSummary& catalog, HtmlWriter& page) {
  UiPlace place;
  place.catalog = catalog.catalog_id;
  place.region = catalog.region;
  page.Open("h2").Element("a", place.catalog + " · " + place.region,
                          {{"href", UiUrl("catalog", place)}});
  page.Close();
  if (catalog.databases == 0) {
    WriteEmptyState(page, "No databases.");
    return {};
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto answer,
                           Ask(store, place, "GetDatabases", {}, kDatabasesOfCatalog));
  const JsonView databases = answer.root()["DatabaseList"];
  WriteDatabases(page, place, databases);
  if (!answer.root()["NextToken"].IsNull()) {
    page.Open("p").Element("a", "All " + std::to_string(catalog.databases) + " databases",
                           {{"href", UiUrl("catalog", place)}});
    page.Close();
  }
  return {};
}

std::string NamesOf(JsonView columns) {
  std::vector<std::string> names;
  for (const auto& column : columns.Elements()) names.push_back(column["Name"].StringOr(""));
  return Join(names, ", ");
}

void WriteTables(HtmlWriter& page, const UiPlace& database, JsonView tables) {
  StartTable(page, {"Table", "Kind", "Format", "Columns", "Partition keys", "Location"}, "Tables");
  for (const auto& table : tables.Elements()) {
    UiPlace place = database;
    place.table = table["Name"].StringOr("");
    const UiKind kind = KindOf(table);
    page.Open("tr");
    WriteLinkCell(page, UiUrl("table", place), place.table);
    page.Open("td").Element("span", kind.kind, {{"class", "kind"}}).Close().Open("td");
    WriteBrief(page, kind.format);
    page.Close();
    const JsonView storage = table["StorageDescriptor"];
    page.Element("td", std::to_string(storage["Columns"].Elements().size()), {{"class", "number"}});
    page.Open("td");
    WriteBrief(page, NamesOf(table["PartitionKeys"]));
    page.Close().Open("td");
    WriteBrief(page, storage["Location"].StringOr(""));
    page.Close().Close();
  }
  EndTable(page);
}

}  // namespace

Result<std::string> CatalogsPage(store::Store& store, std::size_t from) {
  GLUECAT_ASSIGN_OR_RETURN(const auto catalogs, store.Catalogs());
  HtmlWriter page = StartPage({}, "", "Catalogs");
  page.Element("p", "A catalog is an account in a region.", {{"class", "soft"}});
  const std::size_t to =
      std::min(catalogs.size(), std::min(from, catalogs.size()) + kCatalogsOfPage);
  for (std::size_t i = from; i < to; ++i) {
    GLUECAT_RETURN_IF_ERROR(WriteCatalog(store, catalogs[i], page));
  }
  if (catalogs.empty()) {
    WriteEmptyState(
        page, "Nothing is stored yet. The first database that a client creates appears here.");
  }
  page.Open("p", {{"class", "links"}});
  if (from > 0) page.Element("a", "First page", {{"href", "./"}});
  if (to < catalogs.size()) {
    page.Element("a", "Next page", {{"rel", "next"}, {"href", "./?from=" + std::to_string(to)}});
  }
  return page.Close().Take();
}

Result<std::string> CatalogPage(store::Store& store, const UiPlace& place) {
  GLUECAT_ASSIGN_OR_RETURN(const auto answer,
                           Ask(store, place, "GetDatabases", {{"NextToken", place.token}}));
  UiPlace catalog;
  catalog.catalog = place.catalog;
  catalog.region = place.region;
  HtmlWriter page = StartPage(catalog, "", "Catalog " + place.catalog);
  page.Element("p", "In " + place.region, {{"class", "soft"}});
  page.Element("h2", "Databases");
  const JsonView databases = answer.root()["DatabaseList"];
  if (databases.Elements().empty()) {
    WriteEmptyState(page, "No databases.");
  } else {
    WriteDatabases(page, catalog, databases);
  }
  WritePager(page, "catalog", place, answer.root()["NextToken"]);
  return page.Take();
}

Result<std::string> DatabasePage(store::Store& store, const UiPlace& place) {
  GLUECAT_ASSIGN_OR_RETURN(const auto answer,
                           Ask(store, place, "GetDatabase", {{"Name", place.database}}));
  GLUECAT_ASSIGN_OR_RETURN(const auto listing,
                           Ask(store, place, "GetTables",
                               {{"DatabaseName", place.database}, {"NextToken", place.token}}));
  const JsonView database = answer.root()["Database"];
  UiPlace here = place;
  here.table.clear();
  HtmlWriter page = StartPage(here, "", "Database " + place.database);
  {
    FactTable facts(page, "The database");
    facts.Add("Description", database["Description"]);
    facts.Add("Location", database["LocationUri"]);
    facts.Add("Link to", database["TargetDatabase"]);
    facts.AddTime("Created", database["CreateTime"]);
  }
  page.Open("p", {{"class", "links"}});
  page.Element("a", "Functions", {{"href", UiUrl("functions", here)}});
  page.Element("a", "Entry as JSON", {{"href", UiUrl("entry", here)}}).Close();
  page.Element("h2", "Tables");
  const JsonView tables = listing.root()["TableList"];
  if (tables.Elements().empty()) {
    WriteEmptyState(page, "No tables.");
  } else {
    WriteTables(page, here, tables);
  }
  WritePager(page, "database", here, listing.root()["NextToken"]);
  WriteParameters(page, "Parameters", database["Parameters"]);
  return page.Take();
}

}  // namespace gluecat::server
