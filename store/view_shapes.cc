#include "store/view_shapes.h"

#include <array>

#include "store/model_shapes.h"
#include "store/shape_builders.h"

namespace gluecat::store::shapes {
namespace {

constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();

constexpr auto kDialects = std::to_array<std::string_view>({"REDSHIFT", "ATHENA", "SPARK"});
constexpr auto kUpdateActions =
    std::to_array<std::string_view>({"ADD", "REPLACE", "ADD_OR_REPLACE", "DROP"});
constexpr auto kRefreshTypes = std::to_array<std::string_view>({"FULL", "INCREMENTAL"});
constexpr auto kSourceTypes = std::to_array<std::string_view>(
    {"HIVE_PARQUET", "HIVE_ORC", "HIVE_CSV", "HIVE_JSON", "PLAIN_PARQUET", "ICEBERG"});

constexpr Shape kArn = Text(20, 2048);
constexpr Shape kArns = ListOf(kArn, 0, 10);
constexpr Shape kViewText = Text(0, 409600);
constexpr Shape kDialect = Enumeration(kDialects);
constexpr Shape kDialectVersion = Text(1, 255);
constexpr Shape kTableVersion = Whole(-1, kMaxInt64);
constexpr Shape kTableVersions = ListOf(kTableVersion, 0, 250);
constexpr Shape kLong = Whole(-kMaxInt64 - 1, kMaxInt64);
constexpr Shape kText = {.type = Type::kString};
constexpr Shape kRefreshType = Enumeration(kRefreshTypes);
constexpr Shape kSourceType = Enumeration(kSourceTypes);
constexpr Shape kPipelineKey = Text(1, 128);
constexpr Shape kPipelineValue = Text(0, 2048);
constexpr Shape kPipelineInfo = MapOf(kPipelineKey, kPipelineValue, 0, 50);

constexpr auto kStatisticsMembers = std::to_array<ShapeMember>({
    {"SourceType", &kSourceType},
    {"GlueVersionId", &kText},
    {"PartitionCount", &kLong},
    {"FileCount", &kLong},
    {"TotalFileBytes", &kLong},
});
constexpr Shape kStatistics = Structure(kStatisticsMembers);
constexpr Shape kStatisticsList = ListOf(kStatistics, 0, 250);

constexpr auto kRepresentationMembers = std::to_array<ShapeMember>({
    {"Dialect", &kDialect},
    {"DialectVersion", &kDialectVersion},
    {"ViewOriginalText", &kViewText},
    {"ValidationConnection", &kName},
    {"ViewExpandedText", &kViewText},
});
constexpr auto kRepresentationResponseOnly = std::to_array<std::string_view>({"IsStale"});
constexpr Shape kRepresentation = Structure(kRepresentationMembers, kRepresentationResponseOnly);
constexpr Shape kRepresentations = ListOf(kRepresentation, 1, 10);

constexpr auto kDefinitionMembers = std::to_array<ShapeMember>({
    {"IsProtected", &kBoolean},
    {"IsManaged", &kBoolean},
    {"Definer", &kArn},
    {"Representations", &kRepresentations},
    {"ViewVersionId", &kTableVersion},
    {"ViewVersionToken", &kVersion},
    {"RefreshSeconds", &kLong},
    {"LastRefreshType", &kRefreshType},
    {"SubObjects", &kArns},
    {"SubObjectVersionIds", &kTableVersions},
    {"SubObjectsStatistics", &kStatisticsList},
    {"SparkPipelineInfo", &kPipelineInfo},
});

}  // namespace

constinit const Shape kViewDefinitionInput = Structure(kDefinitionMembers);
constinit const Shape kViewUpdateAction = Enumeration(kUpdateActions);

}  // namespace gluecat::store::shapes
