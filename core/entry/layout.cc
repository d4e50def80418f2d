#include "core/entry/layout.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/entry/keys.h"
#include "core/entry/limits.h"
#include "core/types/char_varchar.h"

namespace gluecat::entry {
namespace {

using types::DataType;
using types::StructField;

struct ProviderFormats {
  std::string_view provider;
  Formats formats;
};

constexpr std::string_view kLazySimpleSerDe = "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe";

constexpr Formats kParquet = {"org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
                              "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
                              "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"};

constexpr auto kProviders = std::to_array<ProviderFormats>({
    {"parquet", kParquet},
    {"orc",
     {"org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
      "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
      "org.apache.hadoop.hive.ql.io.orc.OrcSerde"}},
    {"avro",
     {"org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat",
      "org.apache.hadoop.hive.ql.io.avro.AvroContainerOutputFormat",
      "org.apache.hadoop.hive.serde2.avro.AvroSerDe"}},
    {"textfile",
     {"org.apache.hadoop.mapred.TextInputFormat",
      "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat", kLazySimpleSerDe}},
    {"sequencefile",
     {"org.apache.hadoop.mapred.SequenceFileInputFormat",
      "org.apache.hadoop.hive.ql.io.HiveSequenceFileOutputFormat", kLazySimpleSerDe}},
    {"rcfile",
     {"org.apache.hadoop.hive.ql.io.RCFileInputFormat",
      "org.apache.hadoop.hive.ql.io.RCFileOutputFormat",
      "org.apache.hadoop.hive.serde2.columnar.LazyBinaryColumnarSerDe"}},
});

constexpr std::array<std::string_view, 8> kFileProviders = {
    "parquet", "orc", "avro", "csv", "json", "text", "xml", "binaryfile"};

constexpr std::string_view kSparkSpecificColumn = "col";
constexpr std::string_view kSparkSpecificType = "array<string>";

DataType NtzAsTimestamp(DataType type) {
  switch (type.kind()) {
    case DataType::Kind::kSimple:
      return type.name() == "timestamp_ntz" ? DataType::Simple("timestamp") : type;
    case DataType::Kind::kArray:
      type.mutable_part(0) = NtzAsTimestamp(type.element());
      return type;
    case DataType::Kind::kMap:
      type.mutable_part(0) = NtzAsTimestamp(type.key());
      type.mutable_part(1) = NtzAsTimestamp(type.value());
      return type;
    case DataType::Kind::kStruct:
      for (auto& field : type.mutable_fields().fields) field.type = NtzAsTimestamp(field.type);
      return type;
  }
  return type;
}

glue::Column MakeColumn(const StructField& field, std::string type) {
  glue::Column column;
  column.name = ToLowerAscii(field.name);
  column.type = std::move(type);
  if (const auto comment = field.Comment()) column.comment = ToColumnComment(*comment);
  return column;
}

std::unexpected<Error> Refused(const StructField& field, const Error& error) {
  return Fail(WithContext(error, "column '" + field.name + "'"));
}

}  // namespace

std::optional<Formats> HiveFormats(std::string_view provider) {
  const auto* found = std::ranges::find(kProviders, provider, &ProviderFormats::provider);
  if (found == kProviders.end()) return std::nullopt;
  return found->formats;
}

Formats DeltaFormats() { return kParquet; }

Formats SparkSpecificFormats() {
  return {"org.apache.hadoop.mapred.SequenceFileInputFormat",
          "org.apache.hadoop.hive.ql.io.HiveSequenceFileOutputFormat", kLazySimpleSerDe};
}

void SetFormats(const Formats& formats, glue::StorageDescriptor& descriptor) {
  descriptor.input_format = std::string(formats.input);
  descriptor.output_format = std::string(formats.output);
  if (!descriptor.serde_info) descriptor.serde_info.emplace();
  descriptor.serde_info->serialization_library = std::string(formats.serde);
}

std::vector<glue::Column> SparkSpecificColumns() {
  glue::Column column;
  column.name = std::string(kSparkSpecificColumn);
  column.type = std::string(kSparkSpecificType);
  column.comment = std::string(kFromDeserializer);
  return {std::move(column)};
}

bool IsSparkSpecific(const glue::StorageDescriptor& descriptor) {
  if (!descriptor.columns || descriptor.columns->size() != 1) return false;
  const auto& column = descriptor.columns->front();
  return EqualsIgnoreCase(column.name, kSparkSpecificColumn) && column.type &&
         EqualsIgnoreCase(*column.type, kSparkSpecificType);
}

Result<std::vector<glue::Column>> RealColumns(std::string_view provider,
                                              const std::vector<StructField>& fields) {
  const bool ntz_reads_as_timestamp = provider == "parquet" || provider == "orc";
  std::vector<glue::Column> columns;
  for (const auto& field : fields) {
    GLUECAT_RETURN_IF_ERROR(CheckName("column name", field.name));
    DataType type = types::DeclaredType(field);
    if (ntz_reads_as_timestamp) type = NtzAsTimestamp(std::move(type));
    auto text = types::ToGlueType(type);
    if (!text) return Refused(field, text.error());
    columns.push_back(MakeColumn(field, *std::move(text)));
  }
  return columns;
}

std::vector<glue::Column> ApproximateColumns(const std::vector<StructField>& fields) {
  std::vector<glue::Column> columns;
  for (const auto& field : fields) {
    auto column = MakeColumn(field, types::ToApproximateGlueType(types::DeclaredType(field)));
    if (!IsGlueName(column.name)) {
      // Names that Delta's column mapping allows and Glue does not.
      column.name = std::string(CutToBytes(ToColumnComment(column.name), kMaxName));
      if (column.name.empty()) column.name = "_";
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<std::vector<glue::Column>> PartitionKeys(const std::vector<StructField>& fields) {
  std::vector<glue::Column> keys;
  for (const auto& field : fields) {
    GLUECAT_RETURN_IF_ERROR(CheckName("partition column name", field.name));
    const DataType type = NtzAsTimestamp(types::DeclaredType(field));
    if (type.kind() != DataType::Kind::kSimple) {
      return Fail(ErrorKind::kInvalidArgument, "column '" + field.name +
                                                   "' is an array, a map or a struct: it cannot "
                                                   "be a partition column");
    }
    auto text = types::ToGlueType(type);
    if (!text) return Refused(field, text.error());
    keys.push_back(MakeColumn(field, *std::move(text)));
  }
  return keys;
}

DataType AsNullable(DataType type) {
  switch (type.kind()) {
    case DataType::Kind::kSimple:
      return type;
    case DataType::Kind::kArray:
      return DataType::Array(AsNullable(type.element()), true);
    case DataType::Kind::kMap:
      return DataType::Map(AsNullable(type.key()), AsNullable(type.value()), true);
    case DataType::Kind::kStruct:
      for (auto& field : type.mutable_fields().fields) {
        field.type = AsNullable(std::move(field.type));
        field.nullable = true;
      }
      return type;
  }
  return type;
}

bool IsFileProvider(std::string_view provider) {
  return std::ranges::find(kFileProviders, provider) != kFileProviders.end();
}

}  // namespace gluecat::entry
