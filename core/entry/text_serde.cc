#include "core/entry/text_serde.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/entry/keys.h"
#include "core/entry/recognize.h"
#include "core/entry/statistic_values.h"

namespace gluecat::entry {
namespace {

constexpr std::string_view kHeaderLines = "skip.header.line.count";
constexpr std::string_view kFooterLines = "skip.footer.line.count";

// What Hive and Athena let a table's parameters say to its SerDe.
constexpr auto kTableParameters = std::to_array<std::string_view>({
    "serialization.null.format",
    "serialization.encoding",
    "serialization.last.column.takes.rest",
    "timestamp.formats",
    "use.null.for.invalid.data",
    "ignore.malformed.json",
});

// Those whose `serialize` throws.
constexpr auto kReadingSerDes = std::to_array<std::string_view>({
    "org.apache.hadoop.hive.serde2.RegexSerDe",
    "org.apache.hadoop.hive.contrib.serde2.RegexSerDe",
});

// Those whose lines name the columns themselves.
constexpr auto kJsonSerDes = std::to_array<std::string_view>({
    "org.openx.data.jsonserde.JsonSerDe",
    "org.apache.hive.hcatalog.data.JsonSerDe",
    "org.apache.hadoop.hive.serde2.JsonSerDe",
});

constexpr auto kOutputFormats = std::to_array<std::string_view>({
    "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
    "org.apache.hadoop.hive.ql.io.IgnoreKeyTextOutputFormat",
});

// Athena's `write.compression` for text files, and Spark's names.
constexpr auto kCompressions = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"gzip", "gzip"},
    {"bzip2", "bzip2"},
    {"snappy", "snappy"},
    {"lz4", "lz4"},
    {"zlib", "deflate"},
    {"deflate", "deflate"},
    {"none", "none"},
});

template <std::size_t N>
bool Has(const std::array<std::string_view, N>& names, std::string_view name) {
  for (const auto known : names) {
    if (known == name) return true;
  }
  return false;
}

// How many lines to skip, 0 if nothing is said; empty if what is said is no such number.
std::optional<std::int32_t> LineCount(const glue::Table& table, std::string_view key) {
  const auto* value = SerDeSetting(table, key);
  if (value == nullptr) return 0;
  const auto text = Trim(*value);
  if (text.empty()) return 0;
  const auto count = ParseNumber<std::int32_t>(text);
  return count && *count >= 0 ? count : std::nullopt;
}

SerDeReader NoNumber(const glue::Table& table, std::string_view key) {
  return {.reason = " has the parameter " + std::string(key) + " = '" + *SerDeSetting(table, key) +
                    "', which is no number of lines"};
}

glue::Parameters ParametersForSerDe(const glue::Table& table) {
  glue::Parameters parameters = table.storage_descriptor->serde_info->parameters;
  for (const auto key : kTableParameters) {
    if (const auto* value = Find(ParametersOf(table), key)) parameters.emplace(key, *value);
  }
  // Hive up to 2.3, and so Spark, spells it this way.
  if (const auto* value = Find(parameters, "collection.delim")) {
    parameters.emplace("colelction.delim", *value);
  }
  return parameters;
}

std::string JsonOf(const glue::Parameters& parameters) {
  JsonWriter writer;
  writer.BeginObject();
  for (const auto& [key, value] : parameters) writer.Member(key, value);
  writer.EndObject();
  return writer.Take();
}

// Hive's reader of text ends a line at a line feed, a carriage return or both; all else is an
// own delimiter. Hive writes the byte's number, too.
bool IsUsualLineEnd(std::string_view delimiter) {
  return delimiter.empty() || delimiter == "\n" || delimiter == "\r" || delimiter == "\r\n" ||
         delimiter == "10";
}

std::string WhyReadOnly(const glue::Table& table, std::int32_t header, std::int32_t footer) {
  const auto& descriptor = *table.storage_descriptor;
  const auto library = descriptor.serde_info->serialization_library.value_or("");
  if (Has(kReadingSerDes, library)) {
    return "is read with the SerDe '" + library + "', which reads only";
  }
  const auto output = descriptor.output_format.value_or("");
  if (!output.empty() && !Has(kOutputFormats, output)) {
    return "has the output format '" + output + "', which this version does not write";
  }
  // As Trino has it: one line holds the names of the columns, but what would be in others?
  if (header > 1) {
    return "has files that begin with " + std::to_string(header) + " lines that are no rows (" +
           std::string(kHeaderLines) + "), of which only one could be written: the columns' names";
  }
  if (header > 0 && Has(kJsonSerDes, library)) {
    return "has files that begin with a line that is no row (" + std::string(kHeaderLines) +
           "), and such a line is not written among JSON";
  }
  if (footer > 0) {
    return "has files that end with lines that are no rows (" + std::string(kFooterLines) +
           "), which cannot be written";
  }
  return {};
}

}  // namespace

const std::string* SerDeSetting(const glue::Table& table, std::string_view key) {
  if (const auto* value = Find(table.storage_descriptor->serde_info->parameters, key)) {
    return value;
  }
  return Find(ParametersOf(table), key);
}

SerDeReader ReaderOfText(const glue::Table& table) {
  const auto header = LineCount(table, kHeaderLines);
  if (!header) return NoNumber(table, kHeaderLines);
  const auto footer = LineCount(table, kFooterLines);
  if (!footer) return NoNumber(table, kFooterLines);

  SerDeReader reader{.provider = std::string(kTextSerDeProvider),
                     .read_only = WhyReadOnly(table, *header, *footer)};
  const auto& serde = *table.storage_descriptor->serde_info;
  const auto parameters = ParametersForSerDe(table);
  auto& options = reader.options;
  Set(options, "serde", serde.serialization_library.value_or(""));
  // One option: names of options have no case in Spark, those of the parameters have.
  Set(options, "serde.parameters", JsonOf(parameters));
  if (!table.name.empty()) {
    Set(options, "table", table.database_name.value_or("?") + "." + table.name);
  }
  if (*header > 0) Set(options, "header.lines", std::to_string(*header));
  if (*footer > 0) Set(options, "footer.lines", std::to_string(*footer));
  const auto* delimiter = Find(parameters, "line.delim");
  if (delimiter != nullptr && !IsUsualLineEnd(*delimiter)) {
    Set(options, "line.delimiter", *delimiter);
  }
  if (const auto* compression = SerDeSetting(table, "write.compression")) {
    for (const auto& [athena, spark] : kCompressions) {
      if (EqualsIgnoreCase(*compression, athena)) Set(options, "compression", std::string(spark));
    }
  }
  return reader;
}

}  // namespace gluecat::entry
