// CreatePartition, UpdatePartition, DeletePartition and their batches.
#include <array>
#include <map>
#include <string>

#include "store/entry_text.h"
#include "store/fnv.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/partition_finder.h"
#include "store/partition_key.h"
#include "store/partition_rows.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

// Writes partitions of one table.
class PartitionStore {
 public:
  static Result<PartitionStore> Of(Call& call) {
    GLUECAT_ASSIGN_OR_RETURN(auto table, FindTable(call, "TableName"));
    const auto keys = PartitionKeysOf(table);
    GLUECAT_ASSIGN_OR_RETURN(auto indexes, FilledIndexes::Of(call, table, keys));
    return PartitionStore(call, std::move(table), keys.size(), std::move(indexes));
  }

  Status Create(JsonView input) {
    GLUECAT_ASSIGN_OR_RETURN(const auto values, Values(input["Values"]));
    const std::string key = EncodePartitionKey(values);
    const auto pieces = TakeApart(input, values);
    GLUECAT_ASSIGN_OR_RETURN(const auto columns, ColumnsId(pieces));
    GLUECAT_ASSIGN_OR_RETURN(
        auto insert,
        call_.connection.Prepare(
            "INSERT INTO partitions(table_id, key, columns_id, creation_time, head, tail) "
            "VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING"));
    insert.Bind(1, table_.id)
        .BindBlob(2, key)
        .Bind(4, call_.now)
        .Bind(5, pieces.head)
        .Bind(6, pieces.tail);
    if (columns != 0) insert.Bind(3, columns);
    GLUECAT_RETURN_IF_ERROR(insert.Run());
    if (call_.connection.Changes() == 0) return AlreadyExists("Partition already exists.");
    return indexes_.Add(call_, values, key, call_.connection.LastInsertId());
  }

  Status Update(JsonView current, JsonView input) {
    GLUECAT_ASSIGN_OR_RETURN(const auto values, Values(current));
    const std::string key = EncodePartitionKey(values);
    if (!input["Values"].IsNull()) {
      GLUECAT_ASSIGN_OR_RETURN(const auto new_values, Values(input["Values"]));
      if (new_values != values) {
        return InvalidInput(
            "The values of a partition cannot be changed: create a new one and delete this one.");
      }
    }
    const auto pieces = TakeApart(input, values);
    GLUECAT_ASSIGN_OR_RETURN(const auto columns, ColumnsId(pieces));
    GLUECAT_ASSIGN_OR_RETURN(
        auto update,
        call_.connection.Prepare(
            "UPDATE partitions SET columns_id=?3, head=?4, tail=?5 WHERE table_id=?1 AND key=?2"));
    update.Bind(1, table_.id).BindBlob(2, key).Bind(4, pieces.head).Bind(5, pieces.tail);
    if (columns != 0) update.Bind(3, columns);
    GLUECAT_RETURN_IF_ERROR(update.Run());
    if (call_.connection.Changes() == 0) return EntityNotFound("Partition not found.");
    return {};
  }

  Status Delete(JsonView list) {
    GLUECAT_ASSIGN_OR_RETURN(const auto values, Values(list));
    const std::string key = EncodePartitionKey(values);
    GLUECAT_ASSIGN_OR_RETURN(
        auto remove,
        call_.connection.Prepare("DELETE FROM partitions WHERE table_id=?1 AND key=?2"));
    GLUECAT_RETURN_IF_ERROR(remove.Bind(1, table_.id).BindBlob(2, key).Run());
    if (call_.connection.Changes() == 0) return EntityNotFound("Partition not found.");
    GLUECAT_RETURN_IF_ERROR(indexes_.Remove(call_, values, key));
    GLUECAT_ASSIGN_OR_RETURN(
        auto statistics,
        call_.connection.Prepare(
            "DELETE FROM column_statistics WHERE table_id=?1 AND partition_key=?2"));
    return statistics.Bind(1, table_.id).BindBlob(2, key).Run();
  }

 private:
  PartitionStore(Call& call, TableRow table, std::size_t key_count, FilledIndexes indexes)
      : call_(call),
        table_(std::move(table)),
        key_count_(key_count),
        indexes_(std::move(indexes)) {}

  Result<std::vector<std::string_view>> Values(JsonView list) const {
    return ValuesOf(table_, key_count_, list);
  }

  // The row of the column list, shared with every partition that has the same; 0 for none.
  Result<std::int64_t> ColumnsId(const PartitionPieces& pieces) {
    if (!pieces.columns) return 0;
    const auto cached = column_lists_.find(*pieces.columns);
    if (cached != column_lists_.end()) return cached->second;
    const auto digest = static_cast<std::int64_t>(Fnv().Add(*pieces.columns).value());
    std::int64_t id = 0;
    {
      GLUECAT_ASSIGN_OR_RETURN(
          auto select,
          call_.connection.Prepare(
              "SELECT id FROM column_lists WHERE table_id=?1 AND digest=?2 AND text=?3"));
      select.Bind(1, table_.id).Bind(2, digest).Bind(3, *pieces.columns);
      GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Step());
      if (found) id = select.Int(0);
    }
    if (id == 0) {
      GLUECAT_ASSIGN_OR_RETURN(
          auto insert, call_.connection.Prepare(
                           "INSERT INTO column_lists(table_id, digest, text) VALUES(?1, ?2, ?3)"));
      GLUECAT_RETURN_IF_ERROR(
          insert.Bind(1, table_.id).Bind(2, digest).Bind(3, *pieces.columns).Run());
      id = call_.connection.LastInsertId();
    }
    column_lists_.emplace(*pieces.columns, id);
    return id;
  }

  Call& call_;
  TableRow table_;
  std::size_t key_count_;
  FilledIndexes indexes_;
  std::map<std::string, std::int64_t, std::less<>> column_lists_;
};

