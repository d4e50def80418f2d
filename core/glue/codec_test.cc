#include "core/glue/codec.h"

#include <string>

#include <gtest/gtest.h>

namespace gluecat::glue {
namespace {

// A Table answer with every kind of member: known, unknown, response-only, null.
constexpr char kTable[] = R"({
  "Name": "orders", "DatabaseName": "sales", "Description": "all orders", "Owner": "etl",
  "CreateTime": 1700000000.5, "UpdateTime": 1700000001.0, "LastAccessTime": 1699999999.0,
  "Retention": 7, "TableType": "EXTERNAL_TABLE", "CreatedBy": "arn:aws:iam::1:user/a",
  "IsRegisteredWithLakeFormation": false, "CatalogId": "111111111111", "VersionId": "3",
  "IsMultiDialectView": false, "FederatedTable": {"Identifier": "x"},
  "Parameters": {"classification": "parquet", "foo": "bar"},
  "PartitionKeys": [{"Name": "day", "Type": "date", "Comment": "of the order"}],
  "ViewOriginalText": null, "FutureMember": {"a": [1, 2.5, "x"]},
  "StorageDescriptor": {
    "Columns": [{"Name": "id", "Type": "bigint", "Parameters": {"iceberg.field.id": "1"}}],
    "Location": "s3://bucket/orders", "InputFormat": "in", "OutputFormat": "out",
    "Compressed": true, "NumberOfBuckets": -1,
    "SerdeInfo": {"SerializationLibrary": "lib", "Parameters": {"path": "p"}, "Name": "s"},
    "BucketColumns": [], "SortColumns": [{"Column": "id", "SortOrder": 0}], "Parameters": {},
    "SkewedInfo": {"SkewedColumnNames": ["id"]}, "StoredAsSubDirectories": false,
    "AdditionalLocations": ["s3://bucket/more"]}
})";

Result<Table> Decode(std::string_view json) {
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(json));
  return DecodeTable(document.root());
}

std::string Encode(const Table& table) {
  JsonWriter writer;
  EncodeTableInput(table, writer);
  return writer.Take();
}

TEST(TableCodec, ReadModifyWriteKeepsWhatItDoesNotKnow) {
  const auto table = Decode(kTable);
  ASSERT_TRUE(table) << table.error().message;
  const auto input = JsonDocument::Parse(Encode(*table));
  ASSERT_TRUE(input);
  const JsonView root = input->root();
  EXPECT_EQ(root["FutureMember"].Dump(), R"({"a":[1,2.5,"x"]})");
  EXPECT_EQ(root["StorageDescriptor"]["SkewedInfo"].Dump(), R"({"SkewedColumnNames":["id"]})");
  EXPECT_EQ(root["StorageDescriptor"]["AdditionalLocations"].Dump(), R"(["s3://bucket/more"])");
  EXPECT_EQ(root["StorageDescriptor"]["Columns"].Elements()[0]["Parameters"].Dump(),
            R"({"iceberg.field.id":"1"})");
  EXPECT_EQ(root["Retention"].AsInt(), 7);
  EXPECT_EQ(root["Owner"].AsString(), "etl");
  EXPECT_EQ(root["LastAccessTime"].AsDouble(), 1699999999.0);
}

TEST(TableCodec, LeavesResponseOnlyMembersOut) {
  const auto table = Decode(kTable);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->version_id, "3");
  EXPECT_EQ(table->create_time, 1700000000.5);
  const auto input = JsonDocument::Parse(Encode(*table));
  ASSERT_TRUE(input);
  for (const char* member : {"DatabaseName", "CreateTime", "UpdateTime", "CreatedBy", "CatalogId",
                             "VersionId", "IsRegisteredWithLakeFormation", "IsMultiDialectView",
                             "FederatedTable", "ViewOriginalText"}) {
    EXPECT_TRUE(input->root()[member].IsMissing()) << member;
  }
}

