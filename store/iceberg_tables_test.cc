#include <fstream>
#include <set>

#include "store/iceberg_testing.h"

namespace gluecat::store {
namespace {

namespace fs = std::filesystem;

TEST_F(IcebergTablesTest, CreatesTheMetadataAndTheEntry) {
  Ok("CreateTable", Create(Input(Location(), kSchema, R"(,"Properties":{"owner":"me"},
      "PartitionSpec":{"Fields":[{"SourceId":2,"Transform":"day","Name":"at_day"},
                                 {"SourceId":1,"Transform":"bucket[16]","Name":"id_bucket"}]},
      "WriteOrder":{"OrderId":1,"Fields":[{"SourceId":1,"Transform":"identity","Direction":"asc","NullOrder":"nulls-first"}]})")));
  const auto table = Table();
  const JsonView entry = table.root()["Table"];
  EXPECT_EQ(entry["TableType"].AsString(), "EXTERNAL_TABLE");
  EXPECT_EQ(entry["Parameters"]["table_type"].AsString(), "ICEBERG");
  EXPECT_TRUE(entry["Parameters"]["previous_metadata_location"].IsNull());
  EXPECT_EQ(entry["StorageDescriptor"]["Location"].AsString(), Location());
  std::vector<std::string> columns;
  for (const auto& column : entry["StorageDescriptor"]["Columns"].Elements()) {
    columns.push_back(column["Name"].StringOr("") + " " + column["Type"].StringOr("") + " " +
                      column["Parameters"]["iceberg.field.id"].StringOr("") + " " +
                      column["Parameters"]["iceberg.field.optional"].StringOr(""));
  }
  EXPECT_EQ(columns, (std::vector<std::string>{
                         "id bigint 1 false", "at timestamp 2 true", "tags array<string> 3 true",
                         "place struct<lat:double,price:decimal(10,2)> 5 true",
                         "counts map<string,int> 8 true"}));
  const std::string location = entry["Parameters"]["metadata_location"].StringOr("");
  EXPECT_TRUE(location.starts_with(Location() + "/metadata/00000-")) << location;
  EXPECT_TRUE(location.ends_with(".metadata.json")) << location;
  EXPECT_EQ(Files().size(), 1U);  // no temporary file is left

  // What the specification requires of version 2.
  const auto metadata = Read(location);
  const JsonView root = metadata.root();
  EXPECT_EQ(root["format-version"].AsInt(), 2);
  EXPECT_EQ(root["table-uuid"].StringOr("").size(), 36U);
  EXPECT_EQ(root["location"].AsString(), Location());
  EXPECT_EQ(root["last-sequence-number"].AsInt(), 0);
  EXPECT_EQ(root["last-updated-ms"].AsInt(), 1'700'000'000'250);
  EXPECT_EQ(root["last-column-id"].AsInt(), 10);
  EXPECT_EQ(root["current-schema-id"].AsInt(), 0);
  EXPECT_EQ(
      root["schemas"].Dump(),
      R"([{"type":"struct","schema-id":0,"identifier-field-ids":[1],"fields":[)"
      R"({"id":1,"name":"id","required":true,"type":"long","doc":"the key"},)"
      R"({"id":2,"name":"at","required":false,"type":"timestamptz"},)"
      R"({"id":3,"name":"tags","required":false,"type":{"type":"list","element-id":4,"element":"string","element-required":false}},)"
      R"({"id":5,"name":"place","required":false,"type":{"type":"struct","fields":[)"
      R"json({"id":6,"name":"lat","required":true,"type":"double"},{"id":7,"name":"price","required":false,"type":"decimal(10, 2)"}]}},)json"
      R"({"id":8,"name":"counts","required":false,"type":{"type":"map","key-id":9,"key":"string","value-id":10,"value":"int","value-required":true}}]}])");
  EXPECT_EQ(root["default-spec-id"].AsInt(), 0);
  EXPECT_EQ(
      root["partition-specs"].Dump(),
      R"([{"spec-id":0,"fields":[{"name":"at_day","transform":"day","source-id":2,"field-id":1000},)"
      R"({"name":"id_bucket","transform":"bucket[16]","source-id":1,"field-id":1001}]}])");
  EXPECT_EQ(root["last-partition-id"].AsInt(), 1001);
  EXPECT_EQ(root["default-sort-order-id"].AsInt(), 1);
  EXPECT_EQ(
      root["sort-orders"].Dump(),
      R"([{"order-id":1,"fields":[{"transform":"identity","source-id":1,"direction":"asc","null-order":"nulls-first"}]}])");
  EXPECT_EQ(root["properties"].Dump(), R"({"owner":"me"})");
  EXPECT_EQ(root["current-snapshot-id"].AsInt(), -1);
  for (const auto* list : {"snapshots", "snapshot-log", "metadata-log"}) {
    EXPECT_TRUE(root[list].IsArray()) << list;
  }
  EXPECT_TRUE(root["refs"].IsObject());
  EXPECT_EQ(Code("CreateTable", Create(Input(Location()))), "AlreadyExistsException");
  EXPECT_EQ(Files().size(), 1U);
}

// The older form, which has no CreateIcebergTableInput.
TEST_F(IcebergTablesTest, CreatesFromAStorageDescriptor) {
  Ok("CreateTable",
     R"({"DatabaseName":"d","OpenTableFormatInput":{"IcebergInput":{"MetadataOperation":"CREATE","Version":"1"}},
         "TableInput":{"Name":"T","Description":"kept","Parameters":{"mine":"x","table_type":"delta"},"PartitionKeys":[],
           "StorageDescriptor":{"Location":")" +
         Location() + R"json(/","Columns":[{"Name":"a","Type":"smallint","Comment":"c"},
           {"Name":"b","Type":"struct<x:array<decimal(5,1)>,y:map<string,date>>"},{"Name":"c","Type":"varchar(3)"}]}}})json");
  const auto table = Table();
  const JsonView entry = table.root()["Table"];
  EXPECT_EQ(entry["Description"].AsString(), "kept");
  EXPECT_EQ(entry["Parameters"]["mine"].AsString(), "x");
  EXPECT_EQ(entry["Parameters"]["table_type"].AsString(), "ICEBERG");
  EXPECT_EQ(entry["StorageDescriptor"]["Location"].AsString(), Location());
  const auto metadata = Metadata();
  const JsonView root = metadata.root();
  EXPECT_EQ(root["format-version"].AsInt(), 1);
  EXPECT_EQ(root["last-column-id"].AsInt(), 8);
  EXPECT_EQ(
      root["schema"].Dump(),
      R"({"type":"struct","schema-id":0,"fields":[{"id":1,"name":"a","required":false,"type":"int","doc":"c"},)"
      R"({"id":2,"name":"b","required":false,"type":{"type":"struct","fields":[)"
      R"json({"id":4,"name":"x","required":false,"type":{"type":"list","element-id":6,"element":"decimal(5,1)","element-required":false}},)json"
      R"({"id":5,"name":"y","required":false,"type":{"type":"map","key-id":7,"key":"string","value-id":8,"value":"date","value-required":false}}]}},)"
      R"({"id":3,"name":"c","required":false,"type":"string"}]})");
  EXPECT_EQ(root["schema"].Dump(), root["schemas"].Elements().at(0).Dump());
  EXPECT_EQ(root["partition-spec"].Dump(), "[]");
  EXPECT_EQ(root["sort-orders"].Dump(), R"([{"order-id":0,"fields":[]}])");
  EXPECT_TRUE(root["last-sequence-number"].IsMissing());
}

TEST_F(IcebergTablesTest, RefusesWhatIsNotValidAndWritesNothing) {
  const auto schema = [](std::string_view fields, std::string_view more = "") {
    return R"({"Fields":[)" + std::string(fields) + "]" + std::string(more) + "}";
  };
  const auto field = [](std::string_view id, std::string_view name, std::string_view type) {
    return R"({"Id":)" + std::string(id) + R"(,"Name":")" + std::string(name) +
           R"(","Required":false,"Type":)" + std::string(type) + "}";
  };
  const std::string one = field("1", "a", R"("int")");
  const auto spec = [](std::string_view fields) {
    return R"(,"PartitionSpec":{"Fields":[)" + std::string(fields) + "]}";
  };
  std::string deep = R"("int")";
  for (int i = 200; i > 1; --i) {
    deep = R"({"type":"list","element-id":)" + std::to_string(i) + R"(,"element":)" + deep +
           R"(,"element-required":false})";
  }
  std::vector<std::string> inputs;
  for (const auto& bad : std::vector<std::string>{
           schema(""), schema(one + "," + field("1", "b", R"("int")")),
           schema(one + "," + field("2", "a", R"("int")")), schema(field("0", "a", R"("int")")),
           schema(field("1", "a", R"("integer")")),
           schema(field("1", "a", R"json("decimal(39, 1)")json")),
           schema(field("1", "a", R"("timestamp_ns")")), schema(field("1", "a", "7")),
           schema(field("1", "a", R"({"type":"list","element":"int"})")),
           schema(field("1", "a", R"({"type":"set"})")), schema(field("1", "a", deep)),
           schema(one, R"(,"IdentifierFieldIds":[1])"), schema(one, R"(,"IdentifierFieldIds":[9])"),
           schema(R"({"Id":1,"Name":"a","Required":false,"Type":"int","WriteDefault":1})")}) {
    inputs.push_back(Input(Location(), bad));
  }
  for (
      const auto& bad : std::vector<std::string>{
          R"({"SourceId":99,"Transform":"identity","Name":"x"})",
          R"({"SourceId":3,"Transform":"identity","Name":"x"})",
          R"({"SourceId":1,"Transform":"day","Name":"x"})",
          R"({"SourceId":1,"Transform":"bucket[0]","Name":"x"})",
          R"({"SourceId":1,"Transform":"modulo","Name":"x"})",
          R"({"SourceId":1,"Transform":"bucket[4]","Name":"at"})",
          R"({"SourceId":1,"Transform":"identity","Name":"id","FieldId":7})",
          R"({"SourceId":1,"Transform":"identity","Name":"id"},{"SourceId":1,"Transform":"void","Name":"id"})"}) {
    inputs.push_back(Input(Location(), kSchema, spec(bad)));
  }
  inputs.push_back(Input(
      Location(), kSchema,
      R"(,"WriteOrder":{"OrderId":1,"Fields":[{"SourceId":3,"Transform":"identity","Direction":"asc","NullOrder":"nulls-last"}]})"));
  inputs.push_back(
      R"("OpenTableFormatInput":{"IcebergInput":{"MetadataOperation":"CREATE","Version":"3"}})");
  inputs.push_back(R"("OpenTableFormatInput":{})");
  inputs.push_back(Input(Location()) +
                   R"(,"TableInput":{"Name":"t","PartitionKeys":[{"Name":"k"}]})");
  inputs.push_back(Input(Location()) + R"(,"PartitionIndexes":[])");
  for (const auto& input : inputs) {
    EXPECT_EQ(Code("CreateTable", Create(input)), "InvalidInputException") << input;
  }
  EXPECT_EQ(Code("CreateTable", R"({"DatabaseName":"d",)" + Input(Location()) + "}"),
            "InvalidInputException");
  EXPECT_EQ(
      Code("CreateTable",
           Create(R"("OpenTableFormatInput":{"IcebergInput":{"MetadataOperation":"DELETE"}})")),
      "ValidationException");
  EXPECT_EQ(Code("GetTable", R"({"DatabaseName":"d","Name":"t"})"), "EntityNotFoundException");
  EXPECT_TRUE(fs::is_empty(warehouse_));
}

