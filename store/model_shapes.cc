#include "store/model_shapes.h"

#include <array>

#include "store/shape_builders.h"
#include "store/view_shapes.h"

namespace gluecat::store::shapes {
namespace {

constexpr std::int64_t kMaxInt32 = 2147483647;

constexpr auto kFunctionTypes =
    std::to_array<std::string_view>({"REGULAR_FUNCTION", "AGGREGATE_FUNCTION", "STORED_PROCEDURE"});
constexpr auto kPrincipalTypes = std::to_array<std::string_view>({"USER", "ROLE", "GROUP"});
constexpr auto kResourceTypes = std::to_array<std::string_view>({"JAR", "FILE", "ARCHIVE"});
constexpr auto kDatabaseAttributeNames =
    std::to_array<std::string_view>({"NAME", "TARGET_DATABASE"});
constexpr auto kTableAttributeNames =
    std::to_array<std::string_view>({"NAME", "TABLE_TYPE", "DEFAULT", "LATEST_ICEBERG_METADATA"});
constexpr auto kStatisticsTypes = std::to_array<std::string_view>(
    {"BOOLEAN", "DATE", "DECIMAL", "DOUBLE", "LONG", "STRING", "BINARY"});
constexpr auto kPermissionNames =
    std::to_array<std::string_view>({"ALL", "SELECT", "ALTER", "DROP", "DELETE", "INSERT",
                                     "CREATE_DATABASE", "CREATE_TABLE", "DATA_LOCATION_ACCESS"});

constexpr auto kShareTypes = std::to_array<std::string_view>({"FOREIGN", "ALL", "FEDERATED"});
constexpr auto kComparators = std::to_array<std::string_view>(
    {"EQUALS", "GREATER_THAN", "LESS_THAN", "GREATER_THAN_EQUALS", "LESS_THAN_EQUALS"});
constexpr Shape kParameterKey = Text(1, 255, Pattern::kSingleLine);
constexpr Shape kParameterValue = Text(0, 512000);
constexpr Shape kTagKey = Text(1, 128);
constexpr Shape kTagValue = Text(0, 256);
constexpr auto kSortOrders = std::to_array<std::string_view>({"ASC", "DESC"});

}  // namespace

constinit const Shape kCatalogId = Text(1, 255, Pattern::kSingleLine);
constinit const Shape kName = Text(1, 255, Pattern::kSingleLine);
constinit const Shape kToken = {.type = Type::kString};
constinit const Shape kBoolean = {.type = Type::kBoolean};
constinit const Shape kTimestamp = {.type = Type::kTimestamp};
constinit const Shape kGetterPageSize = Whole(1, 100);
constinit const Shape kPageSize = Whole(1, 1000);
constinit const Shape kPredicate = Text(0, 2048, Pattern::kMultiLine);
constinit const Shape kFilter = Text(0, 2048, Pattern::kSingleLine);
constinit const Shape kDescription = Text(0, 2048, Pattern::kMultiLine);
constinit const Shape kParameters = MapOf(kParameterKey, kParameterValue);
constinit const Shape kVersion = Text(1, 255, Pattern::kSingleLine);
constinit const Shape kTransactionId = Text(1, 255);
constinit const Shape kAnything = {};
constinit const Shape kFunctionType = Enumeration(kFunctionTypes);
constinit const Shape kValue = Text(1, 1024);
constinit const Shape kResourceShareType = Enumeration(kShareTypes);
constinit const Shape kResourceArn = Text(1, 10240);
constinit const Shape kTags = MapOf(kTagKey, kTagValue, 0, 50);

namespace {

constexpr Shape kUri = Text(1, 1024, Pattern::kMultiLine);
constexpr Shape kLocation = Text(0, 2056, Pattern::kMultiLine);
constexpr Shape kFormat = Text(0, 128, Pattern::kSingleLine);
constexpr Shape kComment = Text(0, 255, Pattern::kSingleLine);
constexpr Shape kColumnType = Text(0, 131072, Pattern::kSingleLine);
constexpr Shape kStatisticsColumnType = Text(0, 20000, Pattern::kSingleLine);
constexpr Shape kViewText = Text(0, 409600);
constexpr Shape kTableType = Text(0, 255);
constexpr Shape kPrincipalId = Text(1, 255);
constexpr Shape kInteger = Whole(-kMaxInt32 - 1, kMaxInt32);
constexpr Shape kNonNegative = Whole(0, kMaxInt32);
constexpr Shape kFlag = Whole(0, 1);
constexpr Shape kNumberOfSegments = Whole(1, 10);
constexpr Shape kComparator = Enumeration(kComparators);
constexpr Shape kSortOrder = Enumeration(kSortOrders);
constexpr Shape kPrincipalType = Enumeration(kPrincipalTypes);
constexpr Shape kResourceType = Enumeration(kResourceTypes);
constexpr Shape kStatisticsType = Enumeration(kStatisticsTypes);
constexpr Shape kPermission = Enumeration(kPermissionNames);
constexpr Shape kDatabaseAttribute = Enumeration(kDatabaseAttributeNames);
constexpr Shape kTableAttribute = Enumeration(kTableAttributeNames);
constexpr Shape kNames = ListOf(kName);
constexpr Shape kLocations = ListOf(kLocation);

constexpr auto kPrincipalMembers =
    std::to_array<ShapeMember>({{"DataLakePrincipalIdentifier", &kPrincipalId}});
constexpr Shape kDataLakePrincipal = Structure(kPrincipalMembers);
constexpr Shape kPermissions = ListOf(kPermission);
constexpr auto kPrincipalPermissionsMembers = std::to_array<ShapeMember>(
    {{"Principal", &kDataLakePrincipal}, {"Permissions", &kPermissions}});
constexpr Shape kPrincipalPermissions = Structure(kPrincipalPermissionsMembers);

constexpr auto kDatabaseIdentifierMembers = std::to_array<ShapeMember>(
    {{"CatalogId", &kCatalogId}, {"DatabaseName", &kName}, {"Region", &kName}});
constexpr Shape kDatabaseIdentifier = Structure(kDatabaseIdentifierMembers);
constexpr auto kTableIdentifierMembers = std::to_array<ShapeMember>(
    {{"CatalogId", &kCatalogId}, {"DatabaseName", &kName}, {"Name", &kName}, {"Region", &kName}});
constexpr Shape kTableIdentifier = Structure(kTableIdentifierMembers);

constexpr auto kDatabaseInputMembers = std::to_array<ShapeMember>({
    {"Name", &kName, true},
    {"Description", &kDescription},
    {"LocationUri", &kUri},
    {"Parameters", &kParameters},
    {"CreateTableDefaultPermissions", &kPrincipalPermissionsList},
    {"TargetDatabase", &kDatabaseIdentifier},
});
constexpr auto kDatabaseResponseOnly = std::to_array<std::string_view>({"CreateTime", "CatalogId"});

constexpr auto kColumnMembers = std::to_array<ShapeMember>({
    {"Name", &kName, true},
    {"Type", &kColumnType},
    {"Comment", &kComment},
    {"Parameters", &kParameters},
});
constexpr Shape kColumn = Structure(kColumnMembers);
constexpr Shape kColumns = ListOf(kColumn);
constexpr auto kSerDeMembers = std::to_array<ShapeMember>(
    {{"Name", &kName}, {"SerializationLibrary", &kName}, {"Parameters", &kParameters}});
constexpr Shape kSerDe = Structure(kSerDeMembers);
constexpr auto kOrderMembers =
    std::to_array<ShapeMember>({{"Column", &kName, true}, {"SortOrder", &kFlag, true}});
constexpr Shape kOrder = Structure(kOrderMembers);
constexpr Shape kOrders = ListOf(kOrder);
constexpr auto kStorageDescriptorMembers = std::to_array<ShapeMember>({
    {"Columns", &kColumns},
    {"Location", &kLocation},
    {"AdditionalLocations", &kLocations},
    {"InputFormat", &kFormat},
    {"OutputFormat", &kFormat},
    {"Compressed", &kBoolean},
    {"NumberOfBuckets", &kInteger},
    {"SerdeInfo", &kSerDe},
    {"BucketColumns", &kNames},
    {"SortColumns", &kOrders},
    {"Parameters", &kParameters},
    {"SkewedInfo", &kAnything},
    {"StoredAsSubDirectories", &kBoolean},
    {"SchemaReference", &kAnything},
});
constexpr Shape kStorageDescriptor = Structure(kStorageDescriptorMembers);

constexpr auto kTableInputMembers = std::to_array<ShapeMember>({
    {"Name", &kName, true},
    {"Description", &kDescription},
    {"Owner", &kName},
    {"LastAccessTime", &kTimestamp},
    {"LastAnalyzedTime", &kTimestamp},
    {"Retention", &kNonNegative},
    {"StorageDescriptor", &kStorageDescriptor},
    {"PartitionKeys", &kColumns},
    {"ViewOriginalText", &kViewText},
    {"ViewExpandedText", &kViewText},
    {"TableType", &kTableType},
    {"Parameters", &kParameters},
    {"TargetTable", &kTableIdentifier},
    {"ViewDefinition", &kViewDefinitionInput},
});
constexpr auto kTableResponseOnly = std::to_array<std::string_view>(
    {"DatabaseName", "CreateTime", "UpdateTime", "CreatedBy", "IsRegisteredWithLakeFormation",
     "CatalogId", "VersionId", "IsMultiDialectView", "IsMaterializedView", "Status"});

constexpr Shape kValues = ListOf(kValue);
constexpr Shape kFewValues = ListOf(kValue, 0, 100);
constexpr auto kPartitionInputMembers = std::to_array<ShapeMember>({
    {"Values", &kValues},
    {"LastAccessTime", &kTimestamp},
    {"StorageDescriptor", &kStorageDescriptor},
    {"Parameters", &kParameters},
    {"LastAnalyzedTime", &kTimestamp},
});
constexpr auto kPartitionResponseOnly =
    std::to_array<std::string_view>({"DatabaseName", "TableName", "CreationTime", "CatalogId"});
constexpr Shape kOnePartitionInput = Structure(kPartitionInputMembers, kPartitionResponseOnly);
constexpr auto kPartitionValueListMembers =
    std::to_array<ShapeMember>({{"Values", &kValues, true}});
constexpr Shape kPartitionValueList = Structure(kPartitionValueListMembers);
constexpr auto kPartitionUpdateMembers = std::to_array<ShapeMember>(
    {{"PartitionValueList", &kFewValues, true}, {"PartitionInput", &kOnePartitionInput, true}});
constexpr Shape kPartitionUpdate = Structure(kPartitionUpdateMembers);

constexpr auto kResourceUriMembers =
    std::to_array<ShapeMember>({{"ResourceType", &kResourceType}, {"Uri", &kUri}});
constexpr Shape kResourceUri = Structure(kResourceUriMembers);
constexpr Shape kResourceUris = ListOf(kResourceUri, 0, 1000);
constexpr Shape kFunctionTypeOfInput = Enumeration(kFunctionTypes);
constexpr auto kFunctionInputMembers = std::to_array<ShapeMember>({
    {"FunctionName", &kName},
    {"ClassName", &kName},
    {"OwnerName", &kName},
    {"FunctionType", &kFunctionTypeOfInput},
    {"OwnerType", &kPrincipalType},
    {"ResourceUris", &kResourceUris},
});

constexpr Shape kIndexKeys = {.type = Type::kList, .min = 1, .element = &kName};
constexpr auto kPartitionIndexMembers =
    std::to_array<ShapeMember>({{"Keys", &kIndexKeys, true}, {"IndexName", &kName, true}});
constexpr Shape kOnePartitionIndex = Structure(kPartitionIndexMembers);

constexpr auto kSegmentMembers = std::to_array<ShapeMember>(
    {{"SegmentNumber", &kNonNegative, true}, {"TotalSegments", &kNumberOfSegments, true}});

constexpr auto kStatisticsDataMembers =
    std::to_array<ShapeMember>({{"Type", &kStatisticsType, true}});
constexpr Shape kStatisticsData = Structure(kStatisticsDataMembers);
constexpr auto kColumnStatisticsMembers = std::to_array<ShapeMember>({
    {"ColumnName", &kName, true},
    {"ColumnType", &kStatisticsColumnType, true},
    {"AnalyzedTime", &kTimestamp, true},
    {"StatisticsData", &kStatisticsData, true},
});
constexpr Shape kColumnStatistics = Structure(kColumnStatisticsMembers);

constexpr auto kSearchFilterMembers = std::to_array<ShapeMember>(
    {{"Key", &kValue}, {"Value", &kValue}, {"Comparator", &kComparator}});
constexpr Shape kSearchFilter = Structure(kSearchFilterMembers);
constexpr auto kSortCriterionMembers =
    std::to_array<ShapeMember>({{"FieldName", &kValue}, {"Sort", &kSortOrder}});
constexpr Shape kSortCriterion = Structure(kSortCriterionMembers);

}  // namespace

constinit const Shape kDatabaseInput = Structure(kDatabaseInputMembers, kDatabaseResponseOnly);
constinit const Shape kPrincipalPermissionsList = ListOf(kPrincipalPermissions);
constinit const Shape kTableInput = Structure(kTableInputMembers, kTableResponseOnly);
constinit const Shape kPartitionInput = kOnePartitionInput;
constinit const Shape kPartitionInputList = ListOf(kOnePartitionInput, 0, 100);
constinit const Shape kFunctionInput = Structure(kFunctionInputMembers);
constinit const Shape kPartitionIndex = kOnePartitionIndex;
constinit const Shape kPartitionIndexList = ListOf(kOnePartitionIndex, 0, 3);
constinit const Shape kSegment = Structure(kSegmentMembers);
constinit const Shape kPartitionValues = kValues;
constinit const Shape kBoundedPartitionValues = kFewValues;
constinit const Shape kPartitionsToDelete = ListOf(kPartitionValueList, 0, 25);
constinit const Shape kPartitionsToGet = ListOf(kPartitionValueList, 0, 1000);
constinit const Shape kPartitionUpdates = ListOf(kPartitionUpdate, 1, 100);
constinit const Shape kTablesToDelete = ListOf(kName, 0, 100);
constinit const Shape kVersionsToDelete = ListOf(kVersion, 0, 100);
constinit const Shape kStatisticsColumns = ListOf(kName, 0, 100);
constinit const Shape kColumnStatisticsList = ListOf(kColumnStatistics, 0, 25);
constinit const Shape kDatabaseAttributes = ListOf(kDatabaseAttribute);
constinit const Shape kTableAttributes = ListOf(kTableAttribute);
constinit const Shape kSearchFilters = ListOf(kSearchFilter);
constinit const Shape kSortCriteria = ListOf(kSortCriterion, 0, 1);

}  // namespace gluecat::store::shapes
