#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/entry/description.h"
#include "core/entry/keys.h"
#include "core/entry/layout.h"
#include "core/entry/limits.h"
#include "core/entry/partition_reader.h"
#include "core/entry/recognize.h"
#include "core/entry/schema_parameters.h"
#include "core/entry/serde_reader.h"
#include "core/types/char_varchar.h"

namespace gluecat::entry {
namespace {

using types::DataType;
using types::StructField;
using types::StructType;

// The beginning of a text that may be as long as Glue allows.
std::string Shown(std::string_view text) {
  constexpr std::size_t kMost = 200;
  if (text.size() <= kMost) return std::string(text);
  return std::string(CutToBytes(text, kMost)) + "…";
}

Result<StructField> FieldOf(const glue::Column& column) {
  if (!column.type || Trim(*column.type).empty()) {
    return Fail(ErrorKind::kInvalidData, "column '" + column.name + "' has no type");
  }
  auto type = types::ParseGlueType(*column.type);
  if (!type) {
    return Fail(type.error().kind, "column '" + column.name + "' has type '" + Shown(*column.type) +
                                       "', which cannot be read: " + type.error().message);
  }
  StructField field{column.name, {}, true, {}};
  types::SetStoredType(field, *std::move(type));
  if (column.comment && !column.comment->empty() && *column.comment != kFromDeserializer) {
    field.SetComment(column.comment);
  }
  return field;
}

bool IsDroppedIcebergColumn(const glue::Column& column) {
  return Is(column.parameters, "iceberg.field.current", "false");
}

// The schema that the Glue columns show, partition keys last.
Result<StructType> SchemaOfColumns(const glue::Table& table) {
  StructType schema;
  const auto* keys = table.partition_keys ? &*table.partition_keys : nullptr;
  const auto is_key = [&](const std::string& name) {
    if (keys == nullptr) return false;
    for (const auto& key : *keys) {
      if (EqualsIgnoreCase(key.name, name)) return true;
    }
    return false;
  };
  if (table.storage_descriptor && table.storage_descriptor->columns) {
    for (const auto& column : *table.storage_descriptor->columns) {
      // Some crawlers list a partition key among the columns as well.
      if (is_key(column.name) || IsDroppedIcebergColumn(column)) continue;
      GLUECAT_ASSIGN_OR_RETURN(auto field, FieldOf(column));
      schema.fields.push_back(std::move(field));
    }
  }
  if (keys != nullptr) {
    for (const auto& key : *keys) {
      GLUECAT_ASSIGN_OR_RETURN(auto field, FieldOf(key));
      schema.fields.push_back(std::move(field));
    }
  }
  return schema;
}

bool SameIgnoringCaseAndNullability(const DataType& a, const DataType& b);

bool SameFields(const StructType& a, const StructType& b) {
  if (a.fields.size() != b.fields.size()) return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    if (!EqualsIgnoreCase(a.fields[i].name, b.fields[i].name) ||
        !SameIgnoringCaseAndNullability(types::DeclaredType(a.fields[i]),
                                        types::DeclaredType(b.fields[i]))) {
      return false;
    }
  }
  return true;
}

bool SameIgnoringCaseAndNullability(const DataType& a, const DataType& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case DataType::Kind::kSimple:
      return a.name() == b.name();
    case DataType::Kind::kArray:
      return SameIgnoringCaseAndNullability(a.element(), b.element());
    case DataType::Kind::kMap:
      return SameIgnoringCaseAndNullability(a.key(), b.key()) &&
             SameIgnoringCaseAndNullability(a.value(), b.value());
    case DataType::Kind::kStruct:
      return SameFields(a.fields(), b.fields());
  }
  return false;
}

class Describer {
 public:
  explicit Describer(const glue::Table& table) : table_(table), parameters_(ParametersOf(table)) {}

  TableDescription Describe() {
    result_.name = table_.name;
    Recognized recognized = Recognize(table_);
    result_.kind = recognized.kind;
    result_.reason = std::move(recognized.reason);
    result_.provider = std::move(recognized.provider);
    DescribeCommon();
    switch (result_.kind) {
      case TableKind::kDataSource:
        DescribeDataSource();
        break;
      case TableKind::kDelta:
        DescribeDelta();
        break;
      case TableKind::kHudi:
        DescribeHudi();
        break;
      case TableKind::kHiveSerDe:
        DescribeHiveSerDe();
        break;
      case TableKind::kIceberg:
      case TableKind::kResourceLink:
        DescribeForeign();
        break;
      case TableKind::kView:
        DescribeView();
        break;
      case TableKind::kUnsupported:
        if (auto schema = SchemaOfColumns(table_)) result_.schema = *std::move(schema);
        result_.location = SdLocation();
        break;
    }
    return std::move(result_);
  }

