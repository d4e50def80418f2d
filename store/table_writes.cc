// CreateTable, UpdateTable, DeleteTable, BatchDeleteTable.
#include <array>
#include <utility>

#include "core/base/text.h"
#include "store/entry_text.h"
#include "store/iceberg_shapes.h"
#include "store/iceberg_tables.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/partition_finder.h"
#include "store/partition_indexes.h"
#include "store/resource_links.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"
#include "store/table_entry.h"
#include "store/view_definition.h"
#include "store/view_shapes.h"

namespace gluecat::store {
namespace {

constexpr std::string_view kExternalTable = "EXTERNAL_TABLE";

// The request's PartitionIndexes as they are stored.
Result<std::string> PartitionIndexesOf(JsonView request) {
  std::vector<JsonView> others;
  JsonWriter writer;
  writer.BeginArray();
  for (const auto& index : request["PartitionIndexes"].Elements()) {
    GLUECAT_RETURN_IF_ERROR(
        CheckPartitionIndex(index, request["TableInput"]["PartitionKeys"], others));
    others.push_back(index);
    WriteWithoutNulls(index, writer);
  }
  return writer.EndArray().Take();
}

// The folded name of the table: the input's, or the top-level one of newer requests, which can only
// repeat it.
Result<std::string> NameOf(const Call& call, JsonView input) {
  std::string name = ToLowerAscii(input["Name"].StringOr(""));
  const std::string outer = call.Name("Name");
  if (input.IsNull()) name = outer;
  if (name.empty()) return InvalidInput("The name of the table is required.");
  if (!outer.empty() && outer != name) return InvalidInput("Table cannot be renamed.");
  return name;
}

void AddView(const Call& call, std::string_view action, std::string definition,
             EntryChanges& changes) {
  changes.added.emplace_back("ViewDefinition", std::move(definition));
  changes.added.emplace_back("IsMultiDialectView", "true");
  changes.added.emplace_back("Status", ViewStatus(call, action));
}

// What an update does to a view: without a ViewUpdateAction its definition is replaced like
// everything else.
Status ChangeView(Call& call, const TableRow& table, EntryChanges& changes) {
  const JsonView input = call.request["TableInput"];
  if (call.request["ViewUpdateAction"].IsNull()) {
    if (input["ViewDefinition"].IsNull()) return {};
    GLUECAT_ASSIGN_OR_RETURN(auto definition, NewViewDefinition(input["ViewDefinition"]));
    AddView(call, "UPDATE", std::move(definition), changes);
    return {};
  }
  GLUECAT_ASSIGN_OR_RETURN(auto select,
                           call.connection.Prepare("SELECT entry FROM tables WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(select.Bind(1, table.id).Step());
  GLUECAT_ASSIGN_OR_RETURN(const auto entry, JsonDocument::Parse(select.Text(0)));
  GLUECAT_ASSIGN_OR_RETURN(auto definition, ChangedViewDefinition(call.request, entry.root()));
  AddView(call, "UPDATE", std::move(definition), changes);
  const JsonView storage = entry.root()["StorageDescriptor"];
  if (input["StorageDescriptor"].IsNull() && !storage.IsNull()) {
    changes.added.emplace_back("StorageDescriptor", storage.Dump());
  }
  return {};
}

// The TargetTable of a new resource link as it is stored; empty for a table that is none.
Result<std::string> NewTargetOf(Call& call, JsonView input, const DatabaseRow& database,
                                std::string_view name) {
  const JsonView target = input["TargetTable"];
  if (target.IsNull()) return std::string();
  if (database.through_link) {
    return InvalidInput(
        "A resource link to a table cannot be created through a resource link: "
        "create it in database " +
        database.name + " of catalog " + database.catalog_id + ".");
  }
  const LinkTarget own{call.catalog_id, call.principal.region, database.name, std::string(name)};
  GLUECAT_RETURN_IF_ERROR(CheckNewLink(call, TargetOf(call, target), own));
  return target.Dump();
}

// Before anything is written for the table.
Status CheckIsNew(Call& call, const DatabaseRow& database, std::string_view name) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT 1 FROM tables WHERE database_id=?1 AND name=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, database.id).Bind(2, name).Step());
  if (found) return AlreadyExists("Table already exists.");
  return {};
}

// Those of the request, for the new table.
Status FillIndexes(Call& call, std::int64_t table_id) {
  TableRow table;
  table.id = table_id;
  for (const auto& index : call.request["PartitionIndexes"].Elements()) {
    GLUECAT_RETURN_IF_ERROR(FillIndex(call, table, {}, index));  // there are no partitions yet
  }
  return {};
}

Result<std::string> CreateTable(Call& call) {
  const JsonView input = call.request["TableInput"];
  const bool is_iceberg = !call.request["OpenTableFormatInput"].IsNull();
  if (input.IsNull() && !is_iceberg) return InvalidInput("TableInput is required.");
  GLUECAT_ASSIGN_OR_RETURN(const auto name, NameOf(call, input));
  GLUECAT_ASSIGN_OR_RETURN(const auto database,
                           FindDatabase(call, call.Name("DatabaseName"), name));
  const TableHistory history{call.now, call.principal.arn, 0};
  GLUECAT_ASSIGN_OR_RETURN(const auto target, NewTargetOf(call, input, database, name));
  GLUECAT_ASSIGN_OR_RETURN(const auto index_text, PartitionIndexesOf(call.request));
  IcebergCommit commit;
  EntryChanges& changes = commit.changes;
  if (is_iceberg) {
    GLUECAT_RETURN_IF_ERROR(CheckIsNew(call, database, name));
    GLUECAT_ASSIGN_OR_RETURN(commit, CreateIcebergTable(call));
  }
  if (!input["ViewDefinition"].IsNull()) {
    GLUECAT_ASSIGN_OR_RETURN(auto definition, NewViewDefinition(input["ViewDefinition"]));
    AddView(call, "CREATE", std::move(definition), changes);
  }
  const std::string entry =
      EntryOf(call, input, {database.catalog_id, database.name, name}, history, changes);
  const std::string keys = PartitionKeysOf(input);
  auto type = input["TableType"].AsString();
  if (is_iceberg && !type) type = kExternalTable;
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert, call.connection.Prepare(
                       "INSERT INTO tables(database_id, name, version, create_time, created_by, "
                       "table_type, partition_keys, partition_indexes, entry, target) "
                       "VALUES(?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING"));
  insert.Bind(1, database.id)
      .Bind(2, name)
      .Bind(3, history.create_time)
      .Bind(4, history.created_by);
  if (type) insert.Bind(5, *type);
  insert.Bind(6, keys).Bind(7, index_text).Bind(8, entry);
  if (!target.empty()) insert.Bind(9, target);
  if (auto done = insert.Run(); !done) {
    if (is_iceberg) call.warehouses.Discard(commit.metadata_location);
    return Fail(std::move(done).error());
  }
  if (call.connection.Changes() == 0) return AlreadyExists("Table already exists.");
  GLUECAT_RETURN_IF_ERROR(FillIndexes(call, call.connection.LastInsertId()));
  return "{}";
}

