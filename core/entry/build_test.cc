#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/entry/description.h"
#include "core/entry/keys.h"
#include "core/entry/sample_entries.h"

namespace gluecat::entry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const WriterInfo kWriter = {"4.1.1", 1719830400};

types::StructField Field(std::string name, std::string type) {
  return {std::move(name), types::DataType::Simple(std::move(type)), true, {}};
}

types::StructType Schema(std::vector<types::StructField> fields) { return {std::move(fields)}; }

TableSpec Spec(std::string provider, std::vector<types::StructField> fields) {
  TableSpec spec;
  spec.provider = std::move(provider);
  spec.schema.fields = std::move(fields);
  spec.location = "s3://lake/shop/orders";
  return spec;
}

glue::Table Built(const TableSpec& spec, std::string_view name = "orders") {
  auto table = BuildTable(name, spec, kWriter);
  EXPECT_TRUE(table) << (table ? "" : table.error().message);
  return table.value_or(glue::Table());
}

std::string Refused(const TableSpec& spec, std::string_view name = "orders") {
  const auto table = BuildTable(name, spec, kWriter);
  if (table) return "accepted";
  EXPECT_EQ(table.error().kind, ErrorKind::kInvalidArgument);
  return table.error().message;
}

// "name:type" of each column.
std::vector<std::string> Columns(const std::optional<std::vector<glue::Column>>& columns) {
  std::vector<std::string> texts;
  if (columns) {
    for (const auto& column : *columns) texts.push_back(column.name + ":" + *column.type);
  }
  return texts;
}

TEST(BuildTable, AParquetTableIsOneOfHiveToo) {
  TableSpec spec =
      Spec("parquet", {Field("Id", "long"), Field("day", "date"), Field("Note", "string")});
  spec.partition_columns = {"DAY"};
  spec.owner = "ada";
  const glue::Table table = Built(spec, "Orders");
  EXPECT_EQ(table.name, "orders");
  EXPECT_EQ(table.owner, "ada");
  EXPECT_EQ(table.table_type, "EXTERNAL_TABLE");
  const auto& descriptor = *table.storage_descriptor;
  EXPECT_THAT(Columns(descriptor.columns), ElementsAre("id:bigint", "note:string"));
  EXPECT_THAT(Columns(table.partition_keys), ElementsAre("day:date"));
  EXPECT_EQ(descriptor.location, "s3://lake/shop/orders");
  EXPECT_EQ(descriptor.input_format,
            "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat");
  EXPECT_EQ(descriptor.serde_info->parameters,
            (glue::Parameters{{"path", "s3://lake/shop/orders"}, {"serialization.format", "1"}}));
  EXPECT_EQ(descriptor.number_of_buckets, -1);
  EXPECT_EQ(
      *table.parameters,
      (glue::Parameters{
          {"EXTERNAL", "TRUE"},
          {"spark.sql.create.version", "4.1.1"},
          {"spark.sql.partitionProvider", "catalog"},
          {"spark.sql.sources.provider", "parquet"},
          {"spark.sql.sources.schema",
           R"({"type":"struct","fields":[{"name":"Id","type":"long","nullable":true,"metadata":{}},)"
           R"({"name":"Note","type":"string","nullable":true,"metadata":{}},)"
           R"({"name":"day","type":"date","nullable":true,"metadata":{}}]})"},
          {"spark.sql.sources.schema.numPartCols", "1"},
          {"spark.sql.sources.schema.partCol.0", "day"},
          {"transient_lastDdlTime", "1719830400"}}));
}

