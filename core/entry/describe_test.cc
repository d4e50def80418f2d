#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/entry/description.h"
#include "core/entry/sample_entries.h"

namespace gluecat::entry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

glue::Table Decode(std::string_view json) {
  const auto document = JsonDocument::Parse(json);
  EXPECT_TRUE(document);
  auto table = glue::DecodeTable(document->root());
  EXPECT_TRUE(table) << table.error().message;
  return table.value_or(glue::Table());
}

// A Parquet table of Hive with the given columns, as JSON.
glue::Table HiveTable(const std::string& columns) {
  return Decode(R"({"Name":"t","DatabaseName":"d","StorageDescriptor":{"Columns":)" + columns +
                R"(,"Location":"s3://b/t","InputFormat":"i","OutputFormat":"o",)"
                R"("SerdeInfo":{"SerializationLibrary":"lib"}},"Parameters":{}})");
}

std::vector<std::string> NamesOf(const types::StructType& schema) {
  std::vector<std::string> names;
  for (const auto& field : schema.fields) names.push_back(field.name);
  return names;
}

TEST(KindOf, TableTypeIsReadInAnyCase) {
  for (const char* type : {"ICEBERG", "iceberg", "Iceberg"}) {
    EXPECT_EQ(KindOf(Decode(R"({"Name":"t","Parameters":{"table_type":")" + std::string(type) +
                            R"("}})")),
              TableKind::kIceberg);
  }
  EXPECT_EQ(KindOf(Decode(R"({"Name":"t","Parameters":{"table_type":"delta"}})")),
            TableKind::kDelta);
  EXPECT_EQ(KindOf(Decode(R"({"Name":"t","Parameters":{"spark.sql.sources.provider":"DELTA"}})")),
            TableKind::kDelta);
}

TEST(KindOf, ALinkIsALinkWhateverItsTargetIs) {
  EXPECT_EQ(KindOf(Decode(R"({"Name":"t","TargetTable":{"DatabaseName":"d","Name":"x"},)"
                          R"("Parameters":{"table_type":"ICEBERG"}})")),
            TableKind::kResourceLink);
}

TEST(KindOf, ASymlinkTableIsNotDelta) {
  glue::Table table = SampleTable("delta_crawler_symlink");
  table.parameters->insert({"table_type", "delta"});
  EXPECT_EQ(KindOf(table), TableKind::kHiveSerDe);
}

// What becomes of a Parquet table of a crawler when `change` is done to it.
template <typename Change>
TableDescription DescribedCrawlerTable(const std::string& sample, Change change) {
  glue::Table table = SampleTable(sample);
  change(table);
  return DescribeTable(table);
}

TEST(DescribeHiveTable, HasTheReaderOfItsSerDe) {
  const auto as_it_is = [](glue::Table&) {};
  EXPECT_EQ(DescribedCrawlerTable("crawler_parquet", as_it_is).provider, "parquet");
  EXPECT_EQ(DescribedCrawlerTable("crawler_orc", as_it_is).provider, "orc");
  EXPECT_EQ(DescribedCrawlerTable("trino_hive_table", as_it_is).provider, "orc");
  const auto avro = DescribedCrawlerTable("crawler_avro", as_it_is);
  EXPECT_EQ(avro.provider, "avro");
  EXPECT_THAT(avro.options.at("avroSchema"), HasSubstr(R"("name":"id")"));
  EXPECT_EQ(avro.reason, "");
}

TEST(DescribeHiveTable, ColumnsByPositionAreReadOnlyWhereSparkCan) {
  const auto positional = [](glue::Table& table) {
    table.storage_descriptor->serde_info->parameters["orc.column.index.access"] = "true";
    table.storage_descriptor->serde_info->parameters["parquet.column.index.access"] = "TRUE";
  };
  const auto orc = DescribedCrawlerTable("crawler_orc", positional);
  EXPECT_EQ(orc.options.at("orc.force.positional.evolution"), "true");
  const auto parquet = DescribedCrawlerTable("crawler_parquet", positional);
  EXPECT_EQ(parquet.provider, "");
  EXPECT_THAT(parquet.reason, HasSubstr("parquet.column.index.access"));
}

TEST(DescribeHiveTable, OtherInputFormatsAndTransactionsAreRefused) {
  EXPECT_THAT(DescribedCrawlerTable("crawler_parquet",
                                    [](glue::Table& table) {
                                      table.storage_descriptor->input_format = "com.acme.Own";
                                    })
                  .reason,
              HasSubstr("'com.acme.Own'"));
  EXPECT_THAT(DescribedCrawlerTable(
                  "crawler_orc",
                  [](glue::Table& table) { table.parameters->emplace("transactional", "true"); })
                  .reason,
              HasSubstr("transactional"));
}

