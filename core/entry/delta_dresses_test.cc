// A Delta table is found in whatever dress its entry was left: by Spark, Trino,
// Athena, a crawler, an old Hive path, or by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/entry/description.h"
#include "core/entry/sample_entries.h"

namespace gluecat::entry {
namespace {

using ::testing::HasSubstr;

struct Dress {
  const char* name;
  const char* entry;     // the members of a Glue table besides its name
  const char* location;  // nullptr: the table cannot be used
  const char* columns;   // names, as the entry shows them
  bool schema_stored = false;
};

constexpr Dress kDresses[] = {
    {"OnlyTableType",
     R"("Parameters":{"table_type":"DELTA"},"StorageDescriptor":{"Location":"s3://b/t",
        "Columns":[{"Name":"id","Type":"bigint"}]})",
     "s3://b/t", "id"},
    {"TableTypeInLowerCase",
     R"("Parameters":{"table_type":"delta"},"StorageDescriptor":{"Location":"s3://b/t"})",
     "s3://b/t", ""},
    {"ProviderInUpperCase",
     R"("Parameters":{"spark.sql.sources.provider":"DELTA"},"StorageDescriptor":
        {"Location":"s3://b/x","SerdeInfo":{"Parameters":{"path":"s3://b/t"}}})",
     "s3://b/t", ""},
    {"ProviderWithSpaces",
     R"("Parameters":{"spark.sql.sources.provider":" Delta "},"StorageDescriptor":
        {"Location":"s3://b/t"})",
     "s3://b/t", ""},
    {"OneArrayColumn",
     R"("Parameters":{"spark.sql.sources.provider":"delta"},"StorageDescriptor":
        {"Location":"s3://b/t","Columns":[{"Name":"col","Type":"array<string>",
         "Comment":"from deserializer"}],
         "InputFormat":"org.apache.hadoop.mapred.SequenceFileInputFormat"})",
     "s3://b/t", ""},
    {"PlaceholderAndPath",
     R"("Parameters":{"spark.sql.sources.provider":"delta"},"StorageDescriptor":
        {"Location":"s3://w/d.db/t-__PLACEHOLDER__",
         "SerdeInfo":{"Parameters":{"path":"s3://b/t"}}})",
     "s3://b/t", ""},
    {"PathInAnotherCase",
     R"("Parameters":{"table_type":"DELTA"},"StorageDescriptor":
        {"Location":"s3://w/x","SerdeInfo":{"Parameters":{"Path":"s3://b/t"}}})",
     "s3://b/t", ""},
    {"PlaceholderAlone",
     R"("Parameters":{"spark.sql.sources.provider":"delta"},"StorageDescriptor":
        {"Location":"s3://w/d.db/t-__PLACEHOLDER__"})",
     nullptr, ""},
    {"NoDescriptor", R"("Parameters":{"table_type":"DELTA"})", nullptr, ""},
    {"ManagedByHive",
     R"("TableType":"MANAGED_TABLE","Parameters":{"spark.sql.sources.provider":"delta"},
        "StorageDescriptor":{"Location":"s3://b/t"})",
     "s3://b/t", ""},
    {"NoTableType",
     R"("Parameters":{"spark.sql.sources.provider":"delta"},"StorageDescriptor":
        {"Location":"s3://b/t"})",
     "s3://b/t", ""},
    {"PartitionKeysApart",
     R"("Parameters":{"table_type":"delta","classification":"delta"},
        "PartitionKeys":[{"Name":"day","Type":"date"}],
        "StorageDescriptor":{"Location":"s3://b/t","Columns":[{"Name":"id","Type":"bigint"}],
        "InputFormat":"org.apache.hadoop.mapred.SequenceFileInputFormat"})",
     "s3://b/t", "id,day"},
    {"SparksSchemaBesideColumns",
     R"("Parameters":{"spark.sql.sources.provider":"delta","spark.sql.sources.schema":
        "{\"type\":\"struct\",\"fields\":[{\"name\":\"Id\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}}]}"},
        "StorageDescriptor":{"Location":"s3://b/t","Columns":[{"Name":"id","Type":"bigint"}]})",
     "s3://b/t", "Id", true},
    {"DamagedSchema",
     R"("Parameters":{"spark.sql.sources.provider":"delta","spark.sql.sources.schema":"{"},
        "StorageDescriptor":{"Location":"s3://b/t","Columns":[{"Name":"id","Type":"bigint"}]})",
     "s3://b/t", "id"},
    {"ColumnsThatNobodyCanRead",
     R"("Parameters":{"table_type":"DELTA"},"StorageDescriptor":{"Location":"s3://b/t",
        "Columns":[{"Name":"id","Type":"no<type"}]})",
     "s3://b/t", ""},
};

class DeltaDresses : public ::testing::TestWithParam<Dress> {};

glue::Table Decoded(const Dress& dress) {
  const auto document =
      JsonDocument::Parse("{\"Name\":\"t\"," + std::string(dress.entry) + "}").value();
  return glue::DecodeTable(document.root()).value();
}

TEST_P(DeltaDresses, AreSeenThrough) {
  const TableDescription description = DescribeTable(Decoded(GetParam()));
  if (GetParam().location == nullptr) {
    EXPECT_EQ(description.kind, TableKind::kUnsupported);
    EXPECT_THAT(description.reason, HasSubstr("where its log is"));
    return;
  }
  EXPECT_EQ(description.kind, TableKind::kDelta);
  EXPECT_EQ(description.provider, "delta");
  EXPECT_EQ(description.reason, "");
  EXPECT_EQ(description.location, GetParam().location);
  EXPECT_EQ(description.schema_stored, GetParam().schema_stored);
  std::string names;
  for (const auto& field : description.schema.fields) {
    names += (names.empty() ? "" : ",") + field.name;
  }
  EXPECT_EQ(names, GetParam().columns);
}

// Whatever it wore, after a change of columns every reader finds it.
TEST_P(DeltaDresses, GiveWayToTheColumnsOfTheLog) {
  if (GetParam().location == nullptr) return;
  glue::Table table = Decoded(GetParam());
  const SetSchema change{{{{"Id", types::DataType::Simple("long"), true, {}},
                           {"day", types::DataType::Simple("date"), true, {}}}},
                         {"day"}};
  ASSERT_TRUE(ApplyChanges(table, {change}, {"4.1.1", 9}));
  const TableDescription description = DescribeTable(table);
  EXPECT_EQ(description.kind, TableKind::kDelta);
  EXPECT_EQ(description.location, GetParam().location);
  EXPECT_TRUE(description.schema_stored);
  EXPECT_EQ(description.schema, change.schema);
  EXPECT_EQ(description.partition_columns, change.partition_columns);
  EXPECT_EQ(table.storage_descriptor->columns->front().type, "bigint");
}

INSTANTIATE_TEST_SUITE_P(All, DeltaDresses, ::testing::ValuesIn(kDresses),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace gluecat::entry
