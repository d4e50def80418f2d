#include <fstream>
#include <thread>

#include "store/iceberg_testing.h"

namespace gluecat::store {
namespace {

namespace fs = std::filesystem;

using IcebergUpdatesTest = IcebergTablesTest;

TEST_F(IcebergUpdatesTest, UpdatesCommitTheNextFile) {
  Ok("CreateTable", Create(Input(Location(), kSchema, R"(,"Properties":{"a":"1","b":"2"})")));
  const std::string first = Parameter("metadata_location");
  const std::string uuid = Metadata().root()["table-uuid"].StringOr("");
  clock_->now += std::chrono::seconds(5);
  constexpr std::string_view kNarrow =
      R"({"Fields":[{"Id":1,"Name":"id","Type":"long","Required":true},{"Id":11,"Name":"new","Type":"string","Required":false}]})";
  Ok("UpdateTable",
     Update(One(R"(,"Action":"add-schema")", kNarrow) + "," +
                One(R"(,"Action":"set-current-schema")", R"({"SchemaId":-1,"Fields":[]})") + "," +
                One(R"(,"Action":"set-properties","Properties":{"b":"3","c":"4"})") + "," +
                One(R"(,"Action":"remove-properties","Properties":{"a":""})"),
            R"(,"VersionId":"0")"));
  EXPECT_EQ(Parameter("previous_metadata_location"), first);
  const std::string second = Parameter("metadata_location");
  EXPECT_TRUE(second.starts_with(Location() + "/metadata/00001-")) << second;
  {
    const auto metadata = Metadata();
    const JsonView root = metadata.root();
    EXPECT_EQ(root["table-uuid"].AsString(), uuid);
    EXPECT_EQ(root["schemas"].Elements().size(), 2U);
    EXPECT_EQ(root["current-schema-id"].AsInt(), 1);
    EXPECT_EQ(root["last-column-id"].AsInt(), 11);
    EXPECT_EQ(root["properties"].Dump(), R"({"b":"3","c":"4"})");
    EXPECT_EQ(root["last-updated-ms"].AsInt(), 1'700'000'005'250);
    EXPECT_EQ(root["metadata-log"].Dump(),
              R"([{"timestamp-ms":1700000000250,"metadata-file":")" + first + R"("}])");
  }
  EXPECT_EQ(Table().root()["Table"]["StorageDescriptor"]["Columns"].Elements().size(), 2U);
  EXPECT_EQ(Table().root()["Table"]["VersionId"].AsString(), "1");
  EXPECT_EQ(Texts(Ok("GetTableVersions", R"({"DatabaseName":"d","TableName":"t"})"),
                  "TableVersions", "VersionId"),
            (std::vector<std::string>{"1", "0"}));

  Ok("UpdateTable",
     Update(
         One(R"(,"Action":"add-spec","PartitionSpec":{"Fields":[{"SourceId":1,"Transform":"truncate[10]","Name":"id_trunc"}]})") +
         "," + One(R"(,"Action":"set-default-spec")") + "," +
         One(R"(,"Action":"add-sort-order","SortOrder":{"OrderId":5,"Fields":[{"SourceId":11,"Transform":"identity","Direction":"desc","NullOrder":"nulls-last"}]})") +
         "," + One(R"(,"Action":"set-default-sort-order","SortOrder":{"OrderId":5,"Fields":[]})") +
         "," + One(R"(,"Action":"set-location")", kNarrow, Location("moved"))));
  {
    const auto metadata = Metadata();
    const JsonView root = metadata.root();
    EXPECT_EQ(root["default-spec-id"].AsInt(), 1);
    EXPECT_EQ(root["partition-specs"].Elements().size(), 2U);
    EXPECT_EQ(root["last-partition-id"].AsInt(), 1000);
    EXPECT_EQ(root["default-sort-order-id"].AsInt(), 5);
    EXPECT_EQ(root["sort-orders"].Elements().size(), 2U);
    EXPECT_EQ(root["location"].AsString(), Location("moved"));
    EXPECT_EQ(root["metadata-log"].Elements().size(), 2U);
  }
  EXPECT_EQ(Table().root()["Table"]["StorageDescriptor"]["Location"].AsString(), Location("moved"));
  EXPECT_TRUE(Parameter("metadata_location").starts_with(Location("moved") + "/metadata/00002-"));
}

TEST_F(IcebergUpdatesTest, AnUpdateWithoutAnActionIsTheWholeState) {
  Ok("CreateTable", Create(Input(Location(), kSchema, R"(,"Properties":{"a":"1"})")));
  const std::string update = Update(One(
      R"(,"PartitionSpec":{"Fields":[{"SourceId":2,"Transform":"hour","Name":"hour"}]},"Properties":{"a":"2"})"));
  Ok("UpdateTable", update);
  const auto check = [&] {
    const auto metadata = Metadata();
    EXPECT_EQ(metadata.root()["schemas"].Elements().size(), 1U);  // the same as before
    EXPECT_EQ(metadata.root()["partition-specs"].Elements().size(), 2U);
    EXPECT_EQ(metadata.root()["default-spec-id"].AsInt(), 1);
    EXPECT_EQ(metadata.root()["properties"].Dump(), R"({"a":"2"})");
  };
  check();
}

TEST_F(IcebergUpdatesTest, PartitionFieldsKeepTheirIds) {
  const auto spec = [](std::string_view fields) {
    return R"(,"PartitionSpec":{"Fields":[)" + std::string(fields) + "]}";
  };
  const std::string day = R"({"SourceId":2,"Transform":"day","Name":"at_day"})";
  const std::string bucket = R"({"SourceId":1,"Transform":"bucket[4]","Name":"id_bucket"})";
  Ok("CreateTable", Create(Input(Location(), kSchema, spec(day))));
  Ok("UpdateTable", Update(One(spec(bucket))));
  Ok("UpdateTable", Update(One(spec(bucket + "," + day))));
  EXPECT_EQ(
      Metadata().root()["partition-specs"].Elements().at(2).Dump(),
      R"({"spec-id":2,"fields":[{"name":"id_bucket","transform":"bucket[4]","source-id":1,"field-id":1001},)"
      R"({"name":"at_day","transform":"day","source-id":2,"field-id":1000}]})");
  EXPECT_EQ(Metadata().root()["last-partition-id"].AsInt(), 1001);
}

// Its readers number the fields by themselves.
TEST_F(IcebergUpdatesTest, SpecsOfVersion1Follow) {
  const auto spec = [](std::string_view fields) {
    return R"(,"PartitionSpec":{"Fields":[)" + std::string(fields) + "]}";
  };
  const std::string day = R"({"SourceId":2,"Transform":"day","Name":"at_day"})";
  const std::string bucket = R"({"SourceId":1,"Transform":"bucket[4]","Name":"id_bucket"})";
  std::string input = Input(Location(), kSchema, spec(day));
  input.replace(input.find(R"("Version":"2")"), 13, R"("Version":"1")");
  Ok("CreateTable", Create(input));
  EXPECT_EQ(Code("UpdateTable", Update(One(spec(bucket)))), "InvalidInputException");
  EXPECT_NE(message_.find("at_day"), std::string::npos) << message_;
  Ok("UpdateTable",
     Update(One(spec(R"({"SourceId":2,"Transform":"void","Name":"at_day"},)" + bucket))));
  EXPECT_EQ(Metadata().root()["partition-spec"].Elements().size(), 2U);
}

TEST_F(IcebergUpdatesTest, UpdatesThatDoNotFit) {
  Ok("CreateTable",
     Create(
         Input(Location(), kSchema,
               R"(,"PartitionSpec":{"Fields":[{"SourceId":2,"Transform":"day","Name":"day"}]})")));
  const std::string before = Parameter("metadata_location");
  constexpr std::string_view kWithoutAt =
      R"({"Fields":[{"Id":1,"Name":"id","Type":"long","Required":true}]})";
  for (const auto& update : std::vector<std::string>{
           Update(""), Update(One("", kWithoutAt)),
           Update(One(R"(,"Action":"set-current-schema")", R"({"SchemaId":9,"Fields":[]})")),
           Update(One(R"(,"Action":"set-default-spec","PartitionSpec":{"SpecId":9,"Fields":[]})")),
           Update(
               One(R"(,"Action":"set-default-sort-order","SortOrder":{"OrderId":9,"Fields":[]})")),
           Update(One(R"(,"Action":"add-spec")")), Update(One(R"(,"Action":"set-properties")")),
           Update(One(R"(,"Action":"add-encryption-key","EncryptionKey":{})")),
           Update(One(R"(,"Action":"set-location")", kSchema, "s3://bucket/t")),
           Update(One(R"(,"Action":"set-location")", kSchema, "file:///etc/t")),
           Update(One(""), R"(,"TableInput":{"Name":"t"})"),
           R"({"DatabaseName":"d","Name":"t","UpdateOpenTableFormatInput":{}})"}) {
    EXPECT_EQ(Code("UpdateTable", update), "InvalidInputException") << update;
  }
  EXPECT_EQ(Code("UpdateTable", Update(One(""), R"(,"VersionId":"7")")),
            "ConcurrentModificationException");
  EXPECT_EQ(Code("UpdateTable", Update(One(R"(,"Action":"drop")"))), "ValidationException");
  EXPECT_EQ(Parameter("metadata_location"), before);
  EXPECT_EQ(Files().size(), 1U);

  // Tables that are no Iceberg tables, or whose metadata is elsewhere, missing or none.
  for (const auto& parameters : std::vector<std::string>{
           "{}", R"({"table_type":"ICEBERG"})",
           R"({"table_type":"ICEBERG","metadata_location":"s3://bucket/00000-a.metadata.json"})",
           R"({"table_type":"ICEBERG","metadata_location":"file:///etc/passwd"})",
           R"({"table_type":"ICEBERG","metadata_location":")" + Location() + R"(/metadata/none"})",
           R"({"table_type":"ICEBERG","metadata_location":")" + Location() + R"(/metadata"})"}) {
    Ok("UpdateTable",
       R"({"DatabaseName":"d","TableInput":{"Name":"t","Parameters":)" + parameters + "}}");
    EXPECT_EQ(Code("UpdateTable", Update(One(""))), "InvalidInputException") << parameters;
  }
  std::ofstream(warehouse_ + "/bad.json") << "{\"format-version\":3}";
  Ok("UpdateTable",
     R"({"DatabaseName":"d","TableInput":{"Name":"t","Parameters":{"table_type":"ICEBERG","metadata_location":"file://)" +
         warehouse_ + R"(/bad.json"}}})");
  EXPECT_EQ(Code("UpdateTable", Update(One(""))), "InvalidInputException");
  EXPECT_NE(message_.find("format version"), std::string::npos) << message_;
}

