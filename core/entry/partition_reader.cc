#include "core/entry/partition_reader.h"

#include <utility>

#include "core/entry/keys.h"
#include "core/entry/recognize.h"

namespace gluecat::entry {
namespace {

glue::Table TableOf(const TableFormat& format, FileFormat files) {
  glue::Table table;
  table.database_name = format.database;
  table.name = format.table;
  table.parameters = format.parameters;
  auto& descriptor = table.storage_descriptor.emplace();
  descriptor.input_format = std::move(files.input_format);
  descriptor.output_format = std::move(files.output_format);
  auto& serde = descriptor.serde_info.emplace();
  serde.serialization_library = std::move(files.serialization_library);
  serde.parameters = std::move(files.serde_parameters);
  return table;
}

// Options that say how files are written have no part in reading.
SerDeReader WithoutWriting(SerDeReader reader) {
  Erase(reader.options, "parquet.compression");
  Erase(reader.options, "orc.compress");
  if (reader.provider == kTextSerDeProvider) Erase(reader.options, "compression");
  return reader;
}

bool ReadTheSame(const SerDeReader& one, const SerDeReader& other) {
  return one.provider == other.provider && one.options == other.options &&
         one.files_in_manifests == other.files_in_manifests && one.reason == other.reason;
}

}  // namespace

TableFormat FormatOf(const glue::Table& table) {
  TableFormat format;
  for (const auto& [key, value] : ParametersOf(table)) {
    if (!key.starts_with(kSparkPrefix)) format.parameters.emplace(key, value);
  }
  if (!table.storage_descriptor) return format;
  const auto& descriptor = *table.storage_descriptor;
  format.files.input_format = descriptor.input_format;
  format.files.output_format = descriptor.output_format;
  if (const auto& serde = descriptor.serde_info) {
    format.files.serialization_library = serde->serialization_library;
    format.files.serde_parameters = serde->parameters;
  }
  return format;
}

std::optional<SerDeReader> ReaderOfPartition(const TableFormat& table,
                                             const FileFormat& partition) {
  const auto& library = partition.serialization_library;
  if (!library || library->empty() || partition == table.files) return std::nullopt;
  if (!table.provider.empty()) {
    const auto other = ProviderOfSerDe(*library);
    if (other.empty() || other == table.provider) return std::nullopt;
    return WithoutWriting(ReaderOfSerDe(TableOf(table, partition)));
  }
  FileFormat merged = partition;
  merged.serde_parameters.insert(table.files.serde_parameters.begin(),
                                 table.files.serde_parameters.end());
  const SerDeReader own = WithoutWriting(ReaderOfSerDe(TableOf(table, table.files)));
  SerDeReader reader = WithoutWriting(ReaderOfSerDe(TableOf(table, std::move(merged))));
  if (ReadTheSame(own, reader)) return std::nullopt;
  if (reader.reason.empty() && (own.files_in_manifests || reader.files_in_manifests)) {
    reader = SerDeReader();
    reader.reason =
        " is of another format than its table, and one of them lists its files in manifests, a "
        "pair that this version does not read";
  }
  return reader;
}

}  // namespace gluecat::entry