// One {<values_name>: …, ErrorDetail: …} of a batch's Errors. Failures of the store itself (without
// a code) end the batch instead.
Status ReportItem(const Status& outcome, std::string_view values_name, JsonView values,
                  JsonWriter& writer) {
  if (outcome) return {};
  if (outcome.error().code.empty()) return outcome;
  writer.BeginObject().Key(values_name);
  if (values.IsNull()) {
    writer.BeginArray().EndArray();
  } else {
    WriteWithoutNulls(values, writer);
  }
  writer.Key("ErrorDetail").BeginObject().Member("ErrorCode", outcome.error().code);
  writer.Member("ErrorMessage", outcome.error().message).EndObject().EndObject();
  return {};
}

Result<std::string> CreatePartition(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(auto partitions, PartitionStore::Of(call));
  GLUECAT_RETURN_IF_ERROR(partitions.Create(call.request["PartitionInput"]));
  return "{}";
}

Result<std::string> BatchCreatePartition(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(auto partitions, PartitionStore::Of(call));
  JsonWriter writer;
  writer.BeginObject().Key("Errors").BeginArray();
  for (const auto& input : call.request["PartitionInputList"].Elements()) {
    GLUECAT_RETURN_IF_ERROR(
        ReportItem(partitions.Create(input), "PartitionValues", input["Values"], writer));
  }
  return writer.EndArray().EndObject().Take();
}

Result<std::string> UpdatePartition(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(auto partitions, PartitionStore::Of(call));
  GLUECAT_RETURN_IF_ERROR(
      partitions.Update(call.request["PartitionValueList"], call.request["PartitionInput"]));
  return "{}";
}

Result<std::string> BatchUpdatePartition(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(auto partitions, PartitionStore::Of(call));
  JsonWriter writer;
  writer.BeginObject().Key("Errors").BeginArray();
  for (const auto& entry : call.request["Entries"].Elements()) {
    const JsonView values = entry["PartitionValueList"];
    GLUECAT_RETURN_IF_ERROR(ReportItem(partitions.Update(values, entry["PartitionInput"]),
                                       "PartitionValueList", values, writer));
  }
  return writer.EndArray().EndObject().Take();
}

Result<std::string> DeletePartition(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(auto partitions, PartitionStore::Of(call));
  GLUECAT_RETURN_IF_ERROR(partitions.Delete(call.request["PartitionValues"]));
  return "{}";
}

Result<std::string> BatchDeletePartition(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(auto partitions, PartitionStore::Of(call));
  JsonWriter writer;
  writer.BeginObject().Key("Errors").BeginArray();
  for (const auto& element : call.request["PartitionsToDelete"].Elements()) {
    const JsonView values = element["Values"];
    GLUECAT_RETURN_IF_ERROR(
        ReportItem(partitions.Delete(values), "PartitionValues", values, writer));
  }
  return writer.EndArray().EndObject().Take();
}

constexpr auto kCreateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"PartitionInput", &shapes::kPartitionInput, true},
});
constexpr auto kBatchCreateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"PartitionInputList", &shapes::kPartitionInputList, true},
});
constexpr auto kUpdateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"PartitionValueList", &shapes::kBoundedPartitionValues, true},
    {"PartitionInput", &shapes::kPartitionInput, true},
});
constexpr auto kBatchUpdateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"Entries", &shapes::kPartitionUpdates, true},
});
constexpr auto kDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"PartitionValues", &shapes::kPartitionValues, true},
});
constexpr auto kBatchDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"PartitionsToDelete", &shapes::kPartitionsToDelete, true},
});
constexpr Shape kCreate = shapes::Structure(kCreateMembers);
constexpr Shape kBatchCreate = shapes::Structure(kBatchCreateMembers);
constexpr Shape kUpdate = shapes::Structure(kUpdateMembers);
constexpr Shape kBatchUpdate = shapes::Structure(kBatchUpdateMembers);
constexpr Shape kDelete = shapes::Structure(kDeleteMembers);
constexpr Shape kBatchDelete = shapes::Structure(kBatchDeleteMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"CreatePartition", &kCreate, Mode::kWrite, CreatePartition},
    {"BatchCreatePartition", &kBatchCreate, Mode::kWrite, BatchCreatePartition},
    {"UpdatePartition", &kUpdate, Mode::kWrite, UpdatePartition},
    {"BatchUpdatePartition", &kBatchUpdate, Mode::kWrite, BatchUpdatePartition},
    {"DeletePartition", &kDelete, Mode::kWrite, DeletePartition},
    {"BatchDeletePartition", &kBatchDelete, Mode::kWrite, BatchDeletePartition},
});

}  // namespace

std::span<const Operation> PartitionWriteOperations() { return kOperations; }

}  // namespace gluecat::store
