// Finding what a request names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "store/operation.h"

namespace gluecat::store {

struct TableRow {
  std::int64_t id = 0;
  std::int64_t database_id = 0;
  std::int64_t version = 0;
  std::string name;
  std::string partition_keys;  // JSON list of Columns
};

// The row of a catalog in a region; 0 if nothing was ever stored there.
Result<std::int64_t> FindScope(Connection& connection, std::string_view catalog_id,
                               std::string_view region);

// The row of database `name` (already folded).
// Errors: EntityNotFoundException.
Result<std::int64_t> FindDatabase(Call& call, std::string_view name);

// The row of the call's scope, made if there is none. For operations that write.
Result<std::int64_t> MakeScope(Call& call);

// The table that the request names in DatabaseName and `table_member`.
// Errors: EntityNotFoundException, for the database or the table.
Result<TableRow> FindTable(Call& call, std::string_view table_member);
Result<TableRow> FindTable(Call& call, std::string_view database, std::string_view table);

// MaxResults, or `limit` if the request has none.
std::int64_t PageSize(const Call& call, std::int64_t limit);

// Writes "NextToken" into the object that is open in `writer`.
void WriteNextToken(const Call& call, std::string_view listing, std::string_view position,
                    JsonWriter& writer);

}  // namespace gluecat::store
