#include "store/iceberg_shapes.h"

#include <array>

#include "store/model_shapes.h"
#include "store/shape_builders.h"

namespace gluecat::store::shapes {
namespace {

constexpr std::int64_t kMaxInt32 = 2147483647;

constexpr auto kOperations = std::to_array<std::string_view>({"CREATE"});
constexpr auto kStructTypes = std::to_array<std::string_view>({"struct"});
constexpr auto kDirections = std::to_array<std::string_view>({"asc", "desc"});
constexpr auto kNullOrders = std::to_array<std::string_view>({"nulls-first", "nulls-last"});
constexpr auto kActions = std::to_array<std::string_view>(
    {"add-schema", "set-current-schema", "add-spec", "set-default-spec", "add-sort-order",
     "set-default-sort-order", "set-location", "set-properties", "remove-properties",
     "add-encryption-key", "remove-encryption-key"});

constexpr Shape kText = {.type = Type::kString};
constexpr Shape kInteger = Whole(-kMaxInt32 - 1, kMaxInt32);
constexpr Shape kIntegers = ListOf(kInteger);
constexpr Shape kLocation = Text(0, 2056, Pattern::kMultiLine);
constexpr Shape kColumnName = Text(1, 1024, Pattern::kSingleLine);
constexpr Shape kComment = Text(0, 255, Pattern::kSingleLine);
constexpr Shape kProperties = MapOf(kText, kText);
constexpr Shape kOperation = Enumeration(kOperations);
constexpr Shape kStructType = Enumeration(kStructTypes);
constexpr Shape kDirection = Enumeration(kDirections);
constexpr Shape kNullOrder = Enumeration(kNullOrders);
constexpr Shape kAction = Enumeration(kActions);

constexpr auto kFieldMembers = std::to_array<ShapeMember>({
    {"Id", &kInteger, true},
    {"Name", &kColumnName, true},
    {"Type", &kAnything, true},
    {"Required", &kBoolean, true},
    {"Doc", &kComment},
    {"InitialDefault", &kAnything},
    {"WriteDefault", &kAnything},
});
constexpr Shape kField = Structure(kFieldMembers);
constexpr Shape kFields = ListOf(kField);
constexpr auto kSchemaMembers = std::to_array<ShapeMember>({
    {"SchemaId", &kInteger},
    {"IdentifierFieldIds", &kIntegers},
    {"Type", &kStructType},
    {"Fields", &kFields, true},
});
constexpr Shape kSchema = Structure(kSchemaMembers);

constexpr auto kPartitionFieldMembers = std::to_array<ShapeMember>({
    {"SourceId", &kInteger, true},
    {"Transform", &kText, true},
    {"Name", &kColumnName, true},
    {"FieldId", &kInteger},
});
constexpr Shape kPartitionField = Structure(kPartitionFieldMembers);
constexpr Shape kPartitionFields = ListOf(kPartitionField);
constexpr auto kPartitionSpecMembers =
    std::to_array<ShapeMember>({{"Fields", &kPartitionFields, true}, {"SpecId", &kInteger}});
constexpr Shape kPartitionSpec = Structure(kPartitionSpecMembers);

constexpr auto kSortFieldMembers = std::to_array<ShapeMember>({
    {"SourceId", &kInteger, true},
    {"Transform", &kText, true},
    {"Direction", &kDirection, true},
    {"NullOrder", &kNullOrder, true},
});
constexpr Shape kSortField = Structure(kSortFieldMembers);
constexpr Shape kSortFields = ListOf(kSortField);
constexpr auto kSortOrderMembers =
    std::to_array<ShapeMember>({{"OrderId", &kInteger, true}, {"Fields", &kSortFields, true}});
constexpr Shape kSortOrder = Structure(kSortOrderMembers);

constexpr auto kCreateTableMembers = std::to_array<ShapeMember>({
    {"Location", &kLocation, true},
    {"Schema", &kSchema, true},
    {"PartitionSpec", &kPartitionSpec},
    {"WriteOrder", &kSortOrder},
    {"Properties", &kProperties},
});
constexpr Shape kCreateTable = Structure(kCreateTableMembers);
constexpr auto kInputMembers = std::to_array<ShapeMember>({
    {"MetadataOperation", &kOperation, true},
    {"Version", &kVersion},
    {"CreateIcebergTableInput", &kCreateTable},
});
constexpr Shape kInput = Structure(kInputMembers);
constexpr auto kFormatMembers = std::to_array<ShapeMember>({{"IcebergInput", &kInput}});

constexpr auto kUpdateMembers = std::to_array<ShapeMember>({
    {"Schema", &kSchema, true},
    {"PartitionSpec", &kPartitionSpec},
    {"SortOrder", &kSortOrder},
    {"Location", &kLocation, true},
    {"Properties", &kProperties},
    {"Action", &kAction},
    {"EncryptionKey", &kAnything},
    {"KeyId", &kText},
});
constexpr Shape kUpdate = Structure(kUpdateMembers);
constexpr Shape kUpdates = ListOf(kUpdate);
constexpr auto kUpdateTableMembers = std::to_array<ShapeMember>({{"Updates", &kUpdates, true}});
constexpr Shape kUpdateTable = Structure(kUpdateTableMembers);
constexpr auto kUpdateInputMembers =
    std::to_array<ShapeMember>({{"UpdateIcebergTableInput", &kUpdateTable, true}});
constexpr Shape kUpdateInput = Structure(kUpdateInputMembers);
constexpr auto kUpdateFormatMembers =
    std::to_array<ShapeMember>({{"UpdateIcebergInput", &kUpdateInput}});

}  // namespace

constinit const Shape kOpenTableFormatInput = Structure(kFormatMembers);
constinit const Shape kUpdateOpenTableFormatInput = Structure(kUpdateFormatMembers);

}  // namespace gluecat::store::shapes
