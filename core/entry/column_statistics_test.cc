#include "core/entry/column_statistics.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/entry/build.h"

namespace gluecat::entry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kCreated = 1700000000;

// One column of each type that has statistics, and an array, which has none.
glue::Table SampleOfTypes() {
  TableSpec spec;
  spec.provider = "parquet";
  spec.location = "s3://b/t";
  const auto schema = types::ParseSparkSchema(R"json({"type": "struct", "fields": [
      {"name": "Flag", "type": "boolean", "nullable": true, "metadata": {}},
      {"name": "tiny", "type": "byte", "nullable": true, "metadata": {}},
      {"name": "Id", "type": "long", "nullable": true, "metadata": {}},
      {"name": "ratio", "type": "double", "nullable": true, "metadata": {}},
      {"name": "price", "type": "decimal(38,2)", "nullable": true, "metadata": {}},
      {"name": "born", "type": "date", "nullable": true, "metadata": {}},
      {"name": "at", "type": "timestamp", "nullable": true, "metadata": {}},
      {"name": "name", "type": "string", "nullable": true, "metadata": {}},
      {"name": "raw", "type": "binary", "nullable": true, "metadata": {}},
      {"name": "list", "type": {"type": "array", "elementType": "integer", "containsNull": true},
       "nullable": true, "metadata": {}},
      {"name": "day", "type": "integer", "nullable": true, "metadata": {}}]})json");
  EXPECT_TRUE(schema);
  spec.schema = *schema;
  spec.partition_columns = {"day"};
  auto table = BuildTable("t", spec, {"4.1.1", kCreated});
  EXPECT_TRUE(table) << (table ? "" : table.error().message);
  return *std::move(table);
}

// StatisticsData of what Glue would hold, by column.
std::map<std::string, std::string> ToGlue(const glue::Parameters& columns,
                                          std::optional<std::int64_t> rows = 10) {
  std::map<std::string, std::string> data;
  for (const auto& column : ToGlueStatistics(SampleOfTypes(), {1, rows, columns}, 7.5)) {
    EXPECT_EQ(column.analyzed_time, 7.5);
    data.emplace(column.column_name + ":" + column.column_type, column.statistics_data);
  }
  return data;
}

std::string Only(const glue::Parameters& columns, std::optional<std::int64_t> rows = 10) {
  const auto data = ToGlue(columns, rows);
  EXPECT_EQ(data.size(), 1U);
  return data.empty() ? "" : data.begin()->second;
}

glue::Parameters FromGlue(const std::string& column, const std::string& data,
                          double analyzed_time = kCreated + 1) {
  return FromGlueStatistics(SampleOfTypes(), {{column, "", analyzed_time, data}});
}

TEST(ColumnStatistics, AreThoseOfDataColumnsOfSimpleTypes) {
  EXPECT_THAT(ColumnsWithStatistics(SampleOfTypes()),
              ElementsAre("flag", "tiny", "id", "ratio", "price", "born", "at", "name", "raw"));
  EXPECT_THAT(ColumnsWithStatistics(glue::Table()), IsEmpty());
  glue::Table view = SampleOfTypes();
  view.table_type = "VIRTUAL_VIEW";
  EXPECT_THAT(ColumnsWithStatistics(view), IsEmpty());
}

TEST(ColumnStatistics, NumbersDatesAndTimesHaveBounds) {
  EXPECT_EQ(ToGlue({{"Id.version", "2"},
                    {"Id.nullCount", "1"},
                    {"Id.distinctCount", "9"},
                    {"Id.min", "-5"},
                    {"Id.max", "9223372036854775807"},
                    {"Id.avgLen", "8"}}),
            (std::map<std::string, std::string>{
                {"id:bigint", R"({"Type":"LONG","LongColumnStatisticsData":{"MinimumValue":-5,)"
                              R"("MaximumValue":9223372036854775807,"NumberOfNulls":1,)"
                              R"("NumberOfDistinctValues":9}})"}}));
  EXPECT_EQ(Only({{"ratio.nullCount", "0"},
                  {"ratio.distinctCount", "2"},
                  {"ratio.min", "-0.5"},
                  {"ratio.max", "Infinity"}}),
            R"({"Type":"DOUBLE","DoubleColumnStatisticsData":{"MinimumValue":-0.5,)"
            R"("NumberOfNulls":0,"NumberOfDistinctValues":2}})");
  EXPECT_EQ(Only({{"born.nullCount", "0"},
                  {"born.distinctCount", "2"},
                  {"born.min", "1969-12-31"},
                  {"born.max", "2024-02-29"}}),
            R"({"Type":"DATE","DateColumnStatisticsData":{"MinimumValue":-86400,)"
            R"("MaximumValue":1709164800,"NumberOfNulls":0,"NumberOfDistinctValues":2}})");
  EXPECT_EQ(Only({{"at.nullCount", "0"},
                  {"at.distinctCount", "2"},
                  {"at.min", "1969-12-31 23:59:59.250000"},
                  {"at.max", "2024-02-29 00:00:01.000001"}}),
            R"({"Type":"LONG","LongColumnStatisticsData":{"MinimumValue":-1,)"
            R"("MaximumValue":1709164802,"NumberOfNulls":0,"NumberOfDistinctValues":2}})");
}

