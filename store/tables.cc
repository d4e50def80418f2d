// CreateTable, GetTable, GetTables, UpdateTable, DeleteTable, BatchDeleteTable.
#include <array>
#include <optional>

#include "core/base/text.h"
#include "store/entry_text.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/name_pattern.h"
#include "store/operation.h"
#include "store/partition_indexes.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

constexpr std::int64_t kMaxPage = 100;

struct TableHistory {
  std::string create_time;
  std::string created_by;
  std::int64_t version = 0;
};

std::string EntryOf(const Call& call, JsonView input, std::string_view database,
                    std::string_view name, const TableHistory& history) {
  JsonWriter writer;
  writer.BeginObject().Member("Name", name).Member("DatabaseName", database);
  writer.Key("CreateTime").Raw(history.create_time).Key("UpdateTime").Raw(call.now);
  writer.Member("CreatedBy", history.created_by).Member("IsRegisteredWithLakeFormation", false);
  writer.Member("CatalogId", call.catalog_id).Member("VersionId", std::to_string(history.version));
  WriteMembers(input, {"Name"}, writer);
  return writer.EndObject().Take();
}

// Name and type of the partition keys: what partitions are checked and filtered by.
std::string PartitionKeysOf(JsonView input) {
  JsonWriter writer;
  writer.BeginArray();
  for (const auto& key : input["PartitionKeys"].Elements()) {
    writer.BeginObject();
    writer.Member("Name", key["Name"].StringOr("")).Member("Type", key["Type"].StringOr("string"));
    writer.EndObject();
  }
  return writer.EndArray().Take();
}

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

Status RefuseWhatIsNotThereYet(JsonView request, JsonView input) {
  for (const auto member :
       {"OpenTableFormatInput", "UpdateOpenTableFormatInput", "ViewUpdateAction"}) {
    if (!request[member].IsNull())
      return InvalidInput(std::string(member) + " is not supported by this catalog.");
  }
  if (!input["ViewDefinition"].IsNull()) {
    return InvalidInput("ViewDefinition is not supported by this catalog.");
  }
  if (input.IsNull()) return InvalidInput("TableInput is required.");
  return {};
}

// The top-level Name of newer requests; it can only repeat the input's.
Result<std::string> NameOf(const Call& call, JsonView input) {
  std::string name = ToLowerAscii(input["Name"].StringOr(""));
  const std::string outer = call.Name("Name");
  if (!outer.empty() && outer != name) return InvalidInput("Table cannot be renamed.");
  return name;
}

Result<std::string> CreateTable(Call& call) {
  const JsonView input = call.request["TableInput"];
  GLUECAT_RETURN_IF_ERROR(RefuseWhatIsNotThereYet(call.request, input));
  const std::string database = call.Name("DatabaseName");
  GLUECAT_ASSIGN_OR_RETURN(const auto name, NameOf(call, input));
  GLUECAT_ASSIGN_OR_RETURN(const auto database_id, FindDatabase(call, database));
  const TableHistory history{call.now, call.principal.arn, 0};
  const std::string entry = EntryOf(call, input, database, name, history);
  const std::string keys = PartitionKeysOf(input);
  GLUECAT_ASSIGN_OR_RETURN(const auto index_text, PartitionIndexesOf(call.request));
  const auto type = input["TableType"].AsString();
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert,
      call.connection.Prepare(
          "INSERT INTO tables(database_id, name, version, create_time, created_by, table_type, "
          "partition_keys, partition_indexes, entry) VALUES(?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8) "
          "ON CONFLICT DO NOTHING"));
  insert.Bind(1, database_id)
      .Bind(2, name)
      .Bind(3, history.create_time)
      .Bind(4, history.created_by);
  if (type) insert.Bind(5, *type);
  insert.Bind(6, keys).Bind(7, index_text).Bind(8, entry);
  GLUECAT_RETURN_IF_ERROR(insert.Run());
  if (call.connection.Changes() == 0) return AlreadyExists("Table already exists.");
  return "{}";
}