// What Spark 4.1 itself wrote through Hive, and what we write for the same
// table: the same columns, keys and formats.
TEST(BuildTable, LaysOutWhatSparksHiveCatalogDoes) {
  for (const auto& name : SampleNames()) {
    if (!name.starts_with("spark_source_") && !name.starts_with("spark_saved_")) continue;
    const glue::Table sample = SampleTable(name);
    const TableDescription description = DescribeTable(sample);
    ASSERT_EQ(description.kind, TableKind::kDataSource) << name;
    TableSpec spec;
    spec.provider = description.provider;
    spec.schema = description.schema;
    spec.partition_columns = description.partition_columns;
    spec.bucketing = description.bucketing;
    spec.location = description.location;
    spec.managed = description.managed;
    spec.options = description.options;
    spec.properties = description.properties;
    spec.comment = description.comment;
    spec.owner = description.owner;
    const glue::Table table = Built(spec, sample.name);
    EXPECT_EQ(Columns(table.partition_keys), Columns(sample.partition_keys)) << name;
    for (const auto& [key, value] : *sample.parameters) {
      if (key == "transient_lastDdlTime" || key.starts_with("spark.sql.statistics.") ||
          key == "totalSize" || key == "numFiles") {
        continue;
      }
      EXPECT_EQ(table.parameters->at(key), value) << name << ": " << key;
    }
    // One difference on purpose: see LocalTimestampsAreTimestampsInGlue.
    if (name == "spark_source_ntz" || name == "spark_source_parquet") continue;
    EXPECT_EQ(table.storage_descriptor->columns, sample.storage_descriptor->columns) << name;
    EXPECT_EQ(table.storage_descriptor->input_format, sample.storage_descriptor->input_format)
        << name;
    EXPECT_EQ(table.storage_descriptor->output_format, sample.storage_descriptor->output_format);
    EXPECT_EQ(table.storage_descriptor->serde_info->parameters,
              sample.storage_descriptor->serde_info->parameters)
        << name;
    EXPECT_EQ(table.storage_descriptor->serde_info->serialization_library,
              sample.storage_descriptor->serde_info->serialization_library)
        << name;
    EXPECT_EQ(table.storage_descriptor->location, sample.storage_descriptor->location) << name;
  }
}

TEST(BuildTable, LocalTimestampsAreTimestampsInGlue) {
  TableSpec spec = Spec("parquet", {Field("a", "timestamp_ntz")});
  spec.schema.fields.push_back(
      {"s", types::DataType::Struct(Schema({Field("x", "timestamp_ntz")})), true, {}});
  const glue::Table table = Built(spec);
  EXPECT_THAT(Columns(table.storage_descriptor->columns),
              ElementsAre("a:timestamp", "s:struct<x:timestamp>"));
  EXPECT_EQ(DescribeTable(table).schema, spec.schema);
}

TEST(BuildTable, WhatHiveCannotHoldIsSparkSpecific) {
  for (const char* type : {"void", "variant", "interval day to second", "time(6)"}) {
    TableSpec spec = Spec("parquet", {Field("id", "long"), Field("x", type)});
    const glue::Table table = Built(spec);
    EXPECT_THAT(Columns(table.storage_descriptor->columns), ElementsAre("col:array<string>"));
    EXPECT_EQ(table.storage_descriptor->input_format,
              "org.apache.hadoop.mapred.SequenceFileInputFormat");
    EXPECT_EQ(table.storage_descriptor->location, "s3://lake/shop/orders");
    EXPECT_EQ(DescribeTable(table).schema, spec.schema);
  }
  // A name that Glue has no room for.
  TableSpec spec = Spec("orc", {Field(std::string(256, 'n'), "long"), Field("a\nb", "long")});
  EXPECT_THAT(Columns(Built(spec).storage_descriptor->columns), ElementsAre("col:array<string>"));
  EXPECT_EQ(DescribeTable(Built(spec)).schema, spec.schema);
}

TEST(BuildTable, ATypeTooLargeForAnEntryIsRefused) {
  types::StructType wide;
  for (int i = 0; i < 8000; ++i)
    wide.fields.push_back(Field("a_long_name_" + std::to_string(i), "string"));
  const TableSpec spec = Spec("parquet", {{"wide", types::DataType::Struct(wide), true, {}}});
  const auto built = BuildTable("orders", spec, WriterInfo());
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().kind, ErrorKind::kLimitExceeded);
  EXPECT_THAT(built.error().message, HasSubstr("column 'wide'"));
}

