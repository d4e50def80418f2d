// Finding what a request names.
//
// A resource link is a database or table that stands for another one (TargetDatabase, TargetTable),
// possibly of another catalog or region. Which operation follows links is what AWS Lake Formation
// documents in "Resource link handling in AWS Glue APIs". A link leads to what is no link itself:
// one step is followed, never two.
//
// Errors of all: EntityNotFoundException, also for a link that leads nowhere; InvalidInputException
// for a link that leads to another link; what Principal::may_follow says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "store/operation.h"

namespace gluecat::store {

struct DatabaseRow {
  std::int64_t id = 0;
  // As it is called where it is.
  std::string catalog_id;
  std::string name;
  bool through_link = false;  // the request named a link to it
};

struct TableRow {
  std::int64_t id = 0;
  std::int64_t database_id = 0;
  std::int64_t version = 0;
  // As it is called where it is.
  std::string catalog_id;
  std::string database;
  std::string name;
  std::string partition_keys;  // JSON list of Columns
  std::string target;          // of a link that was not followed: its TargetTable as JSON
  bool through_database_link = false;

  bool IsLink() const { return !target.empty(); }
};

// The row of a catalog in a region; 0 if nothing was ever stored there.
Result<std::int64_t> FindScope(Connection& connection, std::string_view catalog_id,
                               std::string_view region);

// The row of the call's scope, made if there is none. For operations that write.
Result<std::int64_t> MakeScope(Call& call);

// Database `name` (already folded), or what it is a link to. `table` is what is wanted in it, for
// Principal::may_follow; empty for the database as a whole.
Result<DatabaseRow> FindDatabase(Call& call, std::string_view name, std::string_view table = "");

// The row of database `name` itself, be it a link or not.
Result<std::int64_t> FindDatabaseItself(Call& call, std::string_view name);

// The table that the request names in DatabaseName and `table_member`, or what it is a link to:
// either the database or the table may be a link. Errors, also: InvalidInputException if both are.
Result<TableRow> FindTable(Call& call, std::string_view table_member);
Result<TableRow> FindTable(Call& call, std::string_view database, std::string_view table);

// The same for reading what is in the table: nothing if both are links, for which AWS documents an
// empty answer.
Result<std::optional<TableRow>> FindTableToRead(Call& call, std::string_view table_member);

// The table itself, be it a link or not; a database link is followed.
Result<TableRow> FindTableItself(Call& call, std::string_view database, std::string_view table);

// What the link `table` leads to. `table` must be one.
Result<TableRow> FollowTable(Call& call, const TableRow& table);

// A table as reading operations show it.
struct ShownTable {
  TableRow itself;
  std::optional<TableRow> target;  // of a link that was named directly and leads somewhere

  const TableRow& row() const { return target ? *target : itself; }
};
// A link that cannot be followed is shown as it is.
Result<ShownTable> FindShownTable(Call& call, std::string_view table_member);
Result<std::optional<TableRow>> FollowTableIfPossible(Call& call, const TableRow& table);

// MaxResults, or `limit` if the request has none.
std::int64_t PageSize(const Call& call, std::int64_t limit);

// Writes "NextToken" into the object that is open in `writer`.
void WriteNextToken(const Call& call, std::string_view listing, std::string_view position,
                    JsonWriter& writer);

}  // namespace gluecat::store