TEST(ColumnStatistics, DecimalsAreBytesAndScale) {
  EXPECT_EQ(Only({{"price.nullCount", "0"},
                  {"price.distinctCount", "2"},
                  {"price.min", "-1.28"},
                  {"price.max", "327.68"}}),
            R"({"Type":"DECIMAL","DecimalColumnStatisticsData":)"
            R"({"MinimumValue":{"UnscaledValue":"gA==","Scale":2},)"
            R"("MaximumValue":{"UnscaledValue":"AIAA","Scale":2},)"
            R"("NumberOfNulls":0,"NumberOfDistinctValues":2}})");
  const std::string largest(38, '9');
  for (const std::string& text :
       {std::string("0.00"), std::string("-0.01"), std::string("1.28"), std::string("-32768.00"),
        largest.substr(2) + ".99", "-" + largest.substr(2) + ".99"}) {
    const auto back = FromGlue(
        "price",
        Only({{"price.nullCount", "0"}, {"price.distinctCount", "1"}, {"price.min", text}}));
    EXPECT_EQ(back.at("price.min"), text);
  }
  // Java writes small and round numbers with an exponent.
  for (const auto& [java, plain] : std::map<std::string, std::string>{
           {"0E-18", "0.000000000000000000"}, {"1.5E-7", "0.00000015"}, {"-1.5E+3", "-1500"}}) {
    const auto back = FromGlue(
        "price",
        Only({{"price.nullCount", "0"}, {"price.distinctCount", "1"}, {"price.min", java}}));
    EXPECT_EQ(back.at("price.min"), plain);
  }
}

TEST(ColumnStatistics, TextsAndBytesHaveLengths) {
  EXPECT_EQ(Only({{"name.nullCount", "3"},
                  {"name.distinctCount", "7"},
                  {"name.avgLen", "4"},
                  {"name.maxLen", "12"}}),
            R"({"Type":"STRING","StringColumnStatisticsData":{"MaximumLength":12,)"
            R"("AverageLength":4,"NumberOfNulls":3,"NumberOfDistinctValues":7}})");
  EXPECT_EQ(Only({{"raw.nullCount", "3"}, {"raw.avgLen", "4"}, {"raw.maxLen", "12"}}),
            R"({"Type":"BINARY","BinaryColumnStatisticsData":{"MaximumLength":12,)"
            R"("AverageLength":4,"NumberOfNulls":3}})");
}

TEST(ColumnStatistics, BooleansCountWhereOneValueIsAll) {
  const glue::Parameters all_true = {{"Flag.nullCount", "4"},
                                     {"Flag.distinctCount", "1"},
                                     {"Flag.min", "true"},
                                     {"Flag.max", "true"}};
  EXPECT_EQ(Only(all_true), R"({"Type":"BOOLEAN","BooleanColumnStatisticsData":{"NumberOfTrues":6,)"
                            R"("NumberOfFalses":0,"NumberOfNulls":4}})");
  EXPECT_THAT(ToGlue(all_true, std::nullopt), IsEmpty());
  EXPECT_EQ(Only({{"Flag.nullCount", "10"}}),
            R"({"Type":"BOOLEAN","BooleanColumnStatisticsData":{"NumberOfTrues":0,)"
            R"("NumberOfFalses":0,"NumberOfNulls":10}})");
  EXPECT_THAT(ToGlue({{"Flag.nullCount", "4"}, {"Flag.min", "false"}, {"Flag.max", "true"}}),
              IsEmpty());
  EXPECT_THAT(ToGlue({{"Flag.nullCount", "4"}}), IsEmpty());
}

TEST(ColumnStatistics, WhatGlueNeedsAndIsNotKnownLeavesTheColumnOut) {
  EXPECT_THAT(ToGlue({{"Id.distinctCount", "9"}}), IsEmpty());
  EXPECT_THAT(ToGlue({{"Id.nullCount", "9"}}), IsEmpty());
  EXPECT_THAT(ToGlue({{"Id.nullCount", "many"}, {"Id.distinctCount", "9"}}), IsEmpty());
  EXPECT_THAT(ToGlue({{"name.nullCount", "0"}, {"name.distinctCount", "9"}}), IsEmpty());
  EXPECT_THAT(ToGlue({{"list.nullCount", "0"}, {"list.distinctCount", "9"}}), IsEmpty());
  EXPECT_THAT(ToGlue({{"day.nullCount", "0"}, {"day.distinctCount", "9"}}), IsEmpty());
}