TEST(BuildTable, ADeltaTableShowsRealColumnsToEveryone) {
  TableSpec spec =
      Spec("delta", {Field("Id", "long"), Field("v", "variant"), Field("day", "date")});
  spec.schema.fields.push_back(
      {"s", types::DataType::Struct(Schema({Field("a b", "timestamp_ntz")})), false, {}});
  spec.partition_columns = {"day"};
  const glue::Table table = Built(spec);
  EXPECT_THAT(Columns(table.storage_descriptor->columns),
              ElementsAre("id:bigint", "v:string", "s:struct<a_b:timestamp>", "day:date"));
  EXPECT_EQ(table.partition_keys, std::vector<glue::Column>());
  EXPECT_EQ(table.storage_descriptor->location, "s3://lake/shop/orders");
  EXPECT_EQ(table.storage_descriptor->serde_info->parameters.at("path"), "s3://lake/shop/orders");
  EXPECT_THAT(*table.storage_descriptor->input_format, HasSubstr("Parquet"));
  EXPECT_EQ(table.parameters->at("table_type"), "DELTA");
  EXPECT_EQ(table.parameters->at("spark.sql.sources.provider"), "delta");
  const auto description = DescribeTable(table);
  EXPECT_EQ(description.kind, TableKind::kDelta);
  EXPECT_THAT(description.partition_columns, ElementsAre("day"));
  // What the log says of nulls stays.
  EXPECT_FALSE(description.schema.fields[description.schema.Find("s").value()].nullable);
}

TEST(BuildTable, ALongSchemaIsSplitBetweenCharacters) {
  TableSpec spec = Spec("csv", {});
  for (int i = 0; i < 100; ++i)
    spec.schema.fields.push_back(Field("ü😀" + std::to_string(i), "long"));
  const glue::Table table = Built(spec);
  EXPECT_FALSE(table.parameters->contains("spark.sql.sources.schema"));
  const int parts = std::stoi(table.parameters->at("spark.sql.sources.schema.numParts"));
  EXPECT_GE(parts, 2);
  for (int i = 0; i < parts; ++i) {
    const auto& part = table.parameters->at("spark.sql.sources.schema.part." + std::to_string(i));
    EXPECT_EQ(part.find("\xEF\xBF\xBD"), std::string::npos);
    EXPECT_NE(static_cast<unsigned char>(part[0]) & 0xC0U, 0x80U);
  }
  EXPECT_EQ(DescribeTable(table).schema, spec.schema);
}

TEST(BuildTable, ExactlyTheThresholdStaysWhole) {
  TableSpec spec = Spec("csv", {Field("", "long")});
  const auto empty = types::ToSparkJson(spec.schema).size();
  spec.schema.fields[0].name = std::string(4000 - empty, 'n');
  EXPECT_TRUE(Built(spec).parameters->contains("spark.sql.sources.schema"));
  spec.schema.fields[0].name += 'n';
  EXPECT_EQ(Built(spec).parameters->at("spark.sql.sources.schema.numParts"), "2");
}

TEST(BuildTable, CharAndVarcharAreStringsWithALength) {
  TableSpec spec = Spec("parquet", {Field("c", "char(3)"), Field("v", "varchar(10)")});
  const glue::Table table = Built(spec);
  EXPECT_THAT(Columns(table.storage_descriptor->columns),
              ElementsAre("c:char(3)", "v:varchar(10)"));
  EXPECT_THAT(table.parameters->at("spark.sql.sources.schema"),
              HasSubstr(R"("type":"string","nullable":true,)"
                        R"j("metadata":{"__CHAR_VARCHAR_TYPE_STRING":"char(3)"})j"));
}

