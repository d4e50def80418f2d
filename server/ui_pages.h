// The pages: each reads the store and writes HTML. Errors: the store's, as for its operations.
#pragma once

#include <string>

#include "core/base/result.h"
#include "server/ui_parts.h"
#include "store/store.h"

namespace gluecat::server {

// Every catalog, with the first databases of each; `from` counts catalogs.
Result<std::string> CatalogsPage(store::Store& store, std::size_t from);

Result<std::string> CatalogPage(store::Store& store, const UiPlace& place);
Result<std::string> DatabasePage(store::Store& store, const UiPlace& place);
Result<std::string> TablePage(store::Store& store, const UiPlace& place);
Result<std::string> VersionsPage(store::Store& store, const UiPlace& place);
Result<std::string> PartitionsPage(store::Store& store, const UiPlace& place);
Result<std::string> FunctionsPage(store::Store& store, const UiPlace& place);
Result<std::string> StatisticsPage(store::Store& store, const UiPlace& place);
Result<std::string> IndexesPage(store::Store& store, const UiPlace& place);

// The entry of a database, a table, a version or, if `query` has the values "v0", "v1", …, of
// a partition: for people, and as the JSON that it is.
Result<std::string> EntryPage(store::Store& store, const UiPlace& place,
                              const FormParameters& query);
Result<std::string> EntryJson(store::Store& store, const UiPlace& place,
                              const FormParameters& query);

}  // namespace gluecat::server
