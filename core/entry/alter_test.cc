#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/entry/description.h"
#include "core/entry/sample_entries.h"

namespace gluecat::entry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const WriterInfo kWriter = {"4.1.1", 1719830400};

types::DataType Named(std::string name) { return types::DataType::Simple(std::move(name)); }

types::StructField Field(std::string name, std::string type) {
  return {std::move(name), Named(std::move(type)), true, {}};
}

// orders(Id, Name comment 'who', tags struct<A, b varchar(3)>) partitioned by day.
glue::Table Orders(std::string provider = "parquet") {
  TableSpec spec;
  spec.provider = std::move(provider);
  spec.schema.fields = {
      Field("Id", "integer"),
      Field("Name", "string"),
      {"tags", types::ParseGlueType("struct<A:int,b:varchar(3)>").value(), true, {}},
      Field("day", "date")};
  spec.schema.fields[1].SetComment("who");
  spec.partition_columns = {"day"};
  spec.location = "s3://lake/orders";
  auto table = BuildTable("orders", spec, {"4.1.1", 1}).value();
  // What others may have added since.
  table.parameters->insert({"classification", "parquet"});
  table.parameters->insert({"spark.sql.statistics.totalSize", "10"});
  table.parameters->insert({"spark.sql.statistics.colStats.Id.max", "7"});
  table.parameters->insert({"spark.sql.statistics.colStats.Name.maxLen", "3"});
  table.retention = 5;
  table.unknown.emplace_back("Status", R"({"x":1})");
  table.storage_descriptor->unknown.emplace_back("SkewedInfo", R"({"SkewedColumnNames":[]})");
  if (table.storage_descriptor->columns->size() > 1) {
    auto& columns = *table.storage_descriptor->columns;
    columns[0].comment = "from the console";
    columns[0].parameters = {{"pii", "no"}};
    columns[1].unknown.emplace_back("Tag", "true");
  }
  return table;
}

template <typename... Changes>
glue::Table Changed(glue::Table table, Changes... changes) {
  const auto applied = ApplyChanges(table, {TableChange(std::move(changes))...}, kWriter);
  EXPECT_TRUE(applied) << (applied ? "" : applied.error().message);
  return table;
}

template <typename Change>
std::string Refused(glue::Table table, Change change) {
  const auto applied = ApplyChanges(table, {TableChange(std::move(change))}, kWriter);
  if (applied) return "accepted";
  return std::string(ErrorKindName(applied.error().kind)) + ": " + applied.error().message;
}

// "name:type", partition keys behind a "|".
std::string Columns(const glue::Table& table) {
  std::string text;
  for (const auto& column : *table.storage_descriptor->columns) {
    text += column.name + ":" + *column.type + " ";
  }
  text += "|";
  if (table.partition_keys) {
    for (const auto& column : *table.partition_keys) text += " " + column.name + ":" + *column.type;
  }
  return text;
}

// "name type" of the described schema.
std::string SchemaOf(const glue::Table& table) {
  std::string text;
  for (const auto& field : DescribeTable(table).schema.fields) {
    if (!text.empty()) text += ", ";
    JsonWriter writer;
    types::WriteSparkType(field.type, writer);
    text += field.name + " " +
            (field.type.kind() == types::DataType::Kind::kSimple
                 ? field.type.name()
                 : types::ToApproximateGlueType(field.type));
  }
  return text;
}

TEST(ApplyChanges, AddsColumnsBeforeThePartitionColumns) {
  AddColumn change{{"Total"}, Named("decimal(9,2)"), true, "net", std::nullopt, std::nullopt};
  const glue::Table table = Changed(Orders(), change);
  EXPECT_EQ(Columns(table),
            "id:int name:string tags:struct<A:int,b:varchar(3)> total:decimal(9,2) | day:date");
  EXPECT_EQ(SchemaOf(table),
            "Id integer, Name string, tags struct<A:int,b:string>, Total decimal(9,2), day date");
  EXPECT_EQ(table.storage_descriptor->columns->at(3).comment, "net");
  EXPECT_EQ(table.parameters->at("transient_lastDdlTime"), "1719830400");
}

