#include "core/entry/serde_reader.h"

#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/entry/keys.h"
#include "core/entry/recognize.h"
#include "core/entry/text_serde.h"

namespace gluecat::entry {
namespace {

struct SerDe {
  std::string_view serialization_library;
  std::string_view provider;
};

// Hive's classes, and those of the first Parquet SerDe, which old entries still name.
constexpr auto kSerDes = std::to_array<SerDe>({
    {"org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe", "parquet"},
    {"parquet.hive.serde.ParquetHiveSerDe", "parquet"},
    {"org.apache.hadoop.hive.ql.io.orc.OrcSerde", "orc"},
    {"org.apache.hadoop.hive.serde2.avro.AvroSerDe", "avro"},
});

// Input formats that do nothing but read such files.
constexpr auto kInputFormats = std::to_array<SerDe>({
    {"org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat", "parquet"},
    {"parquet.hive.DeprecatedParquetInputFormat", "parquet"},
    {"parquet.hive.MapredParquetInputFormat", "parquet"},
    {"org.apache.hadoop.hive.ql.io.orc.OrcInputFormat", "orc"},
    {"org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat", "avro"},
});

constexpr std::string_view kSymlinkInputFormat =
    "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat";
constexpr std::string_view kTextInputFormat = "org.apache.hadoop.mapred.TextInputFormat";

bool IsTrue(const std::string* value) {
  return value != nullptr && EqualsIgnoreCase(*value, "true");
}

void Pass(const glue::Table& table, std::string_view key, std::string_view option,
          SerDeReader& reader) {
  const auto* value = SerDeSetting(table, key);
  if (value != nullptr && !value->empty()) Set(reader.options, option, *value);
}

SerDeReader None(std::string reason) { return {.reason = std::move(reason)}; }

}  // namespace

std::string_view ProviderOfSerDe(std::string_view serialization_library) {
  for (const auto& [library, provider] : kSerDes) {
    if (library == serialization_library) return provider;
  }
  return {};
}

SerDeReader ReaderOfSerDe(const glue::Table& table) {
  const auto& descriptor = *table.storage_descriptor;
  const std::string library = descriptor.serde_info->serialization_library.value_or("");
  const std::string input = descriptor.input_format.value_or("");
  const bool manifests = input == kSymlinkInputFormat;
  if (IsTrue(Find(ParametersOf(table), "transactional"))) {
    return None(" is a transactional table of Hive, whose files only Hive can put together");
  }
  const auto provider = ProviderOfSerDe(library);
  // Where an entry names no input format, its SerDe decides.
  if (provider.empty() && (input.empty() || manifests || input == kTextInputFormat)) {
    SerDeReader reader = ReaderOfText(table);
    reader.files_in_manifests = manifests && !reader.provider.empty();
    return reader;
  }
  bool known_input = !provider.empty() && (input.empty() || manifests);
  for (const auto& [format, of] : kInputFormats) {
    known_input = known_input || (format == input && of == provider);
  }
  if (!known_input) {
    return None(" is read with the Hive input format '" + input + "' and the SerDe '" + library +
                "', a pair that this version does not read");
  }

  SerDeReader reader{.provider = std::string(provider), .files_in_manifests = manifests};
  if (provider == "parquet") {
    if (IsTrue(SerDeSetting(table, "parquet.column.index.access"))) {
      return None(
          " matches the columns of its Parquet files by position (parquet.column.index.access), "
          "which Spark cannot do");
    }
    Pass(table, "parquet.compression", "parquet.compression", reader);
  } else if (provider == "orc") {
    if (IsTrue(SerDeSetting(table, "orc.column.index.access"))) {
      Set(reader.options, "orc.force.positional.evolution", "true");
    }
    Pass(table, "orc.compress", "orc.compress", reader);
  } else {
    Pass(table, "avro.schema.literal", "avroSchema", reader);
    Pass(table, "avro.schema.url", "avroSchemaUrl", reader);
  }
  return reader;
}

}  // namespace gluecat::entry
