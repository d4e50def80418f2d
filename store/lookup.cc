#include "store/lookup.h"

#include <algorithm>

#include "core/base/text.h"
#include "store/service_errors.h"

namespace gluecat::store {

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

Result<std::int64_t> FindDatabase(Call& call, std::string_view name) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT id FROM databases WHERE scope_id=?1 AND name=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, call.scope).Bind(2, name).Step());
  if (!found) return EntityNotFound("Database " + std::string(name) + " not found.");
  return select.Int(0);
}

Result<std::int64_t> MakeScope(Call& call) {
  if (call.scope != 0) return call.scope;
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert,
      call.connection.Prepare("INSERT INTO scopes(catalog_id, region) VALUES(?1, ?2)"));
  insert.Bind(1, call.catalog_id).Bind(2, call.principal.region);
  GLUECAT_RETURN_IF_ERROR(insert.Run());
  call.scope = call.connection.LastInsertId();
  return call.scope;
}

Result<TableRow> FindTable(Call& call, std::string_view table_member) {
  return FindTable(call, call.Name("DatabaseName"), call.Name(table_member));
}

Result<TableRow> FindTable(Call& call, std::string_view database, std::string_view table) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare(
          "SELECT t.id, t.database_id, t.version, t.partition_keys FROM databases d JOIN tables t "
          "ON t.database_id=d.id WHERE d.scope_id=?1 AND d.name=?2 AND t.name=?3"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found,
                           select.Bind(1, call.scope).Bind(2, database).Bind(3, table).Step());
  if (!found) {
    GLUECAT_RETURN_IF_ERROR(FindDatabase(call, database));
    return EntityNotFound("Table " + std::string(table) + " not found.");
  }
  return TableRow{select.Int(0), select.Int(1), select.Int(2), std::string(table),
                  std::string(select.Text(3))};
}

std::int64_t PageSize(const Call& call, std::int64_t limit) {
  return std::min(call.request["MaxResults"].IntOr(limit), limit);
}

void WriteNextToken(const Call& call, std::string_view listing, std::string_view position,
                    JsonWriter& writer) {
  writer.Member("NextToken", call.tokens.Seal(listing, position));
}

}  // namespace gluecat::store