TEST_F(IcebergTablesTest, WritesBelowTheWarehouseOnly) {
  const std::string outside = directory_ + "/outside";
  fs::create_directory(outside);
  fs::create_directory_symlink(outside, warehouse_ + "/link");
  fs::create_directory(warehouse_ + "/d");
  fs::create_directory(warehouse_ + "/d/inner");
  fs::create_directory_symlink(outside, warehouse_ + "/d/inner/metadata");
  std::ofstream(warehouse_ + "/d/plain") << "x";
  for (const auto& location : std::vector<std::string>{"s3://bucket/t",
                                                       "hdfs:///t",
                                                       "/tmp/t",
                                                       warehouse_ + "/t",
                                                       "",
                                                       "file:",
                                                       "file:///",
                                                       "file://" + warehouse_,
                                                       "file://" + warehouse_ + "/",
                                                       "file://" + outside + "/t",
                                                       "file://" + warehouse_ + "2/t",
                                                       "file://" + warehouse_ + "/../outside/t",
                                                       "file://" + warehouse_ + "/a/../../outside",
                                                       "file://" + warehouse_ + "/./t",
                                                       "file://" + warehouse_ + "/link/t",
                                                       "file://" + warehouse_ + "/d/inner",
                                                       "file://" + warehouse_ + "/d/plain",
                                                       "file://host" + warehouse_ + "/t",
                                                       "file:////" + warehouse_ + "/t",
                                                       "file://" + warehouse_ + "/a\\nb"}) {
    EXPECT_EQ(Code("CreateTable", Create(Input(location))), "InvalidInputException") << location;
  }
  EXPECT_TRUE(fs::is_empty(outside));
  EXPECT_EQ(Files(), std::set<std::string>{"plain"});
  // The other spellings of a file: location, and a way to the warehouse that has a link in it.
  Ok("CreateTable", Create(Input("file:" + warehouse_ + "/d/t1"), "t1"));
  fs::create_directory_symlink(warehouse_, directory_ + "/way");
  auto store = Store::Open(directory_ + "/.", std::make_shared<StillClock>(),
                           {.warehouses = {directory_ + "/way/"}});
  ASSERT_TRUE(store) << store.error().message;
  store_ = *store;
  Ok("CreateTable", Create(Input("file://" + directory_ + "/way/d/t2"), "t2"));
  Ok("CreateTable", Create(Input("file://" + warehouse_ + "/d/t3"), "t3"));
  EXPECT_TRUE(fs::exists(warehouse_ + "/d/t2/metadata"));
}

TEST_F(IcebergTablesTest, WithoutAWarehouseNothingIsWritten) {
  store_ = *Store::Open(directory_, std::make_shared<StillClock>());
  EXPECT_EQ(Code("CreateTable", Create(Input(Location()))), "InvalidInputException");
  EXPECT_NE(message_.find("--warehouse"), std::string::npos) << message_;
  EXPECT_EQ(Store::Open(directory_, clock_, {.warehouses = {directory_ + "/nowhere"}}).error().kind,
            ErrorKind::kInvalidArgument);
}

}  // namespace
}  // namespace gluecat::store