 private:
  void DescribeCommon() {
    result_.managed = EqualsIgnoreCase(table_.table_type.value_or(""), "MANAGED_TABLE") ||
                      Is(parameters_, kManaged, "true");
    result_.comment = TableComment(table_);
    if (table_.owner && !table_.owner->empty()) result_.owner = table_.owner;
    if (table_.create_time) {
      constexpr double kMillis = 1000;
      constexpr double kMost = 1e15;  // seconds; beyond it the number is no time
      if (std::abs(*table_.create_time) < kMost) {
        result_.created_ms = std::llround(*table_.create_time * kMillis);
      }
    }
    if (const auto* version = Find(parameters_, kCreateVersion)) result_.create_version = *version;
    result_.version_id = table_.version_id;
    for (const auto& [key, value] : parameters_) {
      if (!IsFormatParameter(key)) result_.properties.emplace(key, value);
    }
  }

  // --- Tables with a Spark provider ----------------------------------------

  void DescribeDataSource() {
    result_.location = ProviderLocation(table_);
    TakeOptions();
    result_.statistics = ReadStatistics(parameters_, true);
    result_.partitions_tracked = Is(parameters_, kPartitionProvider, "catalog");
    auto bucketing = ReadBucketing(parameters_);
    if (!bucketing) return Unsupported(bucketing.error());
    result_.bucketing = *std::move(bucketing);
    if (const auto taken = TakeSchema(); !taken) return Unsupported(taken.error());
    TakeProjection();
    TakeFormat();
  }

  // Where it is enabled, the partitions in Glue count for nothing, as in Athena.
  void TakeProjection() {
    if (!Is(parameters_, kProjectionEnabled, "true") || result_.partition_columns.empty()) return;
    Projection projection{{}, result_.location.value_or("")};
    for (const auto& [key, value] : parameters_) {
      if (key.starts_with(kProjectionPrefix) || key == kLocationTemplate) {
        projection.parameters.emplace(key, value);
      }
    }
    result_.projection = std::move(projection);
    result_.partitions_tracked = true;
  }

  // Partitions that Glue holds may have another format.
  void TakeFormat() {
    if (result_.provider.empty() || !result_.partitions_tracked ||
        result_.partition_columns.empty() || result_.projection) {
      return;
    }
    result_.format = FormatOf(table_);
    if (result_.kind == TableKind::kDataSource) result_.format->provider = result_.provider;
  }

  void DescribeDelta() {
    result_.location = ProviderLocation(table_);
    if (!result_.location) {
      Unsupported(MakeError(ErrorKind::kInvalidData,
                            "neither the SerDe parameter 'path' nor StorageDescriptor.Location "
                            "says where its log is"));
      return;
    }
    TakeOptions();
    // Only what the entry shows: the log has the schema, whatever this says.
    if (!TakeSchema()) result_.schema.fields.clear();
    result_.reason.clear();
    const auto stored = ReadSchema(parameters_);
    result_.schema_stored = stored && *stored && !(*stored)->fields.empty();
    if (result_.schema.fields.empty() && HasRealColumns()) {
      if (auto schema = SchemaOfColumns(table_)) {
        result_.schema = *std::move(schema);
        result_.partition_columns = PartitionKeyNames();
      }
    }
  }

  void DescribeHudi() {
    result_.location = ProviderLocation(table_);
    TakeOptions();
    result_.partitions_tracked = !PartitionKeyNames().empty();
    if (const auto taken = TakeSchema(); !taken) Unsupported(taken.error());
  }

  void TakeOptions() {
    if (!table_.storage_descriptor || !table_.storage_descriptor->serde_info) return;
    for (const auto& [key, value] : table_.storage_descriptor->serde_info->parameters) {
      if (EqualsIgnoreCase(key, kPath) || key == kSerializationFormat) continue;
      result_.options.emplace(key, value);
    }
  }

  // The schema that Spark stored, else the one the columns show.
  Status TakeSchema() {
    auto stored = ReadSchema(parameters_);
    auto partition_columns = ReadPartitionColumns(parameters_);
    std::vector<std::string> names =
        partition_columns && *partition_columns ? **partition_columns : PartitionKeyNames();
    if (stored && partition_columns && *stored) {
      StructType schema = **std::move(stored);
      if (schema.fields.empty()) {
        result_.schema = std::move(schema);
        return {};
      }
      AddMissingPartitionKeys(schema, names);
      GLUECAT_ASSIGN_OR_RETURN(result_.schema, PartitionColumnsLast(std::move(schema), names));
      result_.partition_columns = std::move(names);
      AddColumnComments();
      return {};
    }
    const Error* error = !stored              ? &stored.error()
                         : !partition_columns ? &partition_columns.error()
                                              : nullptr;
    if (!HasRealColumns()) {
      if (error != nullptr) return Fail(*error);
      // Spark finds out from the files.
      return {};
    }
    GLUECAT_ASSIGN_OR_RETURN(auto schema, SchemaOfColumns(table_));
    GLUECAT_ASSIGN_OR_RETURN(result_.schema, PartitionColumnsLast(std::move(schema), names));
    result_.partition_columns = std::move(names);
    if (error != nullptr) {
      result_.reason = TableLabel(table_) + ": " + error->message +
                       "; its columns are those of the Glue entry, without Spark's names and types";
    }
    return {};
  }

