// GetUnfilteredTableMetadata, GetUnfilteredPartitionMetadata, GetUnfilteredPartitionsMetadata.
//
// Nothing is registered with Lake Formation here: who may see a table may see all of it.
#include <array>
#include <string>

#include "store/entry_text.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/partition_rows.h"
#include "store/resource_links.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

struct UnfilteredTable {
  TableRow row;         // what a link leads to
  std::string entry;    // as GetTable shows it
  std::string columns;  // JSON list of the names of all of them
  bool is_view = false;
  bool is_protected_view = false;
};

Result<UnfilteredTable> FindUnfiltered(Call& call, std::string_view table_member) {
  if (const auto region = call.request["Region"].AsString()) {
    GLUECAT_ASSIGN_OR_RETURN(call.scope, FindScope(call.connection, call.catalog_id, *region));
  }
  UnfilteredTable table;
  GLUECAT_ASSIGN_OR_RETURN(auto shown, FindShownTable(call, table_member));
  GLUECAT_ASSIGN_OR_RETURN(table.entry, ReadShownEntry(call, shown));
  table.row = shown.target ? *std::move(shown.target) : std::move(shown.itself);
  GLUECAT_ASSIGN_OR_RETURN(const auto entry, JsonDocument::Parse(table.entry));
  JsonWriter writer;
  writer.BeginArray();
  for (const JsonView columns :
       {entry.root()["StorageDescriptor"]["Columns"], entry.root()["PartitionKeys"]}) {
    for (const auto& column : columns.Elements()) writer.String(column["Name"].StringOr(""));
  }
  table.columns = writer.EndArray().Take();
  table.is_view = entry.root()["IsMultiDialectView"].BoolOr(false);
  table.is_protected_view = entry.root()["ViewDefinition"]["IsProtected"].BoolOr(false);
  return table;
}

// The members that say what may be seen, behind the table or partition.
std::string Authorization(const UnfilteredTable& table) {
  return R"(,"AuthorizedColumns":)" + table.columns + R"(,"IsRegisteredWithLakeFormation":false)";
}

Result<std::string> GetUnfilteredTableMetadata(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindUnfiltered(call, "Name"));
  JsonWriter rest;
  rest.BeginObject().Key("CellFilters").BeginArray().EndArray();
  rest.Member("IsMultiDialectView", table.is_view).Member("IsProtected", table.is_protected_view);
  return R"({"Table":)" + table.entry + Authorization(table) + "," +
         rest.EndObject().Take().substr(1);
}

Result<std::string> GetUnfilteredPartitionMetadata(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindUnfiltered(call, "TableName"));
  GLUECAT_ASSIGN_OR_RETURN(const auto partition, ReadPartition(call, table.row));
  return R"({"Partition":)" + partition + Authorization(table) + "}";
}

Result<std::string> GetUnfilteredPartitionsMetadata(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindUnfiltered(call, "TableName"));
  const std::string after = Authorization(table) + "}";
  return ListPartitions(call, table.row,
                        {.operation = "GetUnfilteredPartitionsMetadata",
                         .member = "UnfilteredPartitions",
                         .before = R"({"Partition":)",
                         .after = after});
}

using shapes::Enumeration;
using shapes::ListOf;
using shapes::Structure;
using shapes::Text;

constexpr auto kPermissionTypes = std::to_array<std::string_view>(
    {"COLUMN_PERMISSION", "CELL_FILTER_PERMISSION", "NESTED_PERMISSION", "NESTED_CELL_PERMISSION"});
constexpr Shape kPermissionType = Enumeration(kPermissionTypes);
constexpr Shape kPermissionTypeList = ListOf(kPermissionType, 1, 255);
constexpr Shape kArn = Text(20, 2048);

constexpr auto kTableMembers = std::to_array<ShapeMember>({
    {"Region", &shapes::kValue},
    {"CatalogId", &shapes::kCatalogId, true},
    {"DatabaseName", &shapes::kName, true},
    {"Name", &shapes::kName, true},
    {"SupportedPermissionTypes", &kPermissionTypeList, true},
    {"ParentResourceArn", &kArn},
    {"RootResourceArn", &kArn},
});
constexpr auto kPartitionMembers = std::to_array<ShapeMember>({
    {"Region", &shapes::kValue},
    {"CatalogId", &shapes::kCatalogId, true},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"PartitionValues", &shapes::kPartitionValues, true},
    {"SupportedPermissionTypes", &kPermissionTypeList, true},
});
constexpr auto kPartitionsMembers = std::to_array<ShapeMember>({
    {"Region", &shapes::kValue},
    {"CatalogId", &shapes::kCatalogId, true},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"Expression", &shapes::kPredicate},
    {"SupportedPermissionTypes", &kPermissionTypeList, true},
    {"NextToken", &shapes::kToken},
    {"Segment", &shapes::kSegment},
    {"MaxResults", &shapes::kPageSize},
});
constexpr Shape kTable = Structure(kTableMembers);
constexpr Shape kPartition = Structure(kPartitionMembers);
constexpr Shape kPartitions = Structure(kPartitionsMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"GetUnfilteredTableMetadata", &kTable, Mode::kRead, GetUnfilteredTableMetadata},
    {"GetUnfilteredPartitionMetadata", &kPartition, Mode::kRead, GetUnfilteredPartitionMetadata},
    {"GetUnfilteredPartitionsMetadata", &kPartitions, Mode::kRead, GetUnfilteredPartitionsMetadata},
});

}  // namespace

std::span<const Operation> UnfilteredOperations() { return kOperations; }

}  // namespace gluecat::store
