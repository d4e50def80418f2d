// Update-, Get- and DeleteColumnStatisticsFor{Table,Partition}.
#include <array>

#include "store/entry_text.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/partition_key.h"
#include "store/partition_rows.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

// Whose statistics: a table's, or those of one of its partitions.
struct Owner {
  TableRow table;
  std::string partition_key;  // empty for the table
};

Result<Owner> FindOwner(Call& call) {
  Owner owner;
  GLUECAT_ASSIGN_OR_RETURN(owner.table, FindTable(call, "TableName"));
  const JsonView list = call.request["PartitionValues"];
  if (list.IsNull()) return owner;
  GLUECAT_ASSIGN_OR_RETURN(const auto values,
                           ValuesOf(owner.table, PartitionKeysOf(owner.table).size(), list));
  owner.partition_key = EncodePartitionKey(values);
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT 1 FROM partitions WHERE table_id=?1 AND key=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found,
                           select.Bind(1, owner.table.id).BindBlob(2, owner.partition_key).Step());
  if (!found) return EntityNotFound("Cannot find partition.");
  return owner;
}

Result<std::string> UpdateColumnStatistics(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto owner, FindOwner(call));
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert, call.connection.Prepare(
                       "INSERT INTO column_statistics(table_id, partition_key, column_name, entry) "
                       "VALUES(?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET entry=excluded.entry"));
  for (const auto& statistics : call.request["ColumnStatisticsList"].Elements()) {
    JsonWriter writer;
    WriteWithoutNulls(statistics, writer);
    insert.Bind(1, owner.table.id).BindBlob(2, owner.partition_key);
    insert.Bind(3, statistics["ColumnName"].AsString().value_or("")).Bind(4, writer.text());
    GLUECAT_RETURN_IF_ERROR(insert.Run());
  }
  return R"({"Errors":[]})";
}

Result<std::string> GetColumnStatistics(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto owner, FindOwner(call));
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT entry FROM column_statistics WHERE table_id=?1 "
                                           "AND partition_key=?2 AND column_name=?3"));
  JsonWriter found;
  JsonWriter missing;
  found.BeginArray();
  missing.BeginArray();
  for (const auto& element : call.request["ColumnNames"].Elements()) {
    const std::string_view name = element.AsString().value_or("");
    select.Bind(1, owner.table.id).BindBlob(2, owner.partition_key).Bind(3, name);
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (row) {
      found.Raw(select.Text(0));
    } else {
      missing.BeginObject().Member("ColumnName", name).Key("Error").BeginObject();
      missing.Member("ErrorCode", "EntityNotFoundException");
      missing.Member("ErrorMessage", "No statistics of column " + std::string(name) + ".");
      missing.EndObject().EndObject();
    }
    select.Reset();
  }
  JsonWriter writer;
  writer.BeginObject().Key("ColumnStatisticsList").Raw(found.EndArray().text());
  return writer.Key("Errors").Raw(missing.EndArray().text()).EndObject().Take();
}

// Nothing to delete is no error where the table and the partition exist: Trino deletes the
// statistics of every column it knows none of, after each write, and takes EntityNotFoundException
// for the table's.
Result<std::string> DeleteColumnStatistics(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto owner, FindOwner(call));
  const std::string name = call.request["ColumnName"].StringOr("");
  GLUECAT_ASSIGN_OR_RETURN(
      auto remove, call.connection.Prepare("DELETE FROM column_statistics WHERE table_id=?1 AND "
                                           "partition_key=?2 AND column_name=?3"));
  remove.Bind(1, owner.table.id).BindBlob(2, owner.partition_key).Bind(3, name);
  GLUECAT_RETURN_IF_ERROR(remove.Run());
  return "{}";
}

constexpr ShapeMember kCatalogIdMember = {"CatalogId", &shapes::kCatalogId};
constexpr ShapeMember kDatabaseMember = {"DatabaseName", &shapes::kName, true};
constexpr ShapeMember kTableMember = {"TableName", &shapes::kName, true};
constexpr ShapeMember kValuesMember = {"PartitionValues", &shapes::kPartitionValues, true};
constexpr ShapeMember kListMember = {"ColumnStatisticsList", &shapes::kColumnStatisticsList, true};
constexpr ShapeMember kColumnsMember = {"ColumnNames", &shapes::kStatisticsColumns, true};
constexpr ShapeMember kColumnMember = {"ColumnName", &shapes::kName, true};

constexpr std::array kUpdateTableMembers{kCatalogIdMember, kDatabaseMember, kTableMember,
                                         kListMember};
constexpr std::array kGetTableMembers{kCatalogIdMember, kDatabaseMember, kTableMember,
                                      kColumnsMember};
constexpr std::array kDeleteTableMembers{kCatalogIdMember, kDatabaseMember, kTableMember,
                                         kColumnMember};
constexpr std::array kUpdatePartitionMembers{kCatalogIdMember, kDatabaseMember, kTableMember,
                                             kValuesMember, kListMember};
constexpr std::array kGetPartitionMembers{kCatalogIdMember, kDatabaseMember, kTableMember,
                                          kValuesMember, kColumnsMember};
constexpr std::array kDeletePartitionMembers{kCatalogIdMember, kDatabaseMember, kTableMember,
                                             kValuesMember, kColumnMember};
constexpr Shape kUpdateTable = shapes::Structure(kUpdateTableMembers);
constexpr Shape kGetTable = shapes::Structure(kGetTableMembers);
constexpr Shape kDeleteTable = shapes::Structure(kDeleteTableMembers);
constexpr Shape kUpdatePartition = shapes::Structure(kUpdatePartitionMembers);
constexpr Shape kGetPartition = shapes::Structure(kGetPartitionMembers);
constexpr Shape kDeletePartition = shapes::Structure(kDeletePartitionMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"UpdateColumnStatisticsForTable", &kUpdateTable, Mode::kWrite, UpdateColumnStatistics},
    {"GetColumnStatisticsForTable", &kGetTable, Mode::kRead, GetColumnStatistics},
    {"DeleteColumnStatisticsForTable", &kDeleteTable, Mode::kWrite, DeleteColumnStatistics},
    {"UpdateColumnStatisticsForPartition", &kUpdatePartition, Mode::kWrite, UpdateColumnStatistics},
    {"GetColumnStatisticsForPartition", &kGetPartition, Mode::kRead, GetColumnStatistics},
    {"DeleteColumnStatisticsForPartition", &kDeletePartition, Mode::kWrite, DeleteColumnStatistics},
});

}  // namespace

std::span<const Operation> ColumnStatisticsOperations() { return kOperations; }

}  // namespace gluecat::store