TEST(ApplyChanges, AddsColumnsWhereTheyAreWanted) {
  AddColumn first{{"a"}, Named("long"), true, {}, {}, ColumnPosition{true, {}}};
  AddColumn after{{"b"}, Named("long"), true, {}, {}, ColumnPosition{false, "ID"}};
  AddColumn nested{{"tags", "c"}, Named("varchar(9)"), true, {}, {}, ColumnPosition{false, "a"}};
  const glue::Table table = Changed(Orders(), first, after, nested);
  EXPECT_EQ(Columns(table),
            "a:bigint id:int b:bigint name:string "
            "tags:struct<A:int,c:varchar(9),b:varchar(3)> | day:date");
}

TEST(ApplyChanges, AColumnsDefaultIsKept) {
  AddColumn change{{"n"}, Named("integer"), false, std::nullopt, "5", std::nullopt};
  const auto description = DescribeTable(Changed(Orders(), change));
  const auto& field = description.schema.fields[3];
  EXPECT_EQ(field.MetadataText("CURRENT_DEFAULT"), "5");
  EXPECT_EQ(field.MetadataText("EXISTS_DEFAULT"), "5");
  EXPECT_TRUE(field.nullable);
}

TEST(ApplyChanges, RefusesColumnsThatCannotBeAdded) {
  const auto add = [](ColumnPath path, std::optional<ColumnPosition> position = std::nullopt) {
    return Refused(Orders(), AddColumn{std::move(path), {}, true, {}, {}, std::move(position)});
  };
  EXPECT_EQ(add({"NAME"}), "invalid_argument: column 'NAME' exists already");
  EXPECT_EQ(add({"DAY"}), "invalid_argument: column 'DAY' exists already");
  EXPECT_EQ(add({"tags", "a"}), "invalid_argument: column 'tags.a' exists already");
  EXPECT_EQ(add({"name", "x"}),
            "invalid_argument: column 'name.x' cannot be added: its parent is no struct");
  EXPECT_EQ(add({"nope", "x"}),
            "invalid_argument: column 'nope.x' cannot be added: its parent is no struct");
  EXPECT_EQ(add({""}), "invalid_argument: a column to add has no name");
  EXPECT_THAT(add({"x"}, ColumnPosition{false, "nope"}),
              HasSubstr("after 'nope', which does not exist"));
  EXPECT_THAT(add({"x"}, ColumnPosition{false, "day"}), HasSubstr("which is a partition column"));
}

TEST(ApplyChanges, KeepsWhatOthersPutIntoColumns) {
  const glue::Table before = Orders();
  const glue::Table table = Changed(before, AddColumn{{"x"}, Named("long"), true, {}, {}, {}});
  const auto& columns = *table.storage_descriptor->columns;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(columns[i], before.storage_descriptor->columns->at(i));
  EXPECT_EQ(table.partition_keys, before.partition_keys);
  EXPECT_EQ(table.retention, 5);
  EXPECT_EQ(table.unknown, before.unknown);
  EXPECT_EQ(table.storage_descriptor->unknown, before.storage_descriptor->unknown);
  EXPECT_EQ(table.storage_descriptor->serde_info, before.storage_descriptor->serde_info);
  EXPECT_EQ(table.parameters->at("classification"), "parquet");
}