TEST(BuildTable, FilesMayHoldNulls) {
  TableSpec spec = Spec("parquet", {Field("a", "long")});
  spec.schema.fields[0].nullable = false;
  EXPECT_TRUE(DescribeTable(Built(spec)).schema.fields[0].nullable);
}

TEST(BuildTable, LongCommentsAreCutOnlyWhereGlueNeedsIt) {
  TableSpec spec = Spec("parquet", {Field("a", "long"), Field("p", "string"), Field("u", "long")});
  spec.partition_columns = {"p"};
  const std::string long_text(256, 'x');
  std::string umlauts;
  for (int i = 0; i < 255; ++i) umlauts += "ü";
  spec.schema.fields[0].SetComment(long_text);
  spec.schema.fields[1].SetComment("two\nlines");
  spec.schema.fields[2].SetComment(umlauts);
  spec.comment = std::string(3000, 'c') + "\nend";
  const glue::Table table = Built(spec);
  const auto& columns = *table.storage_descriptor->columns;
  EXPECT_EQ(columns[0].comment, std::string(255, 'x'));
  EXPECT_EQ(columns[1].comment->size(), 254U);
  EXPECT_EQ(table.partition_keys->at(0).comment, "two lines");
  EXPECT_EQ(table.description->size(), 2048U);
  const auto description = DescribeTable(table);
  EXPECT_EQ(description.schema.fields[0].Comment(), long_text);
  EXPECT_EQ(description.schema.fields[1].Comment(), umlauts);
  EXPECT_EQ(description.schema.fields[2].Comment(), "two\nlines");
  EXPECT_EQ(description.comment, spec.comment);
}

TEST(BuildTable, ManagedTablesAreExternalToOthers) {
  TableSpec spec = Spec("parquet", {Field("a", "long")});
  spec.managed = true;
  const glue::Table table = Built(spec);
  EXPECT_EQ(table.table_type, "EXTERNAL_TABLE");
  EXPECT_EQ(table.parameters->at("EXTERNAL"), "TRUE");
  const auto description = DescribeTable(table);
  EXPECT_TRUE(description.managed);
  EXPECT_THAT(description.properties, IsEmpty());
}

TEST(BuildTable, RefusesWhatGlueCannotHold) {
  const TableSpec good = Spec("parquet", {Field("a", "long"), Field("b", "string")});
  EXPECT_THAT(Refused(good, ""), HasSubstr("table name is empty"));
  EXPECT_THAT(Refused(good, std::string(256, 't')), HasSubstr("at most 255"));
  EXPECT_THAT(Refused(good, "a\nb"), HasSubstr("line break"));

  TableSpec spec = good;
  spec.location.reset();
  EXPECT_THAT(Refused(spec), HasSubstr("location is empty"));
  spec.location = "s3://" + std::string(2100, 'x');
  EXPECT_THAT(Refused(spec), HasSubstr("at most 2056"));

  spec = good;
  spec.properties = {{std::string(256, 'k'), "v"}};
  EXPECT_THAT(Refused(spec), HasSubstr("table property name"));
  spec.properties = {{"k", std::string(512001, 'v')}};
  EXPECT_THAT(Refused(spec), HasSubstr("value of table property 'k' has 512001 characters"));
  spec.properties.clear();
  spec.options = {{"", "v"}};
  EXPECT_THAT(Refused(spec), HasSubstr("option name is empty"));
  spec.options = {{"path", "s3://elsewhere"}};
  EXPECT_THAT(Refused(spec), HasSubstr("LOCATION"));
  spec.options = {{"path", *spec.location}};
  EXPECT_EQ(Refused(spec), "accepted");
}

TEST(BuildTable, ReservedPropertiesAreRefused) {
  for (const char* key :
       {"EXTERNAL", "external", "table_type", "TABLE_TYPE", "transient_lastDdlTime",
        "spark.sql.sources.provider", "spark.sql.anything", "gluecat.managed", "metadata_location",
        "collation"}) {
    TableSpec spec = Spec("parquet", {Field("a", "long")});
    spec.properties = {{key, "x"}};
    EXPECT_THAT(Refused(spec),
                HasSubstr("'" + std::string(key) + "' is kept by the catalog itself"));
  }
}

