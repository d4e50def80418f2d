#include "core/entry/recognize.h"

#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/entry/keys.h"
#include "core/entry/limits.h"
#include "core/entry/serde_reader.h"

namespace gluecat::entry {
namespace {

constexpr std::array<std::string_view, 8> kKindNames = {
    "delta", "data_source", "iceberg", "hudi", "hive_serde", "view", "resource_link", "unsupported",
};

const glue::StorageDescriptor* DescriptorOf(const glue::Table& table) {
  return table.storage_descriptor ? &*table.storage_descriptor : nullptr;
}

// A parameter of the table or, where crawlers repeat them, of its storage.
std::string_view ClassifyingParameter(const glue::Table& table, std::string_view key) {
  if (const auto* value = Find(ParametersOf(table), key)) return *value;
  const auto* descriptor = DescriptorOf(table);
  if (descriptor != nullptr && descriptor->parameters) {
    if (const auto* value = Find(*descriptor->parameters, key)) return *value;
  }
  return {};
}

bool InputFormatContains(const glue::Table& table, std::string_view part) {
  const auto* descriptor = DescriptorOf(table);
  return descriptor != nullptr && descriptor->input_format &&
         descriptor->input_format->find(part) != std::string::npos;
}

// Short names are lower case; class names are kept, because Java's have a case.
std::string ProviderOf(const glue::Parameters& parameters) {
  const auto* provider = Find(parameters, kProvider);
  if (provider == nullptr) return {};
  const auto trimmed = Trim(*provider);
  return trimmed.find('.') == std::string_view::npos ? ToLowerAscii(trimmed) : std::string(trimmed);
}

std::string LinkReason(const glue::TargetIdentifier& target) {
  std::string reason = " is a resource link to table " + target.database_name.value_or("?") + "." +
                       target.name.value_or("?");
  if (target.catalog_id) reason += " of catalog " + *target.catalog_id;
  if (target.region) reason += " in " + *target.region;
  return reason;
}

// Why no reader of files can read a table without a Spark provider; empty if one can.
std::string NotFiles(const glue::Table& table) {
  const auto& descriptor = *table.storage_descriptor;
  const std::string location = descriptor.location.value_or("");
  const auto connection = ToLowerAscii(ClassifyingParameter(table, "connectionType"));
  const auto type_of_data = ToLowerAscii(ClassifyingParameter(table, "typeOfData"));
  for (const std::string_view stream : {"kinesis", "kafka"}) {
    if (connection == stream || type_of_data == stream) {
      return " is a " + std::string(stream) + " stream ('" + location + "'), not a table of files";
    }
  }
  const auto classification = ClassifyingParameter(table, "classification");
  if (type_of_data == "table" || type_of_data == "view") {
    return " is '" + location + "' of a database (classification '" + std::string(classification) +
           "', connection '" + std::string(ClassifyingParameter(table, "connectionName")) +
           "'), not a table of files";
  }
  if (!descriptor.serde_info || !descriptor.serde_info->serialization_library ||
      descriptor.serde_info->serialization_library->empty()) {
    std::string reason =
        ": SerdeInfo.SerializationLibrary is empty, so that nothing says how its "
        "files are read";
    if (!classification.empty()) {
      reason += " (classification '" + std::string(classification) + "')";
    }
    return reason;
  }
  if (location.empty()) return ": StorageDescriptor.Location is empty";
  return {};
}

// Why an entry is no table of its own that Spark could read; empty if it may be one.
std::string NotATable(const glue::Table& table) {
  const auto type = ToLowerAscii(table.table_type.value_or(""));
  if (type == "governed") {
    return " is a governed table of Lake Formation, a kind of table that AWS retired in 2024";
  }
  if (type == "materialized_view" || type == "index_table") {
    return " is of TableType '" + *table.table_type + "', which only Hive can read";
  }
  const auto* handler = Find(ParametersOf(table), kStorageHandler);
  if (handler != nullptr && !handler->empty()) {
    return " is stored by Hive's storage handler '" + *handler + "', not in files";
  }
  if (!table.storage_descriptor) return ": StorageDescriptor is missing";
  return {};
}

std::string ViewReason(const glue::Table& table) {
  return IsPrestoView(table) ? " is a view of Athena, Presto or Trino, and their SQL is not Spark's"
                             : " is a view, and this version does not read views";
}

}  // namespace

std::string_view TableKindName(TableKind kind) {
  return kKindNames.at(static_cast<std::size_t>(kind));
}

const glue::Parameters& ParametersOf(const glue::Table& table) {
  static const auto* const kNone = new glue::Parameters;
  return table.parameters ? *table.parameters : *kNone;
}

std::string TableLabel(const glue::Table& table) {
  std::string label = "table ";
  if (table.database_name && !table.database_name->empty()) label += *table.database_name + ".";
  return label + table.name;
}

Recognized Recognize(const glue::Table& table) {
  const auto& parameters = ParametersOf(table);
  const std::string label = TableLabel(table);
  if (table.target_table) {
    return {TableKind::kResourceLink, {}, label + LinkReason(*table.target_table)};
  }
  if (Is(parameters, kTableType, "iceberg")) {
    return {TableKind::kIceberg, "iceberg",
            label +
                " is an Iceberg table, which this version does not read; a catalog of Iceberg's "
                "own does"};
  }

  std::string provider = ProviderOf(parameters);
  // Manifests of Parquet files that a Delta table wrote for readers of Hive tables.
  const bool symlink = InputFormatContains(table, "SymlinkTextInputFormat");
  if (!symlink && (provider == "delta" || Is(parameters, kTableType, "delta"))) {
    return {TableKind::kDelta, "delta", {}};
  }
  if (EqualsIgnoreCase(table.table_type.value_or(""), "VIRTUAL_VIEW") ||
      table.is_multi_dialect_view.value_or(false)) {
    return {TableKind::kView, {}, label + ViewReason(table)};
  }
  if (provider == "hudi" || InputFormatContains(table, "org.apache.hudi.")) {
    return {TableKind::kHudi, "hudi", label + " is a Hudi table, which this version does not read"};
  }
  if (std::string reason = NotATable(table); !reason.empty()) {
    return {TableKind::kUnsupported, std::move(provider), label + reason};
  }
  if (!symlink && !provider.empty() && provider != "hive") {
    return {TableKind::kDataSource, std::move(provider), {}};
  }
  if (std::string reason = NotFiles(table); !reason.empty()) {
    return {TableKind::kUnsupported, {}, label + reason};
  }
  SerDeReader reader = ReaderOfSerDe(table);
  if (!reader.reason.empty()) return {TableKind::kHiveSerDe, {}, label + reader.reason};
  return {TableKind::kHiveSerDe, std::move(reader.provider), {}};
}

TableKind KindOf(const glue::Table& table) { return Recognize(table).kind; }

std::optional<std::string> ProviderLocation(const glue::Table& table) {
  const auto* descriptor = DescriptorOf(table);
  if (descriptor == nullptr) return std::nullopt;
  if (descriptor->serde_info) {
    const auto* path = FindIgnoreCase(descriptor->serde_info->parameters, kPath);
    if (path != nullptr && !path->empty()) return *path;
  }
  if (descriptor->location && !descriptor->location->empty() &&
      !descriptor->location->ends_with(kPlaceholderSuffix)) {
    return descriptor->location;
  }
  return std::nullopt;
}

bool IsPrestoView(const glue::Table& table) { return Is(ParametersOf(table), kPrestoView, "true"); }

std::optional<std::string> TableComment(const glue::Table& table) {
  const auto* parameter = IsPrestoView(table) ? nullptr : Find(ParametersOf(table), kComment);
  const bool described = table.description && !table.description->empty();
  if (parameter != nullptr && !parameter->empty() &&
      (!described || *table.description == ToDescription(*parameter))) {
    return *parameter;
  }
  if (described) return table.description;
  return std::nullopt;
}

}  // namespace gluecat::entry