TEST(ApplyChanges, RenamedColumnsStayTheSameColumn) {
  const glue::Table table = Changed(Orders(), RenameColumn{{"id"}, "OrderId"});
  EXPECT_EQ(SchemaOf(table), "OrderId integer, Name string, tags struct<A:int,b:string>, day date");
  const auto& column = table.storage_descriptor->columns->at(0);
  EXPECT_EQ(column.name, "orderid");
  EXPECT_EQ(column.comment, "from the console");
  EXPECT_EQ(column.parameters, (glue::Parameters{{"pii", "no"}}));
  EXPECT_FALSE(table.parameters->contains("spark.sql.statistics.colStats.Id.max"));
  EXPECT_TRUE(table.parameters->contains("spark.sql.statistics.colStats.Name.maxLen"));

  EXPECT_EQ(SchemaOf(Changed(Orders(), RenameColumn{{"tags", "B"}, "code"})),
            "Id integer, Name string, tags struct<A:int,code:string>, day date");
  EXPECT_EQ(Columns(Changed(Orders(), RenameColumn{{"tags", "B"}, "code"})),
            "id:int name:string tags:struct<A:int,code:varchar(3)> | day:date");
  EXPECT_EQ(SchemaOf(Changed(Orders(), RenameColumn{{"ID"}, "id"})),
            "id integer, Name string, tags struct<A:int,b:string>, day date");
}

TEST(ApplyChanges, ChainsOfChangesAreOneChange) {
  const glue::Table table =
      Changed(Orders(), RenameColumn{{"Id"}, "key"}, UpdateColumnType{{"key"}, Named("long")},
              DeleteColumn{{"name"}, false}, UpdateColumnComment{{"KEY"}, "the key"},
              UpdateColumnPosition{{"key"}, ColumnPosition{false, "tags"}});
  EXPECT_EQ(Columns(table), "tags:struct<A:int,b:varchar(3)> key:bigint | day:date");
  EXPECT_EQ(table.storage_descriptor->columns->at(1).comment, "the key");
  EXPECT_EQ(table.storage_descriptor->columns->at(1).parameters, (glue::Parameters{{"pii", "no"}}));
}

TEST(ApplyChanges, DropsColumns) {
  const glue::Table table = Changed(Orders(), DeleteColumn{{"NAME"}, false});
  EXPECT_EQ(Columns(table), "id:int tags:struct<A:int,b:varchar(3)> | day:date");
  EXPECT_FALSE(table.parameters->contains("spark.sql.statistics.colStats.Name.maxLen"));
  EXPECT_EQ(Columns(Changed(Orders(), DeleteColumn{{"tags", "a"}, false})),
            "id:int name:string tags:struct<b:varchar(3)> | day:date");
  EXPECT_EQ(Changed(Orders(), DeleteColumn{{"nope"}, true}), Orders());
  EXPECT_EQ(Refused(Orders(), DeleteColumn{{"nope"}, false}),
            "invalid_argument: column 'nope' does not exist");
  glue::Table one = Changed(Orders(), DeleteColumn{{"name"}, false}, DeleteColumn{{"tags"}, false});
  EXPECT_EQ(Refused(one, DeleteColumn{{"ID"}, false}),
            "invalid_argument: column 'ID' is the only data column: it cannot be dropped");
}

TEST(ApplyChanges, PartitionColumnsStay) {
  EXPECT_EQ(Refused(Orders(), DeleteColumn{{"Day"}, false}),
            "invalid_argument: column 'Day' is a partition column: it cannot be dropped");
  EXPECT_THAT(Refused(Orders(), RenameColumn{{"day"}, "d"}), HasSubstr("cannot be renamed"));
  EXPECT_THAT(Refused(Orders(), UpdateColumnType{{"day"}, Named("string")}),
              HasSubstr("cannot be given another type"));
  EXPECT_THAT(Refused(Orders(), UpdateColumnPosition{{"day"}, ColumnPosition{true, {}}}),
              HasSubstr("cannot be moved"));
  const glue::Table table = Changed(Orders(), UpdateColumnComment{{"day"}, "when"});
  EXPECT_EQ(table.partition_keys->at(0).comment, "when");
}