TEST(TableCodec, DecodingAnInputGivesTheSameTableAgain) {
  auto table = Decode(kTable);
  ASSERT_TRUE(table);
  const auto again = Decode(Encode(*table));
  ASSERT_TRUE(again);
  EXPECT_EQ(Encode(*again), Encode(*table));
  EXPECT_EQ(again->storage_descriptor, table->storage_descriptor);
  EXPECT_EQ(again->parameters, table->parameters);
}

TEST(TableCodec, AbsentStaysAbsent) {
  const auto table = Decode(R"({"Name": "minimal"})");
  ASSERT_TRUE(table);
  EXPECT_EQ(Encode(*table), R"({"Name":"minimal"})");
}

TEST(TableCodec, NamesTheMemberOfAWrongType) {
  const auto wrong = [](std::string_view json) { return Decode(json).error().message; };
  EXPECT_EQ(wrong(R"({"Name": 3})"), "Table.Name is not a string");
  EXPECT_EQ(wrong(R"({"Name": "t", "Parameters": {"a": 1}})"),
            "Table.Parameters is not a map of strings");
  EXPECT_EQ(wrong(R"({"Name": "t", "StorageDescriptor": {"Columns": {}}})"),
            "StorageDescriptor.Columns is not a list");
  EXPECT_EQ(wrong(R"({"Name": "t", "StorageDescriptor": {"Columns": [7]}})"),
            "Column is not a JSON object");
  EXPECT_EQ(wrong("[]"), "Table is not a JSON object");
}

TEST(PartitionCodec, RoundTrips) {
  const auto document = JsonDocument::Parse(
      R"({"Values": ["2026", "6"], "DatabaseName": "d", "TableName": "t", "CatalogId": "1",
          "CreationTime": 1.0, "Parameters": {"numRows": "5"}, "Extra": true,
          "StorageDescriptor": {"Location": "s3://b/p"}})");
  ASSERT_TRUE(document);
  const auto partition = DecodePartition(document->root());
  ASSERT_TRUE(partition);
  JsonWriter writer;
  EncodePartitionInput(*partition, writer);
  EXPECT_EQ(writer.text(), R"({"Values":["2026","6"],"StorageDescriptor":{"Location":"s3://b/p"},)"
                           R"("Parameters":{"numRows":"5"},"Extra":true})");
}

TEST(DatabaseCodec, RoundTrips) {
  const auto document = JsonDocument::Parse(
      R"({"Name": "d", "Description": "x", "CreateTime": 1.0, "CatalogId": "1",
          "TargetDatabase": {"CatalogId": "2", "DatabaseName": "e", "Region": "eu-west-1"},
          "CreateTableDefaultPermissions": [{"Permissions": ["ALL"]}]})");
  ASSERT_TRUE(document);
  const auto database = DecodeDatabase(document->root());
  ASSERT_TRUE(database);
  JsonWriter writer;
  EncodeDatabaseInput(*database, writer);
  EXPECT_EQ(writer.text(), R"({"Name":"d","Description":"x","TargetDatabase":{"CatalogId":"2",)"
                           R"("DatabaseName":"e","Region":"eu-west-1"},)"
                           R"("CreateTableDefaultPermissions":[{"Permissions":["ALL"]}]})");
}

TEST(FunctionCodec, RoundTrips) {
  const auto document = JsonDocument::Parse(
      R"({"FunctionName": "f", "ClassName": "a.B", "OwnerName": "o", "OwnerType": "USER",
          "ResourceUris": [{"ResourceType": "JAR", "Uri": "s3://b/j.jar"}], "CreateTime": 1.0,
          "FunctionType": "REGULAR_FUNCTION"})");
  ASSERT_TRUE(document);
  const auto function = DecodeFunction(document->root());
  ASSERT_TRUE(function);
  JsonWriter writer;
  EncodeFunctionInput(*function, writer);
  EXPECT_EQ(writer.text(),
            R"({"FunctionName":"f","ClassName":"a.B","OwnerName":"o","OwnerType":"USER",)"
            R"("ResourceUris":[{"ResourceType":"JAR","Uri":"s3://b/j.jar"}],)"
            R"("FunctionType":"REGULAR_FUNCTION"})");
}

}  // namespace
}  // namespace gluecat::glue
