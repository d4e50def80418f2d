// GetPartitionIndexes: the indexes that CreateTable declared.
#include <array>

#include "core/base/text.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/partition_rows.h"

namespace gluecat::store {
namespace {

Result<std::string> GetPartitionIndexes(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTable(call, "TableName"));
  const auto keys = PartitionKeysOf(table);
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT partition_indexes FROM tables WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(select.Bind(1, table.id).Step());
  GLUECAT_ASSIGN_OR_RETURN(const auto indexes, JsonDocument::Parse(select.Text(0)));
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

constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"NextToken", &shapes::kToken},
});
constexpr Shape kList = {.type = Shape::Type::kStructure, .members = kListMembers};

constexpr auto kOperations = std::to_array<Operation>(
    {{"GetPartitionIndexes", &kList, Transaction::Mode::kRead, GetPartitionIndexes}});

}  // namespace

std::span<const Operation> PartitionIndexOperations() { return kOperations; }

}  // namespace gluecat::store
