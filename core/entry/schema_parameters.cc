#include "core/entry/schema_parameters.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/entry/keys.h"
#include "core/entry/statistic_values.h"

namespace gluecat::entry {
namespace {

constexpr std::size_t kPartLength = 4000;
constexpr std::int64_t kMaxListed = 100000;

std::optional<std::int64_t> ToNumber(std::string_view text) {
  return ParseNumber<std::int64_t>(Trim(text));
}

std::unexpected<Error> Missing(std::string_view key) {
  return Fail(ErrorKind::kInvalidData, "parameter " + std::string(key) + " is missing");
}

// The number in `key`; nullopt if it is absent.
Result<std::optional<std::int64_t>> ReadCount(const glue::Parameters& parameters,
                                              std::string_view key) {
  const auto* text = Find(parameters, key);
  if (text == nullptr) return std::nullopt;
  const auto number = ToNumber(*text);
  if (!number || *number < 0 || *number > kMaxListed) {
    constexpr std::size_t kShown = 40;
    return Fail(ErrorKind::kInvalidData, "parameter " + std::string(key) + " is '" +
                                             text->substr(0, kShown) + "', not a count");
  }
  return number;
}

Result<std::vector<std::string>> ReadList(const glue::Parameters& parameters,
                                          std::string_view prefix, std::int64_t count) {
  std::vector<std::string> items;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string key = std::string(prefix) + std::to_string(i);
    const auto* item = Find(parameters, key);
    if (item == nullptr) return Missing(key);
    items.push_back(*item);
  }
  return items;
}

void WriteList(std::string_view count_key, std::string_view prefix,
               const std::vector<std::string>& items, glue::Parameters& parameters) {
  Erase(parameters, count_key);
  ErasePrefix(parameters, prefix);
  if (items.empty()) return;
  Set(parameters, count_key, std::to_string(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    Set(parameters, std::string(prefix) + std::to_string(i), items[i]);
  }
}

// The start of the text behind the first `units` UTF-16 units of `text` from
// `from`. A character is never split.
std::size_t SkipUnits(std::string_view text, std::size_t from, std::size_t units) {
  std::size_t at = from;
  while (at < text.size()) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::size_t needed = bytes == 4 ? 2 : 1;
    if (needed > units) break;
    units -= needed;
    at = std::min(at + bytes, text.size());
  }
  return at;
}

}  // namespace

Result<std::optional<types::StructType>> ReadSchema(const glue::Parameters& parameters) {
  std::string joined;
  std::string_view text;
  std::string key(kSchema);
  if (const auto* single = Find(parameters, kSchema)) {
    text = *single;
  } else {
    GLUECAT_ASSIGN_OR_RETURN(const auto count, ReadCount(parameters, kSchemaNumParts));
    if (!count) return std::nullopt;
    GLUECAT_ASSIGN_OR_RETURN(const auto parts, ReadList(parameters, kSchemaPart, *count));
    for (const auto& part : parts) joined += part;
    text = joined;
    key = std::string(kSchemaPart) + "*";
  }
  auto schema = types::ParseSparkSchema(text);
  if (!schema) return Fail(WithContext(std::move(schema).error(), "parameter " + key));
  return *std::move(schema);
}

void WriteSchema(const types::StructType& schema, glue::Parameters& parameters) {
  Erase(parameters, kSchema);
  Erase(parameters, kSchemaNumParts);
  ErasePrefix(parameters, kSchemaPart);
  std::string json = types::ToSparkJson(schema);
  if (SkipUnits(json, 0, kPartLength) == json.size()) {
    Set(parameters, kSchema, std::move(json));
    return;
  }
  std::size_t parts = 0;
  for (std::size_t at = 0; at < json.size(); ++parts) {
    const std::size_t end = SkipUnits(json, at, kPartLength);
    Set(parameters, std::string(kSchemaPart) + std::to_string(parts), json.substr(at, end - at));
    at = end;
  }
  Set(parameters, kSchemaNumParts, std::to_string(parts));
}

Result<std::optional<std::vector<std::string>>> ReadPartitionColumns(
    const glue::Parameters& parameters) {
  GLUECAT_ASSIGN_OR_RETURN(const auto count, ReadCount(parameters, kNumPartitionColumns));
  if (!count) return std::nullopt;
  GLUECAT_ASSIGN_OR_RETURN(auto columns, ReadList(parameters, kPartitionColumn, *count));
  return columns;
}

