#include "core/entry/column_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/base64.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/entry/keys.h"
#include "core/entry/recognize.h"
#include "core/entry/statistic_values.h"

namespace gluecat::entry {
namespace {

constexpr std::string_view kVersion = "2";  // CatalogColumnStat.VERSION

// What a type's statistics are about: one member of ColumnStatisticsData each, but for timestamps,
// which have numbers.
enum class Family : std::uint8_t {
  kBoolean,
  kLong,
  kTimestamp,
  kDouble,
  kDecimal,
  kDate,
  kString,
  kBinary,
};

struct TypeName {
  std::string_view name;  // without what stands in parentheses
  Family family;
};

// Names of Spark's schema JSON and of Glue's type strings.
constexpr std::array kTypes = std::to_array<TypeName>({
    {"boolean", Family::kBoolean},
    {"byte", Family::kLong},
    {"tinyint", Family::kLong},
    {"short", Family::kLong},
    {"smallint", Family::kLong},
    {"integer", Family::kLong},
    {"int", Family::kLong},
    {"long", Family::kLong},
    {"bigint", Family::kLong},
    {"timestamp", Family::kTimestamp},
    {"float", Family::kDouble},
    {"double", Family::kDouble},
    {"decimal", Family::kDecimal},
    {"date", Family::kDate},
    {"string", Family::kString},
    {"char", Family::kString},
    {"varchar", Family::kString},
    {"binary", Family::kBinary},
});

std::optional<Family> FamilyOf(std::string_view type) {
  const std::string name = ToLowerAscii(Trim(type.substr(0, type.find('('))));
  const auto* const found = std::ranges::find(kTypes, name, &TypeName::name);
  if (found == kTypes.end()) return std::nullopt;
  return found->family;
}

// A data column as Glue and Spark have it.
struct DataColumn {
  const glue::Column* glue;
  types::StructField spark;
  Family family;
};

std::vector<DataColumn> DataColumnsOf(const glue::Table& table) {
  std::vector<DataColumn> columns;
  if (!table.storage_descriptor || !table.storage_descriptor->columns) return columns;
  const TableDescription description = DescribeTable(table);
  if (description.kind == TableKind::kView) return columns;
  for (const glue::Column& column : *table.storage_descriptor->columns) {
    const auto at = description.schema.Find(column.name);
    if (!at || !column.type) continue;
    const types::StructField& field = description.schema.fields[*at];
    if (field.type.kind() != types::DataType::Kind::kSimple) continue;
    const auto family = FamilyOf(field.type.name());
    if (family && family == FamilyOf(*column.type)) columns.push_back({&column, field, *family});
  }
  return columns;
}

std::string_view MemberOf(Family family) {
  switch (family) {
    case Family::kBoolean:
      return "BOOLEAN";
    case Family::kLong:
    case Family::kTimestamp:
      return "LONG";
    case Family::kDouble:
      return "DOUBLE";
    case Family::kDecimal:
      return "DECIMAL";
    case Family::kDate:
      return "DATE";
    case Family::kString:
      return "STRING";
    case Family::kBinary:
      return "BINARY";
  }
  return "";
}

// "LongColumnStatisticsData" for "LONG".
std::string DataMember(Family family) {
  const std::string_view type = MemberOf(family);
  return std::string(type.substr(0, 1)) + ToLowerAscii(type.substr(1)) + "ColumnStatisticsData";
}

// --- Spark → Glue -------------------------------------------------------------------

// The statistics of one column in Spark's form.
class SparkColumn {
 public:
  SparkColumn(const glue::Parameters& all, const std::string& name) : all_(all), name_(name) {}

  const std::string* Text(std::string_view statistic) const {
    return Find(all_, name_ + "." + std::string(statistic));
  }
  std::optional<std::int64_t> Count(std::string_view statistic) const {
    const auto* text = Text(statistic);
    const auto count = text == nullptr ? std::nullopt : ParseNumber<std::int64_t>(*text);
    return count && *count >= 0 ? count : std::nullopt;
  }

