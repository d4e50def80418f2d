#include "core/entry/build.h"

#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/entry/column_rules.h"
#include "core/entry/keys.h"
#include "core/entry/layout.h"
#include "core/entry/limits.h"
#include "core/entry/recognize.h"
#include "core/entry/schema_parameters.h"
#include "core/entry/serde_reader.h"

namespace gluecat::entry {
namespace {

using types::StructField;

struct Columns {
  types::StructType schema;                    // partition columns last
  std::vector<std::string> partition_columns;  // as the schema spells them
  std::vector<StructField> data;
  std::vector<StructField> partition;
};

Status CheckProvider(std::string_view provider) {
  if (provider.empty()) {
    return Fail(ErrorKind::kInvalidArgument, "the table has no provider (USING …)");
  }
  for (const std::string_view other : {"iceberg", "hudi"}) {
    if (provider == other) {
      return Fail(ErrorKind::kUnsupported,
                  "tables of provider " + std::string(other) + " are created by their own catalog");
    }
  }
  if (provider == "hive" || provider == kTextSerDeProvider) {
    return Fail(ErrorKind::kUnsupported, "tables of provider " + std::string(provider) +
                                             " (STORED AS, ROW FORMAT) cannot be created");
  }
  return CheckName("provider", provider);
}

Result<Columns> ArrangeColumns(const TableSpec& spec, std::string_view provider) {
  GLUECAT_RETURN_IF_ERROR(CheckColumns(spec.schema));
  Columns columns;
  GLUECAT_ASSIGN_OR_RETURN(columns.partition_columns,
                           ResolveNames(spec.schema, spec.partition_columns, "partition column"));
  if (!columns.partition_columns.empty() &&
      columns.partition_columns.size() == spec.schema.fields.size()) {
    return Fail(ErrorKind::kInvalidArgument, "all columns are partition columns");
  }
  GLUECAT_ASSIGN_OR_RETURN(columns.schema, PartitionColumnsLast(StoredSchema(spec.schema, provider),
                                                                columns.partition_columns));
  const auto& fields = columns.schema.fields;
  const auto split = fields.end() - static_cast<std::ptrdiff_t>(columns.partition_columns.size());
  columns.data.assign(fields.begin(), split);
  columns.partition.assign(split, fields.end());
  return columns;
}

Result<std::optional<Bucketing>> ArrangeBucketing(const TableSpec& spec, const Columns& columns,
                                                  std::string_view provider) {
  if (!spec.bucketing) return std::nullopt;
  constexpr std::int64_t kMostBuckets = 100000;  // spark.sql.sources.bucketing.maxBuckets
  if (provider == "delta") {
    return Fail(ErrorKind::kInvalidArgument, "Delta tables cannot be bucketed");
  }
  if (spec.bucketing->count <= 0 || spec.bucketing->count > kMostBuckets) {
    return Fail(ErrorKind::kInvalidArgument, "the number of buckets is " +
                                                 std::to_string(spec.bucketing->count) +
                                                 ", not 1 to " + std::to_string(kMostBuckets));
  }
  if (spec.bucketing->columns.empty()) {
    return Fail(ErrorKind::kInvalidArgument, "the table is bucketed by no column");
  }
  const types::StructType data{columns.data};
  Bucketing bucketing;
  bucketing.count = spec.bucketing->count;
  GLUECAT_ASSIGN_OR_RETURN(bucketing.columns,
                           ResolveNames(data, spec.bucketing->columns, "bucketing column"));
  GLUECAT_ASSIGN_OR_RETURN(bucketing.sort_columns, ResolveNames(data, spec.bucketing->sort_columns,
                                                                "column to sort buckets by"));
  return bucketing;
}

// Columns, partition keys and formats, in the form that fits (see layout.h).
Status LayOut(const Columns& columns, std::string_view provider, glue::Table& table) {
  auto& descriptor = *table.storage_descriptor;
  if (provider == "delta") {
    SetFormats(DeltaFormats(), descriptor);
    descriptor.columns = ApproximateColumns(columns.schema.fields);
    table.partition_keys.emplace();
    return {};
  }
  GLUECAT_ASSIGN_OR_RETURN(table.partition_keys, PartitionKeys(columns.partition));
  if (const auto formats = HiveFormats(provider)) {
    auto real = RealColumns(provider, columns.data);
    if (real) {
      SetFormats(*formats, descriptor);
      descriptor.columns = *std::move(real);
      return {};
    }
    if (real.error().kind == ErrorKind::kLimitExceeded) return Fail(std::move(real).error());
  }
  SetFormats(SparkSpecificFormats(), descriptor);
  descriptor.columns = SparkSpecificColumns();
  return {};
}

glue::StorageDescriptor EmptyDescriptor() {
  glue::StorageDescriptor descriptor;
  descriptor.compressed = false;
  descriptor.number_of_buckets = -1;
  descriptor.bucket_columns.emplace();
  descriptor.sort_columns.emplace();
  descriptor.parameters.emplace();
  descriptor.serde_info.emplace();
  return descriptor;
}

}  // namespace

void SetTableComment(const std::optional<std::string>& comment, TableKind kind,
                     glue::Table& table) {
  const bool in_parameters =
      !IsPrestoView(table) && kind != TableKind::kIceberg;  // Iceberg's is in its metadata
  if (!comment || comment->empty()) {
    table.description.reset();
    if (in_parameters && table.parameters) Erase(*table.parameters, kComment);
    return;
  }
  table.description = ToDescription(*comment);
  if (!in_parameters) return;
  if (!table.parameters) table.parameters.emplace();
  Set(*table.parameters, kComment, *comment);
}

void SetProviderLocation(const std::string& location, glue::StorageDescriptor& descriptor) {
  descriptor.location = location;
  if (!descriptor.serde_info) descriptor.serde_info.emplace();
  auto& parameters = descriptor.serde_info->parameters;
  std::erase_if(parameters, [](const auto& item) {
    return item.first != kPath && EqualsIgnoreCase(item.first, kPath);
  });
  Set(parameters, kPath, location);
}

Status CheckProperty(std::string_view key, std::string_view value) {
  if (IsReservedProperty(key)) {
    return Fail(ErrorKind::kInvalidArgument,
                "table property '" + std::string(key) +
                    "' is kept by the catalog itself: it can be neither set nor removed");
  }
  return CheckParameter("table property", key, value);
}

Status CheckOption(std::string_view key, std::string_view value) {
  if (EqualsIgnoreCase(key, kPath)) {
    return Fail(ErrorKind::kInvalidArgument,
                "option 'path' is the table's location: it is set by LOCATION");
  }
  return CheckParameter("option", key, value);
}

Result<glue::Table> BuildTable(std::string_view name, const TableSpec& spec,
                               const WriterInfo& writer) {
  GLUECAT_RETURN_IF_ERROR(CheckName("table name", name));
  const std::string provider = ToLowerAscii(Trim(spec.provider));
  GLUECAT_RETURN_IF_ERROR(CheckProvider(provider));
  GLUECAT_RETURN_IF_ERROR(CheckLocation(spec.location.value_or("")));
  GLUECAT_ASSIGN_OR_RETURN(const Columns columns, ArrangeColumns(spec, provider));
  GLUECAT_ASSIGN_OR_RETURN(const auto bucketing, ArrangeBucketing(spec, columns, provider));

  glue::Table table;
  table.name = ToLowerAscii(name);
  table.table_type = "EXTERNAL_TABLE";
  table.storage_descriptor = EmptyDescriptor();
  GLUECAT_RETURN_IF_ERROR(LayOut(columns, provider, table));

  auto& serde = table.storage_descriptor->serde_info->parameters;
  for (const auto& [key, value] : spec.options) {
    if (EqualsIgnoreCase(key, kPath) && value == *spec.location) continue;
    GLUECAT_RETURN_IF_ERROR(CheckOption(key, value));
    serde.emplace(key, value);
  }
  serde.emplace(kSerializationFormat, "1");
  SetProviderLocation(*spec.location, *table.storage_descriptor);

  auto& parameters = table.parameters.emplace();
  for (const auto& [key, value] : spec.properties) {
    if (key == kComment) continue;
    GLUECAT_RETURN_IF_ERROR(CheckProperty(key, value));
    parameters.emplace(key, value);
  }
  Set(parameters, kExternal, "TRUE");
  Set(parameters, kProvider, std::string(Trim(spec.provider)));
  if (provider == "delta") Set(parameters, kTableType, "DELTA");
  if (spec.managed) Set(parameters, kManaged, "true");
  if (!writer.spark_version.empty()) Set(parameters, kCreateVersion, writer.spark_version);
  Set(parameters, kLastDdlTime, std::to_string(writer.now_seconds));
  if (provider == "delta" || !columns.partition_columns.empty()) {
    Set(parameters, kPartitionProvider,
        provider == "delta" || spec.partitions_tracked ? "catalog" : "filesystem");
  }
  WriteSchema(columns.schema, parameters);
  WritePartitionColumns(columns.partition_columns, parameters);
  WriteBucketing(bucketing, parameters);

  auto comment = spec.comment;
  if (const auto* property = Find(spec.properties, kComment); !comment && property != nullptr) {
    comment = *property;
  }
  if (comment) GLUECAT_RETURN_IF_ERROR(CheckParameter("table property", kComment, *comment));
  SetTableComment(comment, TableKind::kDataSource, table);
  if (spec.owner && !spec.owner->empty()) {
    GLUECAT_RETURN_IF_ERROR(CheckName("owner", *spec.owner));
    table.owner = spec.owner;
  }
  return table;
}

}  // namespace gluecat::entry