TEST(BuildTable, RefusesColumnsThatDoNotFitTogether) {
  TableSpec spec = Spec("parquet", {Field("a", "long"), Field("A", "string")});
  EXPECT_EQ(Refused(spec), "columns 'a' and 'A' differ in case only, which Glue cannot hold");
  spec.schema.fields[1].name = "a";
  EXPECT_EQ(Refused(spec), "column 'a' is there twice");
  spec.schema.fields[1].name = "";
  EXPECT_EQ(Refused(spec), "a column has no name");
  spec.schema.fields[1].name = "b";
  spec.partition_columns = {"c"};
  EXPECT_EQ(Refused(spec), "partition column 'c' is not a column of the schema");
  spec.partition_columns = {"b", "B"};
  EXPECT_EQ(Refused(spec), "partition column 'B' is there twice");
  spec.partition_columns = {"a", "b"};
  EXPECT_EQ(Refused(spec), "all columns are partition columns");

  spec = Spec("csv", {Field("a", "long"), Field("i", "interval day")});
  spec.partition_columns = {"i"};
  EXPECT_EQ(Refused(spec), "column 'i': Glue has no type for interval day");
  spec.schema.fields[1].type = types::DataType::Array({}, true);
  EXPECT_THAT(Refused(spec), HasSubstr("'i' is an array, a map or a struct"));
}

TEST(BuildTable, Bucketing) {
  TableSpec spec = Spec("parquet", {Field("Id", "long"), Field("b", "string"), Field("p", "date")});
  spec.partition_columns = {"p"};
  spec.bucketing = Bucketing{8, {"id"}, {"B"}};
  const auto description = DescribeTable(Built(spec));
  EXPECT_EQ(description.bucketing, (Bucketing{8, {"Id"}, {"b"}}));
  spec.bucketing->columns = {"p"};
  EXPECT_THAT(Refused(spec), HasSubstr("bucketing column 'p' is not a column"));
  spec.bucketing = Bucketing{0, {"id"}, {}};
  EXPECT_THAT(Refused(spec), HasSubstr("number of buckets is 0"));
  spec.bucketing = Bucketing{1, {}, {}};
  EXPECT_THAT(Refused(spec), HasSubstr("by no column"));
  spec.provider = "delta";
  spec.bucketing = Bucketing{1, {"id"}, {}};
  EXPECT_THAT(Refused(spec), HasSubstr("cannot be bucketed"));
}

TEST(BuildTable, OtherFormatsAreTheirOwnCatalogsBusiness) {
  for (const char* provider : {"iceberg", "hudi", "hive", "Iceberg"}) {
    const auto table = BuildTable("t", Spec(provider, {Field("a", "long")}), kWriter);
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().kind, ErrorKind::kUnsupported);
  }
  EXPECT_THAT(Refused(Spec("", {})), HasSubstr("no provider"));
}

// --- Property: an entry says what it was made from -------------------------------

class SpecGenerator {
 public:
  explicit SpecGenerator(unsigned seed) : random_(seed) {}

