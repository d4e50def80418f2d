#include "store/lookup.h"

#include <algorithm>

#include "core/base/text.h"
#include "store/resource_links.h"
#include "store/service_errors.h"

namespace gluecat::store {
namespace {

std::unexpected<Error> DatabaseNotFound(std::string_view name) {
  return EntityNotFound("Database " + std::string(name) + " not found.");
}

std::unexpected<Error> LeadsNowhere(const std::string& link, const LinkTarget& target) {
  return EntityNotFound(link + " is a resource link to " + Describe(target) +
                        ", which does not exist: create it, or delete the link.");
}

std::unexpected<Error> LeadsToALink(const std::string& link, const LinkTarget& target) {
  return InvalidInput(link + " is a resource link to " + Describe(target) +
                      ", which is a resource link itself: name that one instead.");
}

// The row of a database and its TargetDatabase, which is empty for one that is no link.
struct PlainDatabase {
  std::int64_t id = 0;
  std::string target;
};
Result<std::optional<PlainDatabase>> SelectDatabase(Call& call, std::int64_t scope,
                                                    std::string_view name) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT id, target FROM databases WHERE scope_id=?1 AND name=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, scope).Bind(2, name).Step());
  if (!found) return std::nullopt;
  return PlainDatabase{select.Int(0), std::string(select.Text(1))};
}

Result<std::optional<TableRow>> SelectTable(Call& call, const DatabaseRow& database,
                                            std::string_view name) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT id, version, partition_keys, target FROM tables "
                                           "WHERE database_id=?1 AND name=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, database.id).Bind(2, name).Step());
  if (!found) return std::nullopt;
  TableRow row;
  row.id = select.Int(0);
  row.database_id = database.id;
  row.version = select.Int(1);
  row.catalog_id = database.catalog_id;
  row.database = database.name;
  row.name = name;
  row.partition_keys = select.Text(2);
  row.target = select.Text(3);
  row.through_database_link = database.through_link;
  return row;
}

// `table`: what is wanted in the database; empty for the database as a whole.
Result<DatabaseRow> FollowDatabase(Call& call, std::string_view name, std::string_view link,
                                   std::string_view table) {
  GLUECAT_ASSIGN_OR_RETURN(auto target, StoredTarget(call, link));
  const std::string named = "Database " + std::string(name);
  target.table = table;
  GLUECAT_RETURN_IF_ERROR(CheckMayFollow(call, target));
  target.table.clear();
  GLUECAT_ASSIGN_OR_RETURN(const auto scope,
                           FindScope(call.connection, target.catalog_id, target.region));
  GLUECAT_ASSIGN_OR_RETURN(const auto found, SelectDatabase(call, scope, target.database));
  if (!found) return LeadsNowhere(named, target);
  if (!found->target.empty()) return LeadsToALink(named, target);
  return DatabaseRow{found->id, target.catalog_id, target.database, true};
}

}  // namespace

std::string Call::Name(std::string_view member) const {
  return ToLowerAscii(request[member].AsString().value_or(""));
}

Result<std::int64_t> FindScope(Connection& connection, std::string_view catalog_id,
                               std::string_view region) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, connection.Prepare("SELECT id FROM scopes WHERE catalog_id=?1 AND region=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, catalog_id).Bind(2, region).Step());
  return found ? select.Int(0) : 0;
}

Result<std::int64_t> MakeScope(Call& call) {
  if (call.scope != 0) return call.scope;
  // The id is part of page tokens and must never come back: it is drawn, and never 0.
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert, call.connection.Prepare("INSERT INTO scopes(id, catalog_id, region) "
                                           "VALUES((random() & 0x7FFFFFFFFFFFFFFE) | 1, ?1, ?2)"));
  insert.Bind(1, call.catalog_id).Bind(2, call.principal.region);
  GLUECAT_RETURN_IF_ERROR(insert.Run());
  call.scope = call.connection.LastInsertId();
  return call.scope;
}

