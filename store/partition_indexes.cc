// CreatePartitionIndex, DeletePartitionIndex, GetPartitionIndexes.
//
// An index is filled when it is made, and active at once (partition_finder.h).
#include "store/partition_indexes.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/text.h"
#include "store/entry_text.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/partition_finder.h"
#include "store/partition_rows.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

bool SameName(JsonView a, JsonView b) {
  return EqualsIgnoreCase(a.AsString().value_or(""), b.AsString().value_or(""));
}

Result<JsonDocument> ReadIndexes(Call& call, const TableRow& table) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT partition_indexes FROM tables WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(select.Bind(1, table.id).Step());
  return JsonDocument::Parse(select.Text(0));
}

Status WriteIndexes(Call& call, const TableRow& table, const std::vector<JsonView>& indexes) {
  JsonWriter writer;
  writer.BeginArray();
  for (const auto& index : indexes) WriteWithoutNulls(index, writer);
  const std::string text = writer.EndArray().Take();
  GLUECAT_ASSIGN_OR_RETURN(
      auto update, call.connection.Prepare("UPDATE tables SET partition_indexes=?2 WHERE id=?1"));
  return update.Bind(1, table.id).Bind(2, text).Run();
}

Result<std::string> CreatePartitionIndex(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTable(call, "TableName"));
  GLUECAT_ASSIGN_OR_RETURN(const auto stored, ReadIndexes(call, table));
  GLUECAT_ASSIGN_OR_RETURN(const auto keys, JsonDocument::Parse(table.partition_keys));
  const JsonView index = call.request["PartitionIndex"];
  auto indexes = stored.root().Elements();
  GLUECAT_RETURN_IF_ERROR(CheckPartitionIndex(index, keys.root(), indexes));
  indexes.push_back(index);
  GLUECAT_RETURN_IF_ERROR(WriteIndexes(call, table, indexes));
  GLUECAT_RETURN_IF_ERROR(FillIndex(call, table, PartitionKeysOf(table), index));
  return "{}";
}

Result<std::string> DeletePartitionIndex(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTable(call, "TableName"));
  GLUECAT_ASSIGN_OR_RETURN(const auto stored, ReadIndexes(call, table));
  const JsonView name = call.request["IndexName"];
  auto indexes = stored.root().Elements();
  const auto removed =
      std::erase_if(indexes, [&](JsonView index) { return SameName(index["IndexName"], name); });
  if (removed == 0) return EntityNotFound("Partition index " + name.StringOr("") + " not found.");
  GLUECAT_RETURN_IF_ERROR(WriteIndexes(call, table, indexes));
  GLUECAT_RETURN_IF_ERROR(EmptyIndex(call, table, name.AsString().value_or("")));
  return "{}";
}

// There are too few of them for a second page.
Result<std::string> GetPartitionIndexes(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTable(call, "TableName"));
  GLUECAT_RETURN_IF_ERROR(call.tokens.Open("GetPartitionIndexes/" + std::to_string(table.id),
                                           call.request["NextToken"].StringOr("")));
  const auto keys = PartitionKeysOf(table);
  GLUECAT_ASSIGN_OR_RETURN(const auto indexes, ReadIndexes(call, table));
  JsonWriter writer;
  writer.BeginObject().Key("PartitionIndexDescriptorList").BeginArray();
  for (const auto& index : indexes.root().Elements()) {
    writer.BeginObject().Member("IndexName", index["IndexName"].StringOr(""));
    writer.Key("Keys").BeginArray();
    for (const auto& name : index["Keys"].Elements()) {
      writer.BeginObject().Member("Name", name.StringOr(""));
      for (const auto& key : keys) {
        if (EqualsIgnoreCase(key.name, name.AsString().value_or("")))
          writer.Member("Type", key.type);
      }
      writer.EndObject();
    }
    writer.EndArray().Member("IndexStatus", "ACTIVE").EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

constexpr auto kCreateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"PartitionIndex", &shapes::kPartitionIndex, true},
});
constexpr auto kDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"IndexName", &shapes::kName, true},
});
constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"NextToken", &shapes::kToken},
});
constexpr Shape kCreate = shapes::Structure(kCreateMembers);
constexpr Shape kDelete = shapes::Structure(kDeleteMembers);
constexpr Shape kList = shapes::Structure(kListMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"CreatePartitionIndex", &kCreate, Mode::kWrite, CreatePartitionIndex},
    {"DeletePartitionIndex", &kDelete, Mode::kWrite, DeletePartitionIndex},
    {"GetPartitionIndexes", &kList, Mode::kRead, GetPartitionIndexes},
});

}  // namespace

Status CheckPartitionIndex(JsonView index, JsonView partition_keys,
                           const std::vector<JsonView>& others) {
  const std::string name = index["IndexName"].StringOr("");
  for (const auto& other : others) {
    if (SameName(other["IndexName"], index["IndexName"])) {
      return AlreadyExists("Partition index " + name + " already exists.");
    }
  }
  if (others.size() >= kMaxPartitionIndexes) {
    return ServiceError(
        "ResourceNumberLimitExceededException",
        "A table has at most " + std::to_string(kMaxPartitionIndexes) + " partition indexes.");
  }
  const auto columns = partition_keys.Elements();
  const auto keys = index["Keys"].Elements();
  for (auto key = keys.begin(); key != keys.end(); ++key) {
    const auto same = [&](JsonView other) { return SameName(other, *key); };
    if (std::ranges::none_of(columns, [&](JsonView column) { return same(column["Name"]); })) {
      return InvalidInput("The key " + key->StringOr("") + " of partition index " + name +
                          " is no partition key of the table.");
    }
    if (std::any_of(keys.begin(), key, same)) {
      return InvalidInput("The key " + key->StringOr("") + " comes twice in partition index " +
                          name + ".");
    }
  }
  return {};
}

std::span<const Operation> PartitionIndexOperations() { return kOperations; }

}  // namespace gluecat::store