  // An entry may have keys that its writer did not put into the schema.
  void AddMissingPartitionKeys(StructType& schema, const std::vector<std::string>& names) const {
    if (!table_.partition_keys) return;
    for (const auto& name : names) {
      if (schema.Find(name)) continue;
      for (const auto& key : *table_.partition_keys) {
        if (!EqualsIgnoreCase(key.name, name)) continue;
        if (auto field = FieldOf(key)) schema.fields.push_back(*std::move(field));
      }
    }
  }

  // Comments that were set in Glue by others, on columns Spark has none for.
  void AddColumnComments() {
    const auto add = [&](const std::vector<glue::Column>& columns) {
      for (const auto& column : columns) {
        if (!column.comment || column.comment->empty() || *column.comment == kFromDeserializer) {
          continue;
        }
        const auto at = result_.schema.Find(column.name);
        if (!at) continue;
        auto& field = result_.schema.fields[*at];
        if (!field.Comment()) field.SetComment(column.comment);
      }
    };
    if (table_.storage_descriptor && table_.storage_descriptor->columns) {
      add(*table_.storage_descriptor->columns);
    }
    if (table_.partition_keys) add(*table_.partition_keys);
  }

  // --- Others ----------------------------------------------------------------

  void DescribeHiveSerDe() {
    result_.location = SdLocation();
    result_.partition_columns = PartitionKeyNames();
    result_.partitions_tracked = !result_.partition_columns.empty();
    result_.statistics = ReadStatistics(parameters_, true);
    const auto& descriptor = *table_.storage_descriptor;
    if (result_.provider.empty()) {
      result_.options = descriptor.serde_info->parameters;
    } else {
      SerDeReader reader = ReaderOfSerDe(table_);
      result_.options = std::move(reader.options);
      result_.files_in_manifests = reader.files_in_manifests;
      result_.read_only = std::move(reader.read_only);
    }
    if (descriptor.number_of_buckets.value_or(0) > 0 && descriptor.bucket_columns &&
        !descriptor.bucket_columns->empty()) {
      Bucketing bucketing{*descriptor.number_of_buckets, *descriptor.bucket_columns, {}};
      if (descriptor.sort_columns) {
        for (const auto& order : *descriptor.sort_columns) {
          bucketing.sort_columns.push_back(order.column);
        }
      }
      result_.bucketing = std::move(bucketing);
    }
    auto schema = SchemaOfColumns(table_);
    if (!schema) return Unsupported(schema.error());
    result_.schema = *std::move(schema);
    UseSparkNames();
    TakeProjection();
    TakeFormat();
  }

  // Spark keeps a schema for Hive tables too, for the case of names. It counts
  // as long as it says the same as the columns.
  void UseSparkNames() {
    auto stored = ReadSchema(parameters_);
    const auto names = ReadPartitionColumns(parameters_);
    if (!stored || !*stored || !names) return;
    auto spark = PartitionColumnsLast(**std::move(stored), names->value_or(PartitionKeyNames()));
    if (!spark || !SameFields(*spark, result_.schema)) return;
    result_.schema = *std::move(spark);
    if (*names) result_.partition_columns = **names;
    AddColumnComments();
  }

  // Kinds whose schema lies elsewhere: what the entry shows, if it can be read.
  void DescribeForeign() {
    result_.location = SdLocation();
    auto schema = SchemaOfColumns(table_);
    if (!schema) return;
    result_.schema = *std::move(schema);
    result_.partition_columns = PartitionKeyNames();
  }

  void DescribeView() {
    auto stored = ReadSchema(parameters_);
    if (stored && *stored) {
      result_.schema = **std::move(stored);
      return;
    }
    if (!HasRealColumns()) return;
    if (auto schema = SchemaOfColumns(table_)) result_.schema = *std::move(schema);
  }

  void Unsupported(const Error& error) {
    result_.kind = TableKind::kUnsupported;
    result_.reason = TableLabel(table_) + ": " + error.message;
    result_.schema.fields.clear();
    result_.partition_columns.clear();
  }

  std::vector<std::string> PartitionKeyNames() const {
    std::vector<std::string> names;
    if (!table_.partition_keys) return names;
    for (const auto& key : *table_.partition_keys) names.push_back(key.name);
    return names;
  }

  bool HasRealColumns() const {
    return table_.storage_descriptor && table_.storage_descriptor->columns &&
           !table_.storage_descriptor->columns->empty() &&
           !IsSparkSpecific(*table_.storage_descriptor);
  }

  std::optional<std::string> SdLocation() const {
    if (!table_.storage_descriptor || !table_.storage_descriptor->location ||
        table_.storage_descriptor->location->empty()) {
      return std::nullopt;
    }
    return table_.storage_descriptor->location;
  }

  const glue::Table& table_;
  const glue::Parameters& parameters_;
  TableDescription result_;
};

}  // namespace

TableDescription DescribeTable(const glue::Table& table) { return Describer(table).Describe(); }

}  // namespace gluecat::entry