TEST(ApplyChanges, BucketingColumnsStay) {
  const glue::Table table = SampleTable("spark_bucketed_with_statistics");
  EXPECT_EQ(Refused(table, DeleteColumn{{"id"}, false}),
            "invalid_argument: column 'id' is a bucketing column: it cannot be dropped");
  EXPECT_THAT(Refused(table, RenameColumn{{"NAME"}, "x"}), HasSubstr("buckets are sorted by"));
  EXPECT_THAT(Refused(table, UpdateColumnType{{"Id"}, Named("string")}), HasSubstr("another type"));
}

TEST(ApplyChanges, ChangesTypes) {
  const glue::Table table = Changed(Orders(), UpdateColumnType{{"ID"}, Named("long")},
                                    UpdateColumnType{{"name"}, Named("varchar(20)")},
                                    UpdateColumnType{{"tags", "b"}, Named("string")});
  EXPECT_EQ(Columns(table), "id:bigint name:varchar(20) tags:struct<A:int,b:string> | day:date");
  EXPECT_EQ(SchemaOf(table), "Id long, Name string, tags struct<A:int,b:string>, day date");
  EXPECT_FALSE(table.parameters->contains("spark.sql.statistics.colStats.Id.max"));
  EXPECT_EQ(table.storage_descriptor->columns->at(0).comment, "from the console");
  EXPECT_EQ(table.storage_descriptor->columns->at(1).comment, "who");
}

TEST(ApplyChanges, StepsIntoArraysAndMaps) {
  glue::Table table =
      Changed(Orders(), AddColumn{{"m"},
                                  types::ParseGlueType("map<string,array<struct<x:int>>>").value(),
                                  true,
                                  {},
                                  {},
                                  {}});
  table = Changed(table, AddColumn{{"m", "value", "element", "y"}, Named("date"), true, {}, {}, {}},
                  UpdateColumnType{{"m", "value", "element", "X"}, Named("long")},
                  UpdateColumnType{{"m", "key"}, Named("integer")});
  EXPECT_THAT(Columns(table), HasSubstr("m:map<int,array<struct<x:bigint,y:date>>>"));
  table = Changed(table, UpdateColumnType{{"m", "value", "element"}, Named("long")});
  EXPECT_THAT(Columns(table), HasSubstr("m:map<int,array<bigint>>"));
  EXPECT_THAT(Refused(table, UpdateColumnType{{"m", "element"}, {}}), HasSubstr("does not exist"));
}

TEST(ApplyChanges, MovesColumns) {
  EXPECT_EQ(SchemaOf(Changed(Orders(), UpdateColumnPosition{{"tags"}, ColumnPosition{true, {}}})),
            "tags struct<A:int,b:string>, Id integer, Name string, day date");
  EXPECT_EQ(
      SchemaOf(Changed(Orders(), UpdateColumnPosition{{"id"}, ColumnPosition{false, "tags"}})),
      "Name string, tags struct<A:int,b:string>, Id integer, day date");
  EXPECT_EQ(
      SchemaOf(Changed(Orders(), UpdateColumnPosition{{"tags", "b"}, ColumnPosition{true, {}}})),
      "Id integer, Name string, tags struct<b:string,A:int>, day date");
  EXPECT_EQ(Changed(Orders(), UpdateColumnPosition{{"name"}, ColumnPosition{false, "id"}}),
            Orders());
  EXPECT_THAT(Refused(Orders(), UpdateColumnPosition{{"id"}, ColumnPosition{false, "day"}}),
              HasSubstr("partition column"));
}

TEST(ApplyChanges, CommentsOfColumns) {
  glue::Table table =
      Changed(Orders(), UpdateColumnComment{{"name"}, "a\nb" + std::string(300, 'x')});
  EXPECT_EQ(table.storage_descriptor->columns->at(1).comment->size(), 255U);
  EXPECT_EQ(DescribeTable(table).schema.fields[1].Comment(), "a\nb" + std::string(300, 'x'));
  table = Changed(Orders(), UpdateColumnComment{{"name"}, std::nullopt});
  EXPECT_EQ(table.storage_descriptor->columns->at(1).comment, std::nullopt);
}