TEST(DescribeHiveTable, ManifestsAreOfTheReaderOfTheirSerDe) {
  const auto as_it_is = DescribedCrawlerTable("delta_crawler_symlink", [](glue::Table&) {});
  EXPECT_EQ(as_it_is.provider, "parquet");
  EXPECT_EQ(as_it_is.reason, "");
  EXPECT_TRUE(as_it_is.files_in_manifests);
  EXPECT_FALSE(DescribedCrawlerTable("crawler_parquet", [](glue::Table&) {}).files_in_manifests);

  const auto other = DescribedCrawlerTable("delta_crawler_symlink", [](glue::Table& table) {
    table.storage_descriptor->input_format = "com.acme.SymlinkTextInputFormat";
  });
  EXPECT_EQ(other.provider, "");
  EXPECT_THAT(other.reason, HasSubstr("'com.acme.SymlinkTextInputFormat'"));
}

TEST(DescribeTable, ProjectionIsHandedOverWhole) {
  const auto description = DescribeTable(SampleTable("athena_projection_all"));
  EXPECT_EQ(description.kind, TableKind::kHiveSerDe);
  EXPECT_TRUE(description.partitions_tracked);
  ASSERT_TRUE(description.projection);
  EXPECT_EQ(description.projection->location, "s3://acme-lake/p/");
  EXPECT_EQ(description.projection->parameters.at("projection.hh.digits"), "2");
  EXPECT_EQ(description.projection->parameters.count("storage.location.template"), 1U);
  EXPECT_EQ(description.projection->parameters.count("EXTERNAL"), 0U);

  glue::Table off = SampleTable("athena_projection_all");
  off.parameters->insert_or_assign("projection.enabled", "false");
  EXPECT_FALSE(DescribeTable(off).projection);
  glue::Table no_keys = SampleTable("athena_projection_all");
  no_keys.partition_keys->clear();
  EXPECT_FALSE(DescribeTable(no_keys).projection);
}

TEST(DescribeTable, WithoutTableTypeATableIsExternal) {
  const auto description = DescribeTable(SampleTable("boto3_minimal"));
  EXPECT_EQ(description.kind, TableKind::kHiveSerDe);
  EXPECT_FALSE(description.managed);
}

TEST(DescribeTable, WithoutDescriptorItSaysSo) {
  const auto description = DescribeTable(Decode(R"({"Name":"odd","DatabaseName":"d"})"));
  EXPECT_EQ(description.kind, TableKind::kUnsupported);
  EXPECT_EQ(description.reason, "table d.odd: StorageDescriptor is missing");
}

TEST(DescribeTable, ATypeThatCannotBeReadIsNamedWithItsColumn) {
  auto description = DescribeTable(HiveTable(R"([{"Name":"a","Type":"notarealtype"}])"));
  EXPECT_EQ(description.kind, TableKind::kUnsupported);
  EXPECT_EQ(description.reason,
            "table d.t: column 'a' has type 'notarealtype', which cannot be read: unknown type "
            "'notarealtype' at position 0");
  EXPECT_THAT(description.schema.fields, IsEmpty());

  description = DescribeTable(HiveTable(R"([{"Name":"a"}])"));
  EXPECT_EQ(description.reason, "table d.t: column 'a' has no type");

  description = DescribeTable(HiveTable(R"([{"Name":"u","Type":"uniontype<int,string>"}])"));
  EXPECT_THAT(description.reason, HasSubstr("column 'u' has type 'uniontype<int,string>'"));
}

TEST(DescribeTable, TheSerDePathGoesBeforeAPlaceholder) {
  glue::Table table =
      Decode(R"({"Name":"t","StorageDescriptor":{"Location":"s3://b/db/t-__PLACEHOLDER__",)"
             R"("SerdeInfo":{"Parameters":{"PATH":"s3://b/x/real"}}},)"
             R"("Parameters":{"spark.sql.sources.provider":"delta"}})");
  EXPECT_EQ(DescribeTable(table).location, "s3://b/x/real");
  EXPECT_THAT(DescribeTable(table).options, IsEmpty());

  table.storage_descriptor->serde_info->parameters.clear();
  auto description = DescribeTable(table);
  EXPECT_EQ(description.kind, TableKind::kUnsupported);
  EXPECT_THAT(description.reason, HasSubstr("StorageDescriptor.Location"));

  table.storage_descriptor->location = "s3://b/y";
  EXPECT_EQ(DescribeTable(table).location, "s3://b/y");
}

// --- The schema in table parameters ------------------------------------------