Result<std::string> GetTable(Call& call) {
  const std::string database = call.Name("DatabaseName");
  const std::string name = call.Name("Name");
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT t.entry FROM databases d JOIN tables t ON t.database_id=d.id "
                              "WHERE d.scope_id=?1 AND d.name=?2 AND t.name=?3"));
  select.Bind(1, call.scope).Bind(2, database).Bind(3, name);
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Step());
  if (!found) {
    GLUECAT_RETURN_IF_ERROR(FindDatabase(call, database));
    return EntityNotFound("Table " + name + " not found.");
  }
  return Answer("Table", select.Text(0));
}

enum class Attributes : std::uint8_t { kAll, kName, kNameAndType };

Result<Attributes> AttributesOf(JsonView list) {
  if (list.IsNull()) return Attributes::kAll;
  bool name = false;
  bool type = false;
  bool all = false;
  for (const auto& attribute : list.Elements()) {
    const auto text = attribute.AsString();
    name = name || text == "NAME";
    type = type || text == "TABLE_TYPE";
    all = all || text == "DEFAULT" || text == "LATEST_ICEBERG_METADATA";
  }
  if (all) return Attributes::kAll;
  if (!name) return InvalidInput("AttributesToGet must include NAME.");
  return type ? Attributes::kNameAndType : Attributes::kName;
}

Result<std::string> GetTables(Call& call) {
  const std::string database = call.Name("DatabaseName");
  const std::string expression = call.request["Expression"].StringOr("");
  GLUECAT_ASSIGN_OR_RETURN(const auto attributes, AttributesOf(call.request["AttributesToGet"]));
  std::optional<NamePattern> pattern;
  if (!expression.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(pattern, NamePattern::Compile(expression));
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto database_id, FindDatabase(call, database));
  const std::string listing = "GetTables/" + std::to_string(database_id) + "/" + expression;
  GLUECAT_ASSIGN_OR_RETURN(const auto after,
                           call.tokens.Open(listing, call.request["NextToken"].StringOr("")));
  const std::int64_t limit = PageSize(call, kMaxPage);

  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT name, table_type, entry FROM tables WHERE "
                                           "database_id=?1 AND name>?2 ORDER BY name"));
  select.Bind(1, database_id).Bind(2, after);
  JsonWriter writer;
  writer.BeginObject().Key("TableList").BeginArray();
  std::string last;
  bool more = false;
  std::int64_t count = 0;
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    if (pattern && !pattern->Matches(select.Text(0))) continue;
    if (count++ == limit) {
      more = true;
      break;
    }
    last = select.Text(0);
    if (attributes == Attributes::kAll) {
      writer.Raw(select.Text(2));
      continue;
    }
    writer.BeginObject().Member("Name", last).Member("DatabaseName", database);
    if (attributes == Attributes::kNameAndType && !select.IsNull(1)) {
      writer.Member("TableType", select.Text(1));
    }
    writer.EndObject();
  }
  writer.EndArray();
  if (more) WriteNextToken(call, listing, last, writer);
  return writer.EndObject().Take();
}

Status Archive(Call& call, const TableRow& table) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert, call.connection.Prepare("INSERT INTO table_versions(table_id, version, entry) "
                                           "SELECT id, version, entry FROM tables WHERE id=?1"));
  return insert.Bind(1, table.id).Run();
}