TEST(ApplyChanges, FilesMayHoldNulls) {
  EXPECT_THAT(Refused(Orders(), UpdateColumnNullability{{"id"}, false}),
              HasSubstr("unsupported: table orders cannot promise"));
  EXPECT_EQ(Changed(Orders(), UpdateColumnNullability{{"id"}, true}), Orders());
}

TEST(ApplyChanges, ATypeThatHiveCannotHoldTurnsTheEntrySparkSpecific) {
  const glue::Table table = Changed(Orders(), AddColumn{{"v"}, Named("variant"), true, {}, {}, {}});
  EXPECT_EQ(Columns(table), "col:array<string> | day:date");
  EXPECT_THAT(*table.storage_descriptor->input_format, HasSubstr("SequenceFile"));
  EXPECT_EQ(SchemaOf(table),
            "Id integer, Name string, tags struct<A:int,b:string>, v variant, day date");
  // And stays so, as its partitions do.
  EXPECT_EQ(Columns(Changed(table, DeleteColumn{{"v"}, false})), "col:array<string> | day:date");
}

TEST(ApplyChanges, SparkSpecificEntriesChangeInTheirParameters) {
  const glue::Table before = Orders("csv");
  const glue::Table table = Changed(before, AddColumn{{"x"}, Named("long"), true, {}, {}, {}},
                                    RenameColumn{{"id"}, "key"});
  EXPECT_EQ(table.storage_descriptor, before.storage_descriptor);
  EXPECT_EQ(SchemaOf(table),
            "key integer, Name string, tags struct<A:int,b:string>, x long, day date");
}

TEST(ApplyChanges, StalePartsOfASchemaGo) {
  glue::Table table = SampleTable("spark_source_wide");
  table =
      Changed(table, DeleteColumn{{"s"}, false}, AddColumn{{"n"}, Named("long"), true, {}, {}, {}});
  EXPECT_TRUE(table.parameters->contains("spark.sql.sources.schema"));
  for (const auto& [key, value] : *table.parameters) {
    EXPECT_EQ(key.find("Parts"), std::string::npos) << key;
    EXPECT_EQ(key.find(".part."), std::string::npos) << key;
  }
  EXPECT_EQ(SchemaOf(table), "id long, n long");
}

TEST(ApplyChanges, ASchemaThatIsOnlyThereInPartIsNotChanged) {
  glue::Table table = SampleTable("spark_source_wide");
  table.parameters->erase("spark.sql.sources.schema.part.1");
  EXPECT_EQ(Refused(table, DeleteColumn{{"s"}, false}),
            "invalid_data: parameter spark.sql.sources.schema.part.1 is missing");
  // A new one in its place is what repairs it.
  table = Changed(table, SetSchema{{{Field("id", "long")}}, {}});
  EXPECT_EQ(SchemaOf(table), "id long");
  EXPECT_THAT(DescribeTable(table).reason, IsEmpty());
  EXPECT_FALSE(table.parameters->contains("spark.sql.sources.schema.part.0"));
}

TEST(ApplyChanges, AnInferredSchemaIsNotChanged) {
  glue::Table table = Orders("csv");
  table.parameters->erase("spark.sql.sources.schema");
  table.parameters->erase("spark.sql.sources.schema.numPartCols");
  table.partition_keys->clear();
  EXPECT_THAT(Refused(table, AddColumn{{"x"}, {}, true, {}, {}, {}}),
              HasSubstr("has no columns in Glue"));
}

TEST(ApplyChanges, ReplacesTheSchemaOfADataSource) {
  glue::Table table = SampleTable("spark_bucketed_with_statistics");
  table = Changed(table, SetSchema{{{Field("p", "integer"), Field("x", "long")}}, {"P"}});
  const auto description = DescribeTable(table);
  EXPECT_EQ(SchemaOf(table), "x long, p integer");
  EXPECT_THAT(description.partition_columns, ElementsAre("p"));
  EXPECT_EQ(Columns(table), "x:bigint | p:int");
  EXPECT_TRUE(description.partitions_tracked);
  EXPECT_EQ(description.bucketing, std::nullopt);
  EXPECT_EQ(Refused(table, SetSchema{{{Field("p", "integer")}}, {"q"}}),
            "invalid_argument: partition column 'q' is not a column of the schema");
}