TEST(DescribeTable, SchemaPartsAreJoined) {
  const auto description = DescribeTable(SampleTable("spark_source_wide"));
  ASSERT_EQ(description.schema.fields.size(), 2U);
  EXPECT_EQ(description.schema.fields[1].type.fields().fields.size(), 400U);
  EXPECT_THAT(description.reason, IsEmpty());
}

TEST(DescribeTable, AMissingPartIsNamedAndTheColumnsStandIn) {
  glue::Table table = SampleTable("spark_source_wide");
  table.parameters->erase("spark.sql.sources.schema.part.1");
  const auto description = DescribeTable(table);
  EXPECT_EQ(description.kind, TableKind::kDataSource);
  EXPECT_THAT(description.reason,
              HasSubstr("parameter spark.sql.sources.schema.part.1 is missing; its columns are "
                        "those of the Glue entry"));
  EXPECT_THAT(NamesOf(description.schema), ElementsAre("id", "s"));
}

TEST(DescribeTable, AMissingPartOfASparkSpecificEntryLeavesNothing) {
  glue::Table table = SampleTable("spark33_external_placeholder");
  table.parameters->erase("spark.sql.sources.schema.part.0");
  const auto description = DescribeTable(table);
  EXPECT_EQ(description.kind, TableKind::kUnsupported);
  EXPECT_THAT(description.reason, HasSubstr("spark.sql.sources.schema.part.0 is missing"));
}

TEST(DescribeTable, PartsLeftBesideAWholeSchemaAreIgnored) {
  glue::Table table = SampleTable("spark_source_csv");
  table.parameters->insert({"spark.sql.sources.schema.numParts", "2"});
  table.parameters->insert({"spark.sql.sources.schema.part.0", "{"});
  const auto description = DescribeTable(table);
  EXPECT_EQ(description.kind, TableKind::kDataSource);
  EXPECT_THAT(NamesOf(description.schema), ElementsAre("id", "name"));
}

TEST(DescribeTable, BrokenSchemaParametersAreNamed) {
  for (const auto& [key, value, named] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"spark.sql.sources.schema", "{", "parameter spark.sql.sources.schema: malformed JSON"},
           {"spark.sql.sources.schema.numPartCols", "x", "numPartCols is 'x', not a count"},
           {"spark.sql.sources.schema.numPartCols", "-1", "numPartCols is '-1', not a count"},
           {"spark.sql.sources.schema.numPartCols", "1", "schema.partCol.0 is missing"},
           {"spark.sql.sources.schema.numBuckets", "4", "schema.numBucketCols is missing"}}) {
    glue::Table table = SampleTable("spark_source_csv");
    (*table.parameters)[key] = value;
    const auto description = DescribeTable(table);
    EXPECT_EQ(description.kind, TableKind::kUnsupported) << key;
    EXPECT_THAT(description.reason, HasSubstr(named));
  }
  glue::Table table = SampleTable("spark_source_csv");
  table.parameters->insert({"spark.sql.sources.schema.numPartCols", "1"});
  table.parameters->insert({"spark.sql.sources.schema.partCol.0", "nope"});
  EXPECT_THAT(DescribeTable(table).reason, HasSubstr("partition column 'nope' is not a column"));
}

TEST(DescribeTable, PartitionColumnsGoLast) {
  glue::Table table = SampleTable("spark_source_csv");
  (*table.parameters)["spark.sql.sources.schema.numPartCols"] = "1";
  (*table.parameters)["spark.sql.sources.schema.partCol.0"] = "id";
  const auto description = DescribeTable(table);
  EXPECT_THAT(NamesOf(description.schema), ElementsAre("name", "id"));
  EXPECT_THAT(description.partition_columns, ElementsAre("id"));
}

TEST(DescribeTable, ADataSourceWithoutStoredSchemaShowsItsColumns) {
  glue::Table table = SampleTable("spark_source_orc");
  table.parameters->erase("spark.sql.sources.schema");
  EXPECT_THAT(NamesOf(DescribeTable(table).schema), ElementsAre("id", "name"));

  table = SampleTable("spark_source_csv");
  table.parameters->erase("spark.sql.sources.schema");
  const auto description = DescribeTable(table);
  EXPECT_EQ(description.kind, TableKind::kDataSource);
  EXPECT_THAT(description.schema.fields, IsEmpty());
}

TEST(DescribeTable, ASparkSchemaThatDiffersFromHiveColumnsIsNotUsed) {
  glue::Table table = SampleTable("spark_hive_parquet");
  EXPECT_THAT(NamesOf(DescribeTable(table).schema), ElementsAre("Id", "Name", "dt"));
  table.storage_descriptor->columns->at(0).type = "bigint";
  EXPECT_THAT(NamesOf(DescribeTable(table).schema), ElementsAre("id", "name", "dt"));
}