TEST(ColumnStatistics, ComeBackUnderSparksNames) {
  EXPECT_EQ(FromGlue("id", R"({"Type":"LONG","LongColumnStatisticsData":{"MinimumValue":-5,
                               "MaximumValue":5,"NumberOfNulls":1,"NumberOfDistinctValues":9}})"),
            (glue::Parameters{{"Id.version", "2"},
                              {"Id.nullCount", "1"},
                              {"Id.distinctCount", "9"},
                              {"Id.min", "-5"},
                              {"Id.max", "5"}}));
  EXPECT_EQ(FromGlue("flag", R"({"Type":"BOOLEAN","BooleanColumnStatisticsData":
                                 {"NumberOfTrues":2,"NumberOfFalses":1,"NumberOfNulls":0}})"),
            (glue::Parameters{{"Flag.version", "2"},
                              {"Flag.nullCount", "0"},
                              {"Flag.distinctCount", "2"},
                              {"Flag.min", "false"},
                              {"Flag.max", "true"}}));
  EXPECT_EQ(FromGlue("name", R"({"Type":"STRING","StringColumnStatisticsData":{"MaximumLength":12,
                               "AverageLength":3.25,"NumberOfNulls":3,"NumberOfDistinctValues":7}})"),
            (glue::Parameters{{"name.version", "2"},
                              {"name.nullCount", "3"},
                              {"name.distinctCount", "7"},
                              {"name.avgLen", "4"},
                              {"name.maxLen", "12"}}));
  EXPECT_EQ(FromGlue("born", R"({"Type":"DATE","DateColumnStatisticsData":{"MinimumValue":-86400,
                               "MaximumValue":1709164800.0,"NumberOfNulls":0}})"),
            (glue::Parameters{{"born.version", "2"},
                              {"born.nullCount", "0"},
                              {"born.min", "1969-12-31"},
                              {"born.max", "2024-02-29"}}));
  EXPECT_EQ(FromGlue("at", R"({"Type":"LONG","LongColumnStatisticsData":{"MinimumValue":-1,
                               "MaximumValue":1709164802,"NumberOfNulls":0}})"),
            (glue::Parameters{{"at.version", "2"},
                              {"at.nullCount", "0"},
                              {"at.min", "1969-12-31 23:59:59.000000"},
                              {"at.max", "2024-02-29 00:00:02.000000"}}));
}

TEST(ColumnStatistics, ValuesThatTheTypeCannotHaveAreLeftOut) {
  EXPECT_EQ(
      FromGlue("tiny", R"({"Type":"LONG","LongColumnStatisticsData":{"MinimumValue":-129,
                               "MaximumValue":127,"NumberOfNulls":0}})"),
      (glue::Parameters{{"tiny.version", "2"}, {"tiny.nullCount", "0"}, {"tiny.max", "127"}}));
  EXPECT_EQ(FromGlue("born", R"({"Type":"DATE","DateColumnStatisticsData":
                               {"MaximumValue":9e15,"NumberOfNulls":0}})"),
            (glue::Parameters{{"born.version", "2"}, {"born.nullCount", "0"}}));
  EXPECT_EQ(FromGlue("price", R"({"Type":"DECIMAL","DecimalColumnStatisticsData":{"MinimumValue":
      {"UnscaledValue":"!","Scale":2},"MaximumValue":{"UnscaledValue":"AQ==","Scale":-1},
      "NumberOfNulls":0}})"),
            (glue::Parameters{{"price.version", "2"}, {"price.nullCount", "0"}}));
  // Of a column that had another type then, or that is not there.
  EXPECT_THAT(FromGlue("id", R"({"Type":"STRING","StringColumnStatisticsData":
                               {"MaximumLength":1,"AverageLength":1,"NumberOfNulls":0}})"),
              IsEmpty());
  EXPECT_THAT(FromGlue("gone", R"({"Type":"LONG","LongColumnStatisticsData":{"NumberOfNulls":0}})"),
              IsEmpty());
}

TEST(ColumnStatistics, ThoseOlderThanTheEntrysLastChangeDoNotCount) {
  const std::string data = R"({"Type":"LONG","LongColumnStatisticsData":{"NumberOfNulls":0}})";
  EXPECT_THAT(FromGlue("id", data, kCreated - 1), IsEmpty());
  EXPECT_THAT(FromGlue("id", data, kCreated), IsEmpty());
  EXPECT_EQ(FromGlue("id", data, kCreated + 0.5).size(), 2U);
  glue::Table undated = SampleOfTypes();
  undated.parameters->erase("transient_lastDdlTime");
  EXPECT_EQ(FromGlueStatistics(undated, {{"id", "", 1, data}}).size(), 2U);
}

}  // namespace
}  // namespace gluecat::entry