 private:
  const glue::Parameters& all_;
  const std::string& name_;
};

// Writes the value, or nothing if the text is none of the family.
void WriteValue(Family family, std::string_view key, const std::string* text, bool largest,
                JsonWriter& writer) {
  if (text == nullptr) return;
  switch (family) {
    case Family::kLong:
      if (const auto value = ParseNumber<std::int64_t>(*text)) writer.Member(key, *value);
      break;
    case Family::kTimestamp:
      if (const auto value = ParseTimestamp(*text, largest ? Rounding::kUp : Rounding::kDown))
        writer.Member(key, *value);
      break;
    case Family::kDouble:
      if (const auto value = ParseNumber<double>(*text); value && std::isfinite(*value)) {
        writer.Key(key).Double(*value);
      }
      break;
    case Family::kDate:
      if (const auto days = ParseDate(*text)) writer.Member(key, *days * kSecondsPerDay);
      break;
    case Family::kDecimal:
      if (const auto value = ParseDecimal(*text)) {
        writer.Key(key).BeginObject();
        writer.Member("UnscaledValue", Base64Encode(value->unscaled));
        writer.Member("Scale", value->scale).EndObject();
      }
      break;
    case Family::kBoolean:
    case Family::kString:
    case Family::kBinary:
      break;
  }
}

// StatisticsData of one column; nullopt if Glue could not hold it.
std::optional<std::string> StatisticsData(Family family, const SparkColumn& column,
                                          std::optional<std::int64_t> rows) {
  const auto nulls = column.Count("nullCount");
  if (!nulls) return std::nullopt;
  JsonWriter writer;
  writer.BeginObject().Member("Type", MemberOf(family));
  writer.Key(DataMember(family)).BeginObject();
  const auto* const smallest = column.Text("min");
  const auto* const largest = column.Text("max");
  if (family == Family::kBoolean) {
    if (!rows || *rows < *nulls) return std::nullopt;
    std::int64_t known = 0;
    if (smallest != nullptr && largest != nullptr) {
      if (*smallest != *largest) return std::nullopt;
      known = *rows - *nulls;
    } else if (*rows != *nulls) {
      return std::nullopt;
    }
    const bool is_true = smallest != nullptr && *smallest == "true";
    writer.Member("NumberOfTrues", is_true ? known : std::int64_t{0});
    writer.Member("NumberOfFalses", is_true ? std::int64_t{0} : known);
  } else if (family == Family::kString || family == Family::kBinary) {
    const auto most = column.Count("maxLen");
    const auto average = column.Count("avgLen");
    if (!most || !average) return std::nullopt;
    writer.Member("MaximumLength", *most);
    writer.Key("AverageLength").Double(static_cast<double>(*average));
  } else {
    WriteValue(family, "MinimumValue", smallest, false, writer);
    WriteValue(family, "MaximumValue", largest, true, writer);
  }
  writer.Member("NumberOfNulls", *nulls);
  if (family != Family::kBoolean && family != Family::kBinary) {
    const auto distinct = column.Count("distinctCount");
    if (!distinct) return std::nullopt;
    writer.Member("NumberOfDistinctValues", *distinct);
  }
  return writer.EndObject().EndObject().Take();
}

// --- Glue → Spark -------------------------------------------------------------------

// The bounds of Spark's integer type `name`.
std::pair<std::int64_t, std::int64_t> BoundsOf(std::string_view name) {
  const auto of = []<typename Number>(Number /*unused*/) {
    return std::pair<std::int64_t, std::int64_t>(std::numeric_limits<Number>::min(),
                                                 std::numeric_limits<Number>::max());
  };
  if (name == "byte") return of(std::int8_t{});
  if (name == "short") return of(std::int16_t{});
  if (name == "integer") return of(std::int32_t{});
  return of(std::int64_t{});
}

std::optional<std::string> ValueText(const DataColumn& column, JsonView value) {
  switch (column.family) {
    case Family::kLong: {
      const auto [least, most] = BoundsOf(column.spark.type.name());
      const auto number = value.AsInt();
      if (!number || *number < least || *number > most) return std::nullopt;
      return std::to_string(*number);
    }
    case Family::kTimestamp: {
      const auto seconds = value.AsInt();
      return seconds ? TimestampText(*seconds) : std::nullopt;
    }
    case Family::kDouble: {
      const auto number = value.AsDouble();
      if (!number) return std::nullopt;
      JsonWriter writer;
      return writer.Double(*number).Take();
    }
    case Family::kDate: {
      const auto seconds = value.AsDouble();
      if (!seconds) return std::nullopt;
      return DateText(static_cast<std::int64_t>(std::floor(*seconds / kSecondsPerDay)));
    }
    case Family::kDecimal: {
      const auto bytes = Base64Decode(value["UnscaledValue"].StringOr(""));
      const auto scale = value["Scale"].AsInt();
      return bytes && scale ? DecimalText({*bytes, *scale}) : std::nullopt;
    }
    case Family::kBoolean:
    case Family::kString:
    case Family::kBinary:
      break;
  }
  return std::nullopt;
}

void AddBooleans(const std::string& name, JsonView data, glue::Parameters& columns) {
  const bool trues = data["NumberOfTrues"].IntOr(0) > 0;
  const bool falses = data["NumberOfFalses"].IntOr(0) > 0;
  Set(columns, name + ".distinctCount", std::to_string(int{trues} + int{falses}));
  if (!trues && !falses) return;
  Set(columns, name + ".min", falses ? "false" : "true");
  Set(columns, name + ".max", trues ? "true" : "false");
}

void AddStatistics(const DataColumn& column, JsonView data, glue::Parameters& columns) {
  const std::string& name = column.spark.name;
  const auto nulls = data["NumberOfNulls"].AsInt();
  if (!nulls || *nulls < 0) return;
  Set(columns, name + ".version", std::string(kVersion));
  Set(columns, name + ".nullCount", std::to_string(*nulls));
  if (column.family == Family::kBoolean) return AddBooleans(name, data, columns);
  if (const auto distinct = data["NumberOfDistinctValues"].AsInt(); distinct && *distinct >= 0) {
    Set(columns, name + ".distinctCount", std::to_string(*distinct));
  }
  if (const auto value = ValueText(column, data["MinimumValue"])) {
    Set(columns, name + ".min", *value);
  }
  if (const auto value = ValueText(column, data["MaximumValue"])) {
    Set(columns, name + ".max", *value);
  }
  constexpr double kMostLength = 1e15;  // more is no length, and an integer would not hold it
  const auto average = data["AverageLength"].AsDouble();
  if (average && *average >= 0 && *average < kMostLength) {
    Set(columns, name + ".avgLen", std::to_string(static_cast<std::int64_t>(std::ceil(*average))));
  }
  if (const auto most = data["MaximumLength"].AsInt(); most && *most >= 0) {
    Set(columns, name + ".maxLen", std::to_string(*most));
  }
}

}  // namespace

std::vector<std::string> ColumnsWithStatistics(const glue::Table& table) {
  std::vector<std::string> names;
  for (const DataColumn& column : DataColumnsOf(table)) names.push_back(column.glue->name);
  return names;
}

std::vector<glue::ColumnStatistics> ToGlueStatistics(const glue::Table& table,
                                                     const Statistics& statistics,
                                                     double analyzed_time) {
  std::vector<glue::ColumnStatistics> columns;
  for (const DataColumn& column : DataColumnsOf(table)) {
    auto data = StatisticsData(column.family, SparkColumn(statistics.columns, column.spark.name),
                               statistics.row_count);
    if (!data) continue;
    columns.push_back(
        {column.glue->name, column.glue->type.value_or(""), analyzed_time, *std::move(data)});
  }
  return columns;
}

glue::Parameters FromGlueStatistics(const glue::Table& table,
                                    const std::vector<glue::ColumnStatistics>& statistics) {
  glue::Parameters columns;
  const auto* const changed_text = Find(ParametersOf(table), kLastDdlTime);
  const auto changed =
      changed_text == nullptr ? std::nullopt : ParseNumber<std::int64_t>(*changed_text);
  const auto data_columns = DataColumnsOf(table);
  for (const glue::ColumnStatistics& one : statistics) {
    // Of the same second it cannot be said which came first.
    if (changed && one.analyzed_time <= static_cast<double>(*changed)) continue;
    const auto column = std::ranges::find_if(data_columns, [&](const DataColumn& candidate) {
      return EqualsIgnoreCase(candidate.glue->name, one.column_name);
    });
    if (column == data_columns.end()) continue;
    const auto document = JsonDocument::Parse(one.statistics_data);
    if (!document) continue;
    AddStatistics(*column, document->root()[DataMember(column->family)], columns);
  }
  return columns;
}

}  // namespace gluecat::entry