TEST(DescribeTable, APartitionKeyListedAmongTheColumnsCountsOnce) {
  glue::Table table = HiveTable(R"([{"Name":"a","Type":"int"},{"Name":"dt","Type":"string"}])");
  table.partition_keys = {{"dt", "date", std::nullopt, {}, {}}};
  const auto description = DescribeTable(table);
  EXPECT_THAT(NamesOf(description.schema), ElementsAre("a", "dt"));
  EXPECT_EQ(description.schema.fields[1].type.name(), "date");
}

// --- Comments ------------------------------------------------------------------

TEST(DescribeTable, TheDescriptionGoesBeforeTheCommentParameter) {
  glue::Table table = SampleTable("spark_source_parquet");
  EXPECT_EQ(DescribeTable(table).comment, "tc");
  table.description = "from the console";
  EXPECT_EQ(DescribeTable(table).comment, "from the console");
  // Unless it is only the beginning of it.
  const std::string whole(3000, 'x');
  (*table.parameters)["comment"] = whole;
  table.description = std::string(2048, 'x');
  EXPECT_EQ(DescribeTable(table).comment, whole);
  EXPECT_EQ(DescribeTable(SampleTable("athena_view")).comment, std::nullopt);
}

TEST(DescribeTable, ColumnCommentsOfGlueFillTheGaps) {
  glue::Table table = SampleTable("spark_source_orc");
  table.storage_descriptor->columns->at(1).comment = "set in the console";
  const auto description = DescribeTable(table);
  EXPECT_EQ(description.schema.fields[1].Comment(), "set in the console");
  EXPECT_EQ(description.schema.fields[0].Comment(), std::nullopt);
}

TEST(DescribeTable, CommentsFromTheDeserializerAreNone) {
  const auto description =
      DescribeTable(HiveTable(R"([{"Name":"a","Type":"int","Comment":"from deserializer"}])"));
  EXPECT_EQ(description.schema.fields[0].Comment(), std::nullopt);
}

// --- Reasons ---------------------------------------------------------------------

TEST(DescribeTable, OnlyShortProviderNamesAreFolded) {
  glue::Table table = SampleTable("spark_source_csv");
  (*table.parameters)["spark.sql.sources.provider"] = "CSV";
  EXPECT_EQ(DescribeTable(table).provider, "csv");
  (*table.parameters)["spark.sql.sources.provider"] = "com.example.spark.Excel";
  EXPECT_EQ(DescribeTable(table).provider, "com.example.spark.Excel");
}

TEST(DescribeTable, AHiveTableWithoutLocationIsNotReadable) {
  glue::Table table = HiveTable(R"([{"Name":"a","Type":"int"}])");
  table.storage_descriptor->location = "";
  EXPECT_EQ(DescribeTable(table).reason, "table d.t: StorageDescriptor.Location is empty");
}

TEST(DescribeTable, ABrokenIcebergColumnDoesNotHideTheTable) {
  glue::Table table = SampleTable("iceberg_glue");
  table.storage_descriptor->columns->at(0).type = "decimal(38,";
  const auto description = DescribeTable(table);
  EXPECT_EQ(description.kind, TableKind::kIceberg);
  EXPECT_THAT(description.schema.fields, IsEmpty());
}

TEST(DescribeTable, NumbersThatAreNoneAreNoStatistics) {
  glue::Table table = SampleTable("spark_bucketed_with_statistics");
  (*table.parameters)["spark.sql.statistics.numRows"] = "many";
  const auto statistics = DescribeTable(table).statistics;
  ASSERT_TRUE(statistics);
  EXPECT_EQ(statistics->size_in_bytes, 1234);
  EXPECT_EQ(statistics->row_count, std::nullopt);
  (*table.parameters)["spark.sql.statistics.totalSize"] = "-5";
  EXPECT_EQ(DescribeTable(table).statistics, std::nullopt);
  EXPECT_THAT(DescribeTable(table).properties, IsEmpty());
}

TEST(DescribeTable, TimesAreMilliseconds) {
  glue::Table table = SampleTable("boto3_minimal");
  table.create_time = 1719830400.123;
  EXPECT_EQ(DescribeTable(table).created_ms, 1719830400123);
  table.create_time = 1e300;
  EXPECT_EQ(DescribeTable(table).created_ms, std::nullopt);
}

TEST(TableKindName, IsThatOfTheWaist) {
  EXPECT_EQ(TableKindName(TableKind::kDataSource), "data_source");
  EXPECT_EQ(TableKindName(TableKind::kHiveSerDe), "hive_serde");
  EXPECT_EQ(TableKindName(TableKind::kUnsupported), "unsupported");
}

}  // namespace
}  // namespace gluecat::entry