Result<std::string> UpdateTable(Call& call) {
  const JsonView input = call.request["TableInput"];
  GLUECAT_RETURN_IF_ERROR(RefuseWhatIsNotThereYet(call.request, input));
  const std::string database = call.Name("DatabaseName");
  GLUECAT_ASSIGN_OR_RETURN(const auto name, NameOf(call, input));
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTable(call, database, name));
  const auto expected = call.request["VersionId"].AsString();
  if (expected && *expected != std::to_string(table.version)) {
    return ConcurrentModification("Update table failed due to concurrent modifications.");
  }
  const std::string keys = PartitionKeysOf(input);
  if (keys != table.partition_keys) {
    GLUECAT_ASSIGN_OR_RETURN(
        auto any,
        call.connection.Prepare("SELECT EXISTS(SELECT 1 FROM partitions WHERE table_id=?1), "
                                "partition_indexes<>'[]' FROM tables WHERE id=?1"));
    GLUECAT_RETURN_IF_ERROR(any.Bind(1, table.id).Step());
    if (any.Int(0) != 0 || any.Int(1) != 0) {
      return InvalidInput(
          "Partition keys cannot be changed while the table has partitions or partition indexes.");
    }
  }
  if (!call.request["SkipArchive"].BoolOr(false)) GLUECAT_RETURN_IF_ERROR(Archive(call, table));

  TableHistory history;
  history.version = table.version + 1;
  {
    GLUECAT_ASSIGN_OR_RETURN(
        auto select,
        call.connection.Prepare("SELECT create_time, created_by FROM tables WHERE id=?1"));
    GLUECAT_RETURN_IF_ERROR(select.Bind(1, table.id).Step());
    history.create_time = select.Text(0);
    history.created_by = select.Text(1);
  }
  const std::string entry = EntryOf(call, input, database, name, history);
  const auto type = input["TableType"].AsString();
  GLUECAT_ASSIGN_OR_RETURN(
      auto update,
      call.connection.Prepare(
          "UPDATE tables SET version=?2, table_type=?3, partition_keys=?4, entry=?5 WHERE id=?1"));
  update.Bind(1, table.id).Bind(2, history.version).Bind(4, keys).Bind(5, entry);
  if (type) update.Bind(3, *type);
  GLUECAT_RETURN_IF_ERROR(update.Run());
  return "{}";
}

Status Remove(Call& call, const TableRow& table) {
  GLUECAT_ASSIGN_OR_RETURN(auto remove, call.connection.Prepare("DELETE FROM tables WHERE id=?1"));
  return remove.Bind(1, table.id).Run();
}

Result<std::string> DeleteTable(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTable(call, "Name"));
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
    const auto table = FindTable(call, database, ToLowerAscii(name));
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
});
constexpr auto kGetMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"Name", &shapes::kName, true},
    {"TransactionId", &shapes::kTransactionId},
    {"QueryAsOfTime", &shapes::kTimestamp},
    {"IncludeStatusDetails", &shapes::kBoolean},
    {"AttributesToGet", &shapes::kTableAttributes},
});
constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"Expression", &shapes::kFilter},
    {"NextToken", &shapes::kToken},
    {"MaxResults", &shapes::kGetterPageSize},
    {"TransactionId", &shapes::kTransactionId},
    {"QueryAsOfTime", &shapes::kTimestamp},
    {"IncludeStatusDetails", &shapes::kBoolean},
    {"AttributesToGet", &shapes::kTableAttributes},
});
constexpr auto kUpdateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"Name", &shapes::kName},
    {"TableInput", &shapes::kTableInput},
    {"SkipArchive", &shapes::kBoolean},
    {"TransactionId", &shapes::kTransactionId},
    {"VersionId", &shapes::kVersion},
    {"Force", &shapes::kBoolean},
});
constexpr auto kBatchDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TablesToDelete", &shapes::kTablesToDelete, true},
    {"TransactionId", &shapes::kTransactionId},
});
constexpr Shape kCreate = shapes::Structure(kCreateMembers);
constexpr Shape kGet = shapes::Structure(kGetMembers);
constexpr Shape kList = shapes::Structure(kListMembers);
constexpr Shape kUpdate = shapes::Structure(kUpdateMembers);
constexpr Shape kBatchDelete = shapes::Structure(kBatchDeleteMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"CreateTable", &kCreate, Mode::kWrite, CreateTable},
    {"GetTable", &kGet, Mode::kRead, GetTable},
    {"GetTables", &kList, Mode::kRead, GetTables},
    {"UpdateTable", &kUpdate, Mode::kWrite, UpdateTable},
    {"DeleteTable", &kGet, Mode::kWrite, DeleteTable},
    {"BatchDeleteTable", &kBatchDelete, Mode::kWrite, BatchDeleteTable},
});

}  // namespace

std::span<const Operation> TableOperations() { return kOperations; }

}  // namespace gluecat::store