// --- Delta -------------------------------------------------------------------------

TEST(ApplyChanges, DeltaColumnsFollowTheLog) {
  glue::Table table = Orders("delta");
  EXPECT_EQ(Columns(table), "id:int name:string tags:struct<A:int,b:varchar(3)> day:date |");
  SetSchema change{{{Field("Id", "long"), Field("Name", "string"), Field("extra", "void"),
                     Field("day", "date")}},
                   {"day"}};
  change.schema.fields[1].SetComment("who");
  table = Changed(table, change);
  EXPECT_EQ(Columns(table), "id:bigint name:string extra:string day:date |");
  EXPECT_EQ(table.storage_descriptor->columns->at(0).comment, "from the console");
  EXPECT_EQ(table.storage_descriptor->columns->at(1).comment, "who");
  // Once more changes nothing, not even a time.
  EXPECT_EQ(Changed(table, change), table);
  EXPECT_THAT(Refused(table, AddColumn{{"x"}, {}, true, {}, {}, {}}),
              HasSubstr("unsupported: table orders keeps its columns in the Delta log"));
}

TEST(ApplyChanges, ParquetTablesBecomeDeltaTables) {
  const glue::Table before = Orders();
  const ConvertToDelta change{
      {{Field("Id", "integer"), Field("Name", "string"), Field("day", "date")}}, {"day"}};
  const glue::Table table = Changed(before, change);
  const TableDescription description = DescribeTable(table);
  EXPECT_EQ(description.kind, TableKind::kDelta);
  EXPECT_TRUE(description.schema_stored);
  EXPECT_EQ(description.location, "s3://lake/orders");
  EXPECT_EQ(description.statistics, std::nullopt);
  EXPECT_THAT(*table.partition_keys, IsEmpty());
  ASSERT_EQ(table.storage_descriptor->columns->size(), 3U);
  EXPECT_EQ(table.storage_descriptor->columns->at(2).name, "day");
  EXPECT_EQ(table.parameters->at("table_type"), "DELTA");
  EXPECT_EQ(table.parameters->at("classification"), "parquet");
  EXPECT_EQ(table.retention, before.retention);
  EXPECT_EQ(table.unknown, before.unknown);
  // Repeating finishes, and changes nothing more.
  EXPECT_EQ(Changed(table, change), table);
}

TEST(ApplyChanges, OnlyParquetTablesBecomeDeltaTables) {
  EXPECT_THAT(Refused(Orders("json"), ConvertToDelta{}), HasSubstr("only Parquet tables"));
  EXPECT_THAT(Refused(SampleTable("crawler_parquet"), ConvertToDelta{}),
              HasSubstr("only Parquet tables"));
}

TEST(ApplyChanges, AnotherLocationIsNotTheCatalogsOwn) {
  glue::Table table = Orders("delta");
  table.parameters->insert({"gluecat.managed", "true"});
  EXPECT_TRUE(DescribeTable(Changed(table, SetLocation{"s3://lake/orders"})).managed);
  EXPECT_FALSE(DescribeTable(Changed(table, SetLocation{"s3://lake/other"})).managed);
}

TEST(ApplyChanges, SparksDeltaEntriesAreRepaired) {
  const glue::Table table =
      Changed(SampleTable("delta_spark"), SetSchema{{{Field("id", "long")}}, {}});
  EXPECT_EQ(Columns(table), "id:bigint |");
  EXPECT_EQ(table.storage_descriptor->location, "s3://acme-lake/lake/t_spark");
  EXPECT_EQ(table.storage_descriptor->serde_info->parameters.at("path"),
            "s3://acme-lake/lake/t_spark");
  EXPECT_THAT(*table.storage_descriptor->input_format, HasSubstr("Parquet"));
  EXPECT_EQ(table.parameters->at("table_type"), "DELTA");
  EXPECT_EQ(table.parameters->at("delta.lastUpdateVersion"), "4");
}

