#include "core/entry/partition_reader.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluecat::entry {
namespace {

using ::testing::HasSubstr;

FileFormat Of(const std::string& serde, const std::string& input, glue::Parameters parameters) {
  return {"org.apache.hadoop.hive.ql.io." + input,
          {},
          "org.apache.hadoop.hive.ql.io." + serde,
          std::move(parameters)};
}

FileFormat Parquet(glue::Parameters parameters = {}) {
  return Of("parquet.serde.ParquetHiveSerDe", "parquet.MapredParquetInputFormat",
            std::move(parameters));
}

FileFormat Orc(glue::Parameters parameters = {}) {
  return Of("orc.OrcSerde", "orc.OrcInputFormat", std::move(parameters));
}

FileFormat Avro(glue::Parameters parameters = {}) {
  return {{}, {}, "org.apache.hadoop.hive.serde2.avro.AvroSerDe", std::move(parameters)};
}

TableFormat HiveTable(FileFormat files, glue::Parameters parameters = {}) {
  return {{}, std::move(files), std::move(parameters), "shop", "orders"};
}

TEST(PartitionReader, APartitionLikeItsTableHasNoReaderOfItsOwn) {
  EXPECT_FALSE(ReaderOfPartition(HiveTable(Parquet()), Parquet()));
  EXPECT_FALSE(ReaderOfPartition(HiveTable(Parquet()), {}));
  EXPECT_FALSE(ReaderOfPartition(HiveTable(Parquet()), Parquet({{"serialization.format", "1"}})));
  // What only writing needs.
  EXPECT_FALSE(ReaderOfPartition(HiveTable(Orc({{"orc.compress", "ZLIB"}})),
                                 Orc({{"orc.compress", "NONE"}})));
  // What the partition leaves open is as the table has it.
  EXPECT_FALSE(ReaderOfPartition(HiveTable(Orc({{"orc.column.index.access", "true"}})), Orc()));
}

TEST(PartitionReader, AnotherFormatHasItsOwnReader) {
  const auto orc = ReaderOfPartition(HiveTable(Parquet()), Orc());
  ASSERT_TRUE(orc);
  EXPECT_EQ(orc->provider, "orc");
  EXPECT_TRUE(orc->options.empty());
  const auto avro = ReaderOfPartition(HiveTable(Orc()), Avro({{"avro.schema.literal", "{}"}}));
  ASSERT_TRUE(avro);
  EXPECT_EQ(avro->provider, "avro");
  EXPECT_EQ(avro->options.at("avroSchema"), "{}");
}

TEST(PartitionReader, OtherParametersOfTheSameSerDeCount) {
  const auto positional =
      ReaderOfPartition(HiveTable(Orc()), Orc({{"orc.column.index.access", "true"}}));
  ASSERT_TRUE(positional);
  EXPECT_EQ(positional->provider, "orc");
  EXPECT_EQ(positional->options.at("orc.force.positional.evolution"), "true");
  const auto by_name = ReaderOfPartition(HiveTable(Orc({{"orc.column.index.access", "true"}})),
                                         Orc({{"orc.column.index.access", "false"}}));
  ASSERT_TRUE(by_name);
  EXPECT_TRUE(by_name->options.empty());
}

TEST(PartitionReader, LinesOfTextAreReadAsThePartitionSays) {
  const auto lines = [](glue::Parameters parameters) -> FileFormat {
    return {"org.apache.hadoop.mapred.TextInputFormat",
            {},
            "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
            std::move(parameters)};
  };
  const auto reader =
      ReaderOfPartition(HiveTable(lines({{"field.delim", ","}, {"escape.delim", "\\"}})),
                        lines({{"field.delim", "|"}}));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->provider, kTextSerDeProvider);
  EXPECT_EQ(reader->options.at("serde.parameters"), R"({"escape.delim":"\\","field.delim":"|"})");
  EXPECT_EQ(reader->options.at("table"), "shop.orders");
  // What only writing needs.
  EXPECT_FALSE(ReaderOfPartition(HiveTable(lines({}), {{"write.compression", "gzip"}}),
                                 lines({{"serialization.format", "1"}, {"field.delim", ""}}))
                   .value_or(SerDeReader())
                   .options.contains("compression"));
}

TEST(PartitionReader, ParametersOfTheTableCountForPartitions) {
  const auto reader =
      ReaderOfPartition(HiveTable(Parquet(), {{"orc.column.index.access", "true"}}), Orc());
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->options.at("orc.force.positional.evolution"), "true");
}

TEST(PartitionReader, AFormatWithoutReaderSaysWhy) {
  const auto none =
      ReaderOfPartition(HiveTable(Parquet()), {"com.acme.Format", {}, "com.acme.SerDe", {}});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->provider, "");
  EXPECT_THAT(none->reason, HasSubstr("com.acme.SerDe"));
}

TEST(PartitionReader, ManifestsDoNotMixWithFiles) {
  FileFormat manifests = Parquet();
  manifests.input_format = "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat";
  EXPECT_FALSE(ReaderOfPartition(HiveTable(manifests), manifests));
  for (const auto& [table, partition] :
       {std::pair(manifests, Parquet()), std::pair(Parquet(), manifests)}) {
    const auto none = ReaderOfPartition(HiveTable(table), partition);
    ASSERT_TRUE(none);
    EXPECT_THAT(none->reason, HasSubstr("manifests"));
  }
}

TEST(PartitionReader, PlaceholdersOfADataSourceAreItsOwnFormat) {
  const TableFormat csv = {"csv", {}, {}};
  EXPECT_FALSE(ReaderOfPartition(csv, {"org.apache.hadoop.mapred.SequenceFileInputFormat",
                                       {},
                                       "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
                                       {}}));
  const auto orc = ReaderOfPartition(csv, Orc());
  ASSERT_TRUE(orc);
  EXPECT_EQ(orc->provider, "orc");
  EXPECT_FALSE(ReaderOfPartition({"orc", {}, {}}, Orc({{"orc.column.index.access", "true"}})));
}

TEST(FormatOf, LeavesOutWhatSparkKeeps) {
  glue::Table table;
  table.parameters = {{"spark.sql.sources.schema", "{}"}, {"avro.schema.literal", "{}"}};
  EXPECT_EQ(FormatOf(table).parameters, (glue::Parameters{{"avro.schema.literal", "{}"}}));
}

}  // namespace
}  // namespace gluecat::entry