Result<DatabaseRow> FindDatabase(Call& call, std::string_view name, std::string_view table) {
  GLUECAT_ASSIGN_OR_RETURN(const auto found, SelectDatabase(call, call.scope, name));
  if (!found) return DatabaseNotFound(name);
  if (!found->target.empty()) return FollowDatabase(call, name, found->target, table);
  return DatabaseRow{found->id, call.catalog_id, std::string(name), false};
}

Result<std::int64_t> FindDatabaseItself(Call& call, std::string_view name) {
  GLUECAT_ASSIGN_OR_RETURN(const auto found, SelectDatabase(call, call.scope, name));
  if (!found) return DatabaseNotFound(name);
  return found->id;
}

Result<TableRow> FindTableItself(Call& call, std::string_view database, std::string_view table) {
  GLUECAT_ASSIGN_OR_RETURN(const auto row, FindDatabase(call, database, table));
  GLUECAT_ASSIGN_OR_RETURN(auto found, SelectTable(call, row, table));
  if (!found) return EntityNotFound("Table " + std::string(table) + " not found.");
  return *std::move(found);
}

Result<TableRow> FollowTable(Call& call, const TableRow& table) {
  GLUECAT_ASSIGN_OR_RETURN(const auto target, StoredTarget(call, table.target));
  const std::string named = "Table " + table.name;
  GLUECAT_RETURN_IF_ERROR(CheckMayFollow(call, target));
  GLUECAT_ASSIGN_OR_RETURN(const auto scope,
                           FindScope(call.connection, target.catalog_id, target.region));
  GLUECAT_ASSIGN_OR_RETURN(const auto database, SelectDatabase(call, scope, target.database));
  if (!database) return LeadsNowhere(named, target);
  if (!database->target.empty()) return LeadsToALink(named, target);
  const DatabaseRow place{database->id, target.catalog_id, target.database, false};
  GLUECAT_ASSIGN_OR_RETURN(auto found, SelectTable(call, place, target.table));
  if (!found) return LeadsNowhere(named, target);
  if (found->IsLink()) return LeadsToALink(named, target);
  return *std::move(found);
}

Result<TableRow> FindTable(Call& call, std::string_view table_member) {
  return FindTable(call, call.Name("DatabaseName"), call.Name(table_member));
}

Result<TableRow> FindTable(Call& call, std::string_view database, std::string_view table) {
  GLUECAT_ASSIGN_OR_RETURN(auto row, FindTableItself(call, database, table));
  if (!row.IsLink()) return row;
  if (row.through_database_link) {
    return InvalidInput("Both database " + std::string(database) + " and table " +
                        std::string(table) +
                        " are resource links: name the database or the table that they lead to.");
  }
  return FollowTable(call, row);
}

Result<std::optional<TableRow>> FindTableToRead(Call& call, std::string_view table_member) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto row, FindTableItself(call, call.Name("DatabaseName"), call.Name(table_member)));
  if (!row.IsLink()) return row;
  if (row.through_database_link) return std::nullopt;
  return FollowTable(call, row);
}

Result<std::optional<TableRow>> FollowTableIfPossible(Call& call, const TableRow& table) {
  if (!table.IsLink() || table.through_database_link) return std::nullopt;
  auto target = FollowTable(call, table);
  if (target) return *std::move(target);
  if (target.error().code.empty()) return Fail(std::move(target).error());
  return std::nullopt;
}

Result<ShownTable> FindShownTable(Call& call, std::string_view table_member) {
  ShownTable shown;
  GLUECAT_ASSIGN_OR_RETURN(
      shown.itself, FindTableItself(call, call.Name("DatabaseName"), call.Name(table_member)));
  GLUECAT_ASSIGN_OR_RETURN(shown.target, FollowTableIfPossible(call, shown.itself));
  return shown;
}

std::int64_t PageSize(const Call& call, std::int64_t limit) {
  return std::min(call.request["MaxResults"].IntOr(limit), limit);
}

void WriteNextToken(const Call& call, std::string_view listing, std::string_view position,
                    JsonWriter& writer) {
  writer.Member("NextToken", call.tokens.Seal(listing, position));
}

}  // namespace gluecat::store