TEST(ApplyChanges, APlaceholderBesideRealColumnsIsRepairedToo) {
  glue::Table table = Orders("delta");
  table.storage_descriptor->location = "s3://lake/shop.db/orders-__PLACEHOLDER__";
  table = Changed(table, SetSchema{{{Field("id", "long")}}, {}});
  EXPECT_EQ(table.storage_descriptor->location, "s3://lake/orders");
}

TEST(ApplyChanges, DeltaPropertiesLeaveAPlaceholderAlone) {
  const glue::Table before = SampleTable("delta_spark");
  const glue::Table table = Changed(before, SetProperty{"a", "b"});
  EXPECT_EQ(table.storage_descriptor, before.storage_descriptor);
}

TEST(ApplyChanges, DeltaKeysThatLieApartStayApart) {
  glue::Table table = SampleTable("delta_athena");
  table.storage_descriptor->columns->pop_back();
  table.partition_keys = {{"dt", "string", "day", {{"k", "v"}}, {}}};
  table = Changed(
      table, SetSchema{{{Field("id", "long"), Field("n", "long"), Field("dt", "string")}}, {"dt"}});
  EXPECT_EQ(Columns(table), "id:bigint n:bigint | dt:string");
  EXPECT_EQ(table.partition_keys->at(0).parameters, (glue::Parameters{{"k", "v"}}));
}

// --- Everything else -----------------------------------------------------------------

TEST(ApplyChanges, Comments) {
  glue::Table table = Changed(Orders(), SetComment{"sold"});
  EXPECT_EQ(table.description, "sold");
  EXPECT_EQ(table.parameters->at("comment"), "sold");
  EXPECT_EQ(Changed(Orders(), SetProperty{"comment", "sold"}), table);
  EXPECT_EQ(Changed(table, SetComment{}), Orders());
  EXPECT_EQ(Changed(table, RemoveProperty{"comment"}), Orders());

  // The mark of Presto's views is not their comment.
  table = Changed(SampleTable("athena_view"), SetComment{"a view"});
  EXPECT_EQ(table.parameters->at("comment"), "Presto View");
  EXPECT_EQ(DescribeTable(table).comment, "a view");
  EXPECT_EQ(Changed(table, SetComment{}).parameters->at("comment"), "Presto View");
}

TEST(ApplyChanges, ReservedPropertiesAreRefused) {
  for (const char* key :
       {"EXTERNAL", "table_type", "spark.sql.sources.schema", "gluecat.managed"}) {
    EXPECT_THAT(Refused(Orders(), SetProperty{key, "x"}), HasSubstr("kept by the catalog itself"));
    EXPECT_THAT(Refused(Orders(), RemoveProperty{key}), HasSubstr("kept by the catalog itself"));
  }
  EXPECT_THAT(Refused(SampleTable("iceberg_glue"), SetProperty{"metadata_location", "s3://x"}),
              HasSubstr("kept by the catalog itself"));
  EXPECT_THAT(Refused(SampleTable("spark_view_star"), RemoveProperty{"view.query.out.numCols"}),
              HasSubstr("part of the view's definition"));
  EXPECT_THAT(Refused(Orders(), SetProperty{std::string(300, 'k'), "x"}), HasSubstr("at most 255"));
}

TEST(ApplyChanges, Locations) {
  glue::Table table = Changed(SampleTable("spark33_external_placeholder"), SetLocation{"s3://n/x"});
  EXPECT_EQ(table.storage_descriptor->location, "s3://n/x");
  EXPECT_EQ(table.storage_descriptor->serde_info->parameters.at("path"), "s3://n/x");
  table = Changed(SampleTable("crawler_csv"), SetLocation{"s3://n/x"});
  EXPECT_EQ(table.storage_descriptor->location, "s3://n/x");
  EXPECT_FALSE(table.storage_descriptor->serde_info->parameters.contains("path"));
  EXPECT_THAT(Refused(SampleTable("athena_view"), SetLocation{"s3://n/x"}),
              HasSubstr("unsupported"));
  EXPECT_THAT(Refused(SampleTable("iceberg_glue"), SetLocation{"s3://n/x"}),
              HasSubstr("unsupported"));
}