// A file of another writer: snapshots and what this store does not know stay.
TEST_F(IcebergUpdatesTest, KeepsWhatOthersWrote) {
  fs::create_directories(warehouse_ + "/d/t/metadata");
  const std::string file = Location() + "/metadata/00041-other.metadata.json";
  std::ofstream(Path(file))
      << R"({"format-version":2,"table-uuid":"9c12d441-03fe-4693-9a96-a0705ddf69c1","location":")"
      << Location()
      << R"(","last-sequence-number":34,"last-updated-ms":1602638573590,"last-column-id":3,
      "current-schema-id":1,"schemas":[{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"x","required":true,"type":"variant"}]},
        {"type":"struct","schema-id":1,"fields":[{"id":1,"name":"x","required":true,"type":"long"}]}],
      "default-spec-id":0,"partition-specs":[{"spec-id":0,"fields":[{"name":"x","transform":"identity","source-id":1,"field-id":1000}]}],
      "last-partition-id":1000,"default-sort-order-id":0,"sort-orders":[{"order-id":0,"fields":[]}],"properties":{"a":"b"},
      "current-snapshot-id":3055729675574597004,"snapshots":[{"snapshot-id":3055729675574597004,"sequence-number":1}],
      "refs":{"main":{"snapshot-id":3055729675574597004,"type":"branch"}},"snapshot-log":[],"metadata-log":[],
      "statistics":[{"x":1}],"something-new":{"y":[null]}})";
  Ok("CreateTable",
     R"({"DatabaseName":"d","TableInput":{"Name":"t","Owner":"o","Parameters":{"table_type":"iceberg","mine":"1","metadata_location":")" +
         file + R"("}}})");
  Ok("UpdateTable", Update(One(R"(,"Action":"set-properties","Properties":{"c":"d"})")));
  const auto metadata = Metadata();
  const JsonView root = metadata.root();
  EXPECT_EQ(root["current-snapshot-id"].AsInt(), 3055729675574597004);
  EXPECT_EQ(root["snapshots"].Dump(),
            R"([{"snapshot-id":3055729675574597004,"sequence-number":1}])");
  EXPECT_EQ(root["last-sequence-number"].AsInt(), 34);
  EXPECT_EQ(root["something-new"].Dump(), R"({"y":[null]})");
  EXPECT_EQ(root["statistics"].Dump(), R"([{"x":1}])");
  EXPECT_EQ(root["schemas"].Elements().size(), 2U);
  EXPECT_EQ(root["properties"].Dump(), R"({"a":"b","c":"d"})");
  EXPECT_EQ(Table().root()["Table"]["Owner"].AsString(), "o");
  EXPECT_EQ(Parameter("mine"), "1");
  EXPECT_TRUE(Parameter("metadata_location").starts_with(Location() + "/metadata/00042-"));
}

TEST_F(IcebergUpdatesTest, ConcurrentCommitsAllCount) {
  Ok("CreateTable", Create(Input(Location())));
  constexpr int kThreads = 4;
  constexpr int kCommits = 10;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kCommits; ++i) {
        Ok("UpdateTable",
           Update(One(R"(,"Action":"set-properties","Properties":{"p)" + std::to_string(thread) +
                      "_" + std::to_string(i) + R"(":"x"})")));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(Metadata().root()["properties"].Members().size(), kThreads * kCommits);
  EXPECT_EQ(Table().root()["Table"]["VersionId"].AsString(), std::to_string(kThreads * kCommits));
  EXPECT_TRUE(Parameter("metadata_location").starts_with(Location() + "/metadata/00040-"));
  EXPECT_EQ(Files().size(), 1U + kThreads * kCommits);
}

}  // namespace
}  // namespace gluecat::store
