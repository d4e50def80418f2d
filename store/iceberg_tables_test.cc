#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "store/store_testing.h"

namespace gluecat::store {
namespace {

namespace fs = std::filesystem;

class IcebergTablesTest : public StoreTest {
 protected:
  IcebergTablesTest() {
    warehouse_ = directory_ + "/warehouse";
    fs::create_directory(warehouse_);
    auto store = Store::Open(directory_, clock_, {.warehouses = {warehouse_}});
    EXPECT_TRUE(store) << store.error().message;
    store_ = *store;
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  }

  static constexpr std::string_view kSchema =
      R"json({"Type":"struct","IdentifierFieldIds":[1],"Fields":[
          {"Id":1,"Name":"id","Type":"long","Required":true,"Doc":"the key"},
          {"Id":2,"Name":"at","Type":"timestamptz","Required":false},
          {"Id":3,"Name":"tags","Required":false,"Type":
            {"type":"list","element-id":4,"element":"string","element-required":false}},
          {"Id":5,"Name":"place","Required":false,"Type":{"type":"struct","fields":[
            {"id":6,"name":"lat","required":true,"type":"double"},
            {"id":7,"name":"price","required":false,"type":"decimal(10, 2)"}]}},
          {"Id":8,"Name":"counts","Required":false,"Type":
            {"type":"map","key-id":9,"key":"string","value-id":10,"value":"int","value-required":true}}]})json";

  std::string Location(std::string_view table = "t") const {
    return "file://" + warehouse_ + "/d/" + std::string(table);
  }
  std::string Input(std::string_view location, std::string_view schema = kSchema,
                    std::string_view more = "") const {
    return R"("OpenTableFormatInput":{"IcebergInput":{"MetadataOperation":"CREATE","Version":"2","CreateIcebergTableInput":{"Location":")" +
           std::string(location) + R"(","Schema":)" + std::string(schema) + std::string(more) +
           "}}}";
  }
  std::string Create(std::string_view input, std::string_view name = "t") const {
    return R"({"DatabaseName":"d","Name":")" + std::string(name) + R"(",)" + std::string(input) +
           "}";
  }
  // An update with what the model requires, and more.
  std::string Update(std::string_view updates, std::string_view more = "") const {
    return R"({"DatabaseName":"d","Name":"t","UpdateOpenTableFormatInput":{"UpdateIcebergInput":{"UpdateIcebergTableInput":{"Updates":[)" +
           std::string(updates) + "]}}}" + std::string(more) + "}";
  }
  std::string One(std::string_view more, std::string_view schema = kSchema,
                  std::string_view location = "") const {
    return R"({"Location":")" + (location.empty() ? Location() : std::string(location)) +
           R"(","Schema":)" + std::string(schema) + std::string(more) + "}";
  }

  JsonDocument Table() {
    return *JsonDocument::Parse(Ok("GetTable", R"({"DatabaseName":"d","Name":"t"})"));
  }
  std::string Parameter(std::string_view name) {
    return Table().root()["Table"]["Parameters"][name].StringOr("");
  }
  static std::string Path(const std::string& location) {
    return location.substr(std::string_view("file://").size());
  }
  static JsonDocument Read(const std::string& location) {
    std::stringstream text;
    text << std::ifstream(Path(location)).rdbuf();
    auto document = JsonDocument::Parse(text.str());
    EXPECT_TRUE(document) << location << ": " << text.str();
    return *std::move(document);
  }
  JsonDocument Metadata() { return Read(Parameter("metadata_location")); }

  // Everything below the warehouse that is no directory.
  std::set<std::string> Files() const {
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(warehouse_)) {
      if (!entry.is_directory()) files.insert(entry.path().filename());
    }
    return files;
  }

  std::string warehouse_;
};

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

TEST_F(IcebergTablesTest, UpdatesCommitTheNextFile) {
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

TEST_F(IcebergTablesTest, AnUpdateWithoutAnActionIsTheWholeState) {
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

TEST_F(IcebergTablesTest, UpdatesThatDoNotFit) {
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
TEST_F(IcebergTablesTest, KeepsWhatOthersWrote) {
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

TEST_F(IcebergTablesTest, ConcurrentCommitsAllCount) {
  Ok("CreateTable", Create(Input(Location())));
  constexpr int kThreads = 4;
  constexpr int kCommits = 10;
  std::vector<std::thread> threads;
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