Status Archive(Call& call, const TableRow& table) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert, call.connection.Prepare("INSERT INTO table_versions(table_id, version, entry) "
                                           "SELECT id, version, entry FROM tables WHERE id=?1"));
  return insert.Bind(1, table.id).Run();
}

// The table that an update changes: a link's target, never the link.
Result<TableRow> FindTableToUpdate(Call& call, const std::string& name, JsonView input) {
  const std::string database = call.Name("DatabaseName");
  GLUECAT_ASSIGN_OR_RETURN(const auto itself, FindTableItself(call, database, name));
  GLUECAT_RETURN_IF_ERROR(
      CheckSameTarget(call, "table " + name, input["TargetTable"], itself.target));
  return FindTable(call, database, name);
}

// Partition keys stay while something depends on them.
Status CheckPartitionKeys(Call& call, const TableRow& table, std::string_view keys) {
  if (keys == table.partition_keys) return {};
  GLUECAT_ASSIGN_OR_RETURN(
      auto any,
      call.connection.Prepare("SELECT EXISTS(SELECT 1 FROM partitions WHERE table_id=?1), "
                              "partition_indexes<>'[]' FROM tables WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(any.Bind(1, table.id).Step());
  if (any.Int(0) == 0 && any.Int(1) == 0) return {};
  return InvalidInput(
      "Partition keys cannot be changed while the table has partitions or partition indexes.");
}

// The table's new entry, made of `input`, and what goes with it.
Status WriteEntry(Call& call, const TableRow& table, JsonView input, const EntryChanges& changes) {
  const std::string keys = PartitionKeysOf(input);
  GLUECAT_RETURN_IF_ERROR(CheckPartitionKeys(call, table, keys));
  if (!call.request["SkipArchive"].BoolOr(false)) GLUECAT_RETURN_IF_ERROR(Archive(call, table));
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT create_time, created_by FROM tables WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(select.Bind(1, table.id).Step());
  const TableHistory history{std::string(select.Text(0)), std::string(select.Text(1)),
                             table.version + 1};
  select.Reset();
  const std::string entry =
      EntryOf(call, input, {table.catalog_id, table.database, table.name}, history, changes);
  const auto type = input["TableType"].AsString();
  GLUECAT_ASSIGN_OR_RETURN(
      auto update,
      call.connection.Prepare(
          "UPDATE tables SET version=?2, table_type=?3, partition_keys=?4, entry=?5 WHERE id=?1"));
  update.Bind(1, table.id).Bind(2, history.version).Bind(4, keys).Bind(5, entry);
  if (type) update.Bind(3, *type);
  return update.Run();
}

// An UpdateOpenTableFormatInput: what the entry does not say of the Iceberg table stays.
Result<std::string> UpdateIceberg(Call& call, const TableRow& table) {
  GLUECAT_ASSIGN_OR_RETURN(auto select,
                           call.connection.Prepare("SELECT entry FROM tables WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(select.Bind(1, table.id).Step());
  GLUECAT_ASSIGN_OR_RETURN(const auto entry, JsonDocument::Parse(select.Text(0)));
  select.Reset();
  GLUECAT_ASSIGN_OR_RETURN(const auto commit, UpdateIcebergTable(call, entry.root()));
  if (auto written = WriteEntry(call, table, entry.root(), commit.changes); !written) {
    call.warehouses.Discard(commit.metadata_location);
    return Fail(std::move(written).error());
  }
  return "{}";
}

Result<std::string> UpdateTable(Call& call) {
  const JsonView input = call.request["TableInput"];
  const bool is_iceberg = !call.request["UpdateOpenTableFormatInput"].IsNull();
  if (input.IsNull() && !is_iceberg) return InvalidInput("TableInput is required.");
  if (is_iceberg && !input.IsNull()) {
    return InvalidInput(
        "A TableInput and an UpdateOpenTableFormatInput exclude each other: send "
        "two requests.");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto name, NameOf(call, input));
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTableToUpdate(call, name, input));
  const auto expected = call.request["VersionId"].AsString();
  if (expected && *expected != std::to_string(table.version)) {
    return ConcurrentModification("Update table failed due to concurrent modifications.");
  }
  if (is_iceberg) return UpdateIceberg(call, table);
  EntryChanges changes;
  changes.left_out = {"TargetTable"};
  GLUECAT_RETURN_IF_ERROR(ChangeView(call, table, changes));
  GLUECAT_RETURN_IF_ERROR(WriteEntry(call, table, input, changes));
  return "{}";
}

Status Remove(Call& call, const TableRow& table) {
  GLUECAT_ASSIGN_OR_RETURN(auto remove, call.connection.Prepare("DELETE FROM tables WHERE id=?1"));
  return remove.Bind(1, table.id).Run();
}

Result<std::string> DeleteTable(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table,
                           FindTableItself(call, call.Name("DatabaseName"), call.Name("Name")));
  GLUECAT_RETURN_IF_ERROR(Remove(call, table));
  return "{}";
}

Result<std::string> BatchDeleteTable(Call& call) {
  const std::string database = call.Name("DatabaseName");
  GLUECAT_RETURN_IF_ERROR(FindDatabase(call, database));
  JsonWriter writer;
  writer.BeginObject().Key("Errors").BeginArray();
  for (const auto& element : call.request["TablesToDelete"].Elements()) {
    const std::string name = element.StringOr("");
    const auto table = FindTableItself(call, database, ToLowerAscii(name));
    if (table) {
      GLUECAT_RETURN_IF_ERROR(Remove(call, *table));
      continue;
    }
    if (table.error().code.empty()) return Fail(table.error());
    writer.BeginObject().Member("TableName", name).Key("ErrorDetail").BeginObject();
    writer.Member("ErrorCode", table.error().code).Member("ErrorMessage", table.error().message);
    writer.EndObject().EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

constexpr auto kCreateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"Name", &shapes::kName},
    {"TableInput", &shapes::kTableInput},
    {"PartitionIndexes", &shapes::kPartitionIndexList},
    {"TransactionId", &shapes::kTransactionId},
    {"OpenTableFormatInput", &shapes::kOpenTableFormatInput},
});
constexpr auto kDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"Name", &shapes::kName, true},
    {"TransactionId", &shapes::kTransactionId},
});
constexpr auto kUpdateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"Name", &shapes::kName},
    {"TableInput", &shapes::kTableInput},
    {"SkipArchive", &shapes::kBoolean},
    {"TransactionId", &shapes::kTransactionId},
    {"VersionId", &shapes::kVersion},
    {"ViewUpdateAction", &shapes::kViewUpdateAction},
    {"Force", &shapes::kBoolean},
    {"UpdateOpenTableFormatInput", &shapes::kUpdateOpenTableFormatInput},
});
constexpr auto kBatchDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TablesToDelete", &shapes::kTablesToDelete, true},
    {"TransactionId", &shapes::kTransactionId},
});
constexpr Shape kCreate = shapes::Structure(kCreateMembers);
constexpr Shape kDelete = shapes::Structure(kDeleteMembers);
constexpr Shape kUpdate = shapes::Structure(kUpdateMembers);
constexpr Shape kBatchDelete = shapes::Structure(kBatchDeleteMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"CreateTable", &kCreate, Mode::kWrite, CreateTable},
    {"UpdateTable", &kUpdate, Mode::kWrite, UpdateTable},
    {"DeleteTable", &kDelete, Mode::kWrite, DeleteTable},
    {"BatchDeleteTable", &kBatchDelete, Mode::kWrite, BatchDeleteTable},
});

}  // namespace

std::span<const Operation> TableWriteOperations() { return kOperations; }

}  // namespace gluecat::store