  TableSpec Next() {
    static const char* const kProviders[] = {"parquet", "orc",  "avro", "csv",
                                             "json",    "text", "delta"};
    TableSpec spec;
    spec.provider = kProviders[Pick(std::size(kProviders))];
    spec.location = "s3://lake/t" + std::to_string(Pick(1000));
    const unsigned count = 1 + Pick(60);
    for (unsigned i = 0; i < count; ++i) {
      static const char* const kWords[] = {"Id", "name", "ü", "a b", "x.y", "dt", "com,ma"};
      types::StructField field{
          kWords[Pick(std::size(kWords))] + std::to_string(i), Type(3), true, {}};
      if (Pick(4) == 0) field.SetComment("note\n" + std::string(Pick(400), 'z'));
      spec.schema.fields.push_back(std::move(field));
    }
    if (Pick(2) == 0) {
      const unsigned partitions = 1 + Pick(2);
      for (unsigned i = 0; i < partitions; ++i) {
        const std::string name = "Part" + std::to_string(i);
        static const char* const kTypes[] = {"string", "integer", "date", "timestamp"};
        spec.schema.fields.push_back(Field(name, kTypes[Pick(std::size(kTypes))]));
        spec.partition_columns.push_back(name);
      }
    }
    if (spec.provider != "delta" && Pick(3) == 0) {
      spec.bucketing = Bucketing{1 + Pick(9), {spec.schema.fields[0].name}, {}};
    }
    spec.managed = Pick(2) == 0;
    if (Pick(2) == 0) spec.options = {{"header", "true"}, {"sep", "|"}};
    if (Pick(2) == 0) spec.properties = {{"team", "sales"}, {"classification", "x"}};
    if (Pick(2) == 0) spec.comment = "c" + std::string(Pick(5000), 'd');
    if (Pick(2) == 0) spec.owner = "ada";
    spec.partitions_tracked = Pick(4) != 0;
    return spec;
  }

 private:
  unsigned Pick(std::size_t below) { return static_cast<unsigned>(random_() % below); }

  types::DataType Type(int depth) {
    static const char* const kNames[] = {"long",          "string",  "timestamp",
                                         "timestamp_ntz", "variant", "decimal(38,9)",
                                         "interval day",  "void",    "binary"};
    switch (depth <= 0 ? 9 : Pick(10)) {
      case 0:
        return types::DataType::Array(Type(depth - 1), true);
      case 1:
        return types::DataType::Map(Type(depth - 1), Type(depth - 1), true);
      case 2:
        return types::DataType::Struct(Schema({{"F g", Type(depth - 1), true, {}}}));
      default:
        return types::DataType::Simple(kNames[Pick(std::size(kNames))]);
    }
  }

  std::mt19937 random_;
};

TEST(BuildTableProperty, DescribingWhatWasBuiltGivesTheSpecificationBack) {
  SpecGenerator generator(42);
  for (int i = 0; i < 300; ++i) {
    const TableSpec spec = generator.Next();
    const glue::Table table = Built(spec);
    const TableDescription description = DescribeTable(table);
    ASSERT_EQ(description.kind,
              spec.provider == "delta" ? TableKind::kDelta : TableKind::kDataSource);
    ASSERT_EQ(description.reason, "");
    ASSERT_EQ(description.provider, spec.provider);
    ASSERT_EQ(description.schema, spec.schema);
    ASSERT_EQ(description.partition_columns, spec.partition_columns);
    ASSERT_EQ(description.bucketing, spec.bucketing);
    ASSERT_EQ(description.location, spec.location);
    ASSERT_EQ(description.managed, spec.managed);
    ASSERT_EQ(description.options, spec.options);
    ASSERT_EQ(description.properties, spec.properties);
    ASSERT_EQ(description.comment, spec.comment);
    ASSERT_EQ(description.owner, spec.owner);
    ASSERT_EQ(description.create_version, "4.1.1");
    if (spec.provider != "delta" && !spec.partition_columns.empty()) {
      ASSERT_EQ(description.partitions_tracked, spec.partitions_tracked);
    }
    // Every column is one that Glue takes, and one that can be read again.
    for (const auto* columns : {&*table.storage_descriptor->columns, &*table.partition_keys}) {
      for (const auto& column : *columns) {
        ASSERT_LE(column.comment.value_or("").size(), 255U);
        ASSERT_EQ(column.comment.value_or("").find('\n'), std::string::npos);
        ASSERT_TRUE(types::ParseGlueType(*column.type)) << *column.type;
      }
    }
  }
}

}  // namespace
}  // namespace gluecat::entry