void WritePartitionColumns(const std::vector<std::string>& columns, glue::Parameters& parameters) {
  WriteList(kNumPartitionColumns, kPartitionColumn, columns, parameters);
}

Result<std::optional<Bucketing>> ReadBucketing(const glue::Parameters& parameters) {
  GLUECAT_ASSIGN_OR_RETURN(const auto buckets, ReadCount(parameters, kNumBuckets));
  if (!buckets) return std::nullopt;
  Bucketing bucketing;
  bucketing.count = *buckets;
  GLUECAT_ASSIGN_OR_RETURN(const auto columns, ReadCount(parameters, kNumBucketColumns));
  if (!columns) return Missing(kNumBucketColumns);
  GLUECAT_ASSIGN_OR_RETURN(bucketing.columns, ReadList(parameters, kBucketColumn, *columns));
  GLUECAT_ASSIGN_OR_RETURN(const auto sorted, ReadCount(parameters, kNumSortColumns));
  GLUECAT_ASSIGN_OR_RETURN(bucketing.sort_columns,
                           ReadList(parameters, kSortColumn, sorted.value_or(0)));
  return bucketing;
}

void WriteBucketing(const std::optional<Bucketing>& bucketing, glue::Parameters& parameters) {
  Erase(parameters, kNumBuckets);
  WriteList(kNumBucketColumns, kBucketColumn,
            bucketing ? bucketing->columns : std::vector<std::string>{}, parameters);
  WriteList(kNumSortColumns, kSortColumn,
            bucketing ? bucketing->sort_columns : std::vector<std::string>{}, parameters);
  if (bucketing) Set(parameters, kNumBuckets, std::to_string(bucketing->count));
}

std::optional<Statistics> ReadStatistics(const glue::Parameters& parameters, bool hive_too) {
  const auto number = [&](std::string_view key) -> std::optional<std::int64_t> {
    const auto* text = Find(parameters, key);
    if (text == nullptr) return std::nullopt;
    const auto value = ToNumber(*text);
    return value && *value >= 0 ? value : std::nullopt;
  };
  if (const auto size = number(kStatisticsSize)) {
    Statistics statistics{*size, number(kStatisticsRows), {}};
    for (auto at = parameters.lower_bound(std::string(kColumnStatisticsPrefix));
         at != parameters.end() && at->first.starts_with(kColumnStatisticsPrefix); ++at) {
      statistics.columns.emplace(at->first.substr(kColumnStatisticsPrefix.size()), at->second);
    }
    return statistics;
  }
  if (!hive_too) return std::nullopt;
  auto size = number("totalSize");
  if (size.value_or(0) == 0) size = number("rawDataSize");
  if (size.value_or(0) == 0) return std::nullopt;
  auto rows = number("numRows");
  if (rows.value_or(0) == 0) rows.reset();
  return Statistics{*size, rows, {}};
}

void WriteStatistics(const std::optional<Statistics>& statistics, glue::Parameters& parameters) {
  ErasePrefix(parameters, kStatisticsPrefix);
  if (!statistics) return EraseHiveStatistics(parameters);
  Set(parameters, kStatisticsSize, std::to_string(statistics->size_in_bytes));
  if (statistics->row_count) {
    Set(parameters, kStatisticsRows, std::to_string(*statistics->row_count));
  }
  for (const auto& [key, value] : statistics->columns) {
    Set(parameters, std::string(kColumnStatisticsPrefix) + key, value);
  }
}

Result<types::StructType> PartitionColumnsLast(types::StructType schema,
                                               const std::vector<std::string>& partition_columns) {
  std::vector<types::StructField> last;
  for (const auto& name : partition_columns) {
    auto at = schema.Find(name, true);
    if (!at) at = schema.Find(name);
    if (!at) {
      return Fail(ErrorKind::kInvalidData,
                  "partition column '" + name + "' is not a column of the schema");
    }
    const auto field = schema.fields.begin() + static_cast<std::ptrdiff_t>(*at);
    last.push_back(std::move(*field));
    schema.fields.erase(field);
  }
  std::ranges::move(last, std::back_inserter(schema.fields));
  return schema;
}

}  // namespace gluecat::entry