TEST(ApplyChanges, Options) {
  const glue::Table table = Changed(SampleTable("spark_source_csv"), SetOption{"sep", "|"},
                                    RemoveOption{"header"}, SetOption{"nullValue", "-"});
  EXPECT_EQ(DescribeTable(table).options,
            (glue::Parameters{{"escape", "\""}, {"nullValue", "-"}, {"sep", "|"}}));
  EXPECT_THAT(Refused(table, SetOption{"PATH", "s3://x"}), HasSubstr("LOCATION"));
  EXPECT_THAT(Refused(SampleTable("delta_athena"), SetOption{"a", "b"}),
              HasSubstr("has no options"));
}

TEST(ApplyChanges, StatisticsReplaceAllThereWere) {
  glue::Table table = Changed(SampleTable("spark_bucketed_with_statistics"),
                              SetStatistics{Statistics{77, std::nullopt}});
  EXPECT_EQ(DescribeTable(table).statistics, (Statistics{77, std::nullopt}));
  for (const auto& [key, value] : *table.parameters) {
    EXPECT_EQ(key.find("colStats"), std::string::npos) << key;
  }
  const Statistics whole{77, 5, {{"id.distinctCount", "3"}, {"a.b.max", "9"}}};
  table = Changed(table, SetStatistics{whole});
  EXPECT_EQ(DescribeTable(table).statistics, whole);
  EXPECT_EQ(table.parameters->at("spark.sql.statistics.colStats.id.distinctCount"), "3");
  table = Changed(table, SetStatistics{});
  EXPECT_EQ(DescribeTable(table).statistics, std::nullopt);
  EXPECT_THAT(Refused(table, SetStatistics{Statistics{-1, std::nullopt}}), HasSubstr("negative"));
  EXPECT_THAT(Refused(SampleTable("delta_athena"), SetStatistics{}), HasSubstr("unsupported"));
}

TEST(ApplyChanges, Owners) {
  EXPECT_EQ(Changed(Orders(), SetOwner{"grace"}).owner, "grace");
  EXPECT_THAT(Refused(Orders(), SetOwner{""}), HasSubstr("owner is empty"));
}

TEST(ApplyChanges, ColumnsOfOtherKindsAreNotOurs) {
  const AddColumn change{{"x"}, {}, true, {}, {}, {}};
  EXPECT_THAT(Refused(SampleTable("iceberg_glue"), change), HasSubstr("is of format iceberg"));
  EXPECT_THAT(Refused(SampleTable("hudi_cow"), change), HasSubstr("is of format hudi"));
  EXPECT_THAT(Refused(SampleTable("crawler_csv"), change), HasSubstr("is a Hive table"));
  EXPECT_THAT(Refused(SampleTable("spark_view_star"), change), HasSubstr("is a view"));
  EXPECT_THAT(Refused(SampleTable("kinesis_stream"), change), HasSubstr("cannot be changed"));
  EXPECT_THAT(Refused(SampleTable("resource_link_bare"), change), HasSubstr("where it points to"));
  EXPECT_THAT(Refused(SampleTable("crawler_csv"), SetSchema{}), HasSubstr("unsupported"));
}

TEST(ApplyChanges, ANullTableTypeStaysNull) {
  const glue::Table table = Changed(SampleTable("boto3_minimal"), SetProperty{"a", "b"});
  EXPECT_EQ(table.table_type, std::nullopt);
  EXPECT_EQ(table.partition_keys, std::nullopt);
}

}  // namespace
}  // namespace gluecat::entry
