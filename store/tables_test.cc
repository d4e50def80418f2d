#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class TablesTest : public StoreTest {
 protected:
  TablesTest() { Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})"); }

  std::string Version() {
    return JsonDocument::Parse(Ok("GetTable", R"({"DatabaseName":"d","Name":"t"})"))
        ->root()["Table"]["VersionId"]
        .StringOr("");
  }
  std::string Update(std::string_view more) {
    return R"({"DatabaseName":"d","TableInput":{"Name":"t","Description":"new"})" +
           std::string(more) + "}";
  }
  std::vector<std::string> Versions() {
    return Texts(Ok("GetTableVersions", R"({"DatabaseName":"d","TableName":"t"})"), "TableVersions",
                 "VersionId");
  }
};

TEST_F(TablesTest, KeepsEntriesVerbatim) {
  Ok("CreateTable", R"({"DatabaseName":"D","TableInput":{"Name":"Mixed","Owner":null,"Retention":0,
      "StorageDescriptor":{"Columns":[{"Name":"Id","Type":"struct<A:int>","Parameters":{"x":null}}],"NumberOfBuckets":-1,"NewThing":[1.5]},
      "PartitionKeys":[],"Parameters":{"EXTERNAL":"TRUE"},"SomethingNew":{"a":[null,true]}}})");
  EXPECT_EQ(
      Ok("GetTable", R"({"DatabaseName":"d","Name":"MIXED"})"),
      R"({"Table":{"Name":"mixed","DatabaseName":"d","CreateTime":1700000000.250,"UpdateTime":1700000000.250,)"
      R"("CreatedBy":"arn:aws:iam::111111111111:root","IsRegisteredWithLakeFormation":false,)"
      R"("CatalogId":"111111111111","VersionId":"0","Retention":0,)"
      R"("StorageDescriptor":{"Columns":[{"Name":"Id","Type":"struct<A:int>","Parameters":{}}],"NumberOfBuckets":-1,"NewThing":[1.5]},)"
      R"("PartitionKeys":[],"Parameters":{"EXTERNAL":"TRUE"},"SomethingNew":{"a":[null,true]}}})");
}

TEST_F(TablesTest, RefusesDuplicatesAndWhatIsMissing) {
  MakeTable();
  EXPECT_EQ(Code("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"T"}})"),
            "AlreadyExistsException");
  EXPECT_EQ(Code("CreateTable", R"({"DatabaseName":"e","TableInput":{"Name":"t"}})"),
            "EntityNotFoundException");
  EXPECT_EQ(message_, "Database e not found.");
  EXPECT_EQ(Code("GetTable", R"({"DatabaseName":"d","Name":"u"})"), "EntityNotFoundException");
  EXPECT_EQ(message_, "Table u not found.");
  EXPECT_EQ(Code("GetTable", R"({"DatabaseName":"e","Name":"t"})"), "EntityNotFoundException");
  EXPECT_EQ(message_, "Database e not found.");
  EXPECT_EQ(Code("GetTables", R"({"DatabaseName":"e"})"), "EntityNotFoundException");
  EXPECT_EQ(Code("DeleteTable", R"({"DatabaseName":"d","Name":"u"})"), "EntityNotFoundException");
  EXPECT_EQ(Code("UpdateTable", R"({"DatabaseName":"d","TableInput":{"Name":"u"}})"),
            "EntityNotFoundException");
  EXPECT_EQ(Code("CreateTable", R"({"DatabaseName":"d"})"), "InvalidInputException");
}

// What cannot be done yet is refused, never half done.
TEST_F(TablesTest, RefusesWhatItCannotDo) {
  EXPECT_EQ(
      Code(
          "CreateTable",
          R"({"DatabaseName":"d","TableInput":{"Name":"t"},"OpenTableFormatInput":{"IcebergInput":{"MetadataOperation":"CREATE"}}})"),
      "InvalidInputException");
  EXPECT_EQ(
      Code("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"t","ViewDefinition":{}}})"),
      "InvalidInputException");
  EXPECT_EQ(message_, "A ViewDefinition must have a representation.");
  EXPECT_EQ(Code("GetTable", R"({"DatabaseName":"d","Name":"t"})"), "EntityNotFoundException");
}

TEST_F(TablesTest, VersionIdGuardsUpdates) {
  MakeTable();
  EXPECT_EQ(Version(), "0");
  Ok("UpdateTable",
     R"({"DatabaseName":"d","TableInput":{"Name":"T","PartitionKeys":[{"Name":"k","Type":"int"}]},"VersionId":"0"})");
  EXPECT_EQ(Version(), "1");
  EXPECT_EQ(Code("UpdateTable", Update(R"(,"VersionId":"0")")), "ConcurrentModificationException");
  EXPECT_EQ(message_, "Update table failed due to concurrent modifications.");
  EXPECT_EQ(Version(), "1");
  EXPECT_EQ(Ok("GetTable", R"({"DatabaseName":"d","Name":"t"})").find("new"), std::string::npos);
  Ok("UpdateTable", Update(""));
  EXPECT_EQ(Version(), "2");
}

TEST_F(TablesTest, UpdateKeepsCreationAndMovesUpdateTime) {
  MakeTable();
  clock_->now += std::chrono::seconds(60);
  Ok("UpdateTable", Update(""));
  const auto answer = Ok("GetTable", R"({"DatabaseName":"d","Name":"t"})");
  EXPECT_NE(answer.find(R"("CreateTime":1700000000.250,"UpdateTime":1700000060.250)"),
            std::string::npos)
      << answer;
}

TEST_F(TablesTest, ArchivesUnlessTold) {
  MakeTable();
  Ok("UpdateTable", Update(R"(,"SkipArchive":false)"));
  EXPECT_EQ(Versions(), (std::vector<std::string>{"1", "0"}));
  Ok("UpdateTable", Update(R"(,"SkipArchive":true)"));
  EXPECT_EQ(Versions(), (std::vector<std::string>{"2", "0"}));
  Ok("UpdateTable", Update(""));
  EXPECT_EQ(Versions(), (std::vector<std::string>{"3", "2", "0"}));

  const auto first = JsonDocument::Parse(
      Ok("GetTableVersion", R"({"DatabaseName":"d","TableName":"t","VersionId":"0"})"));
  EXPECT_EQ(first->root()["TableVersion"]["VersionId"].AsString(), "0");
  EXPECT_EQ(first->root()["TableVersion"]["Table"]["VersionId"].AsString(), "0");
  EXPECT_TRUE(first->root()["TableVersion"]["Table"]["Description"].IsMissing());
  EXPECT_NE(
      Ok("GetTableVersion", R"({"DatabaseName":"d","TableName":"t"})").find(R"("VersionId":"3"}})"),
      std::string::npos);
  EXPECT_EQ(Code("GetTableVersion", R"({"DatabaseName":"d","TableName":"t","VersionId":"1"})"),
            "EntityNotFoundException");
  EXPECT_EQ(Code("GetTableVersion", R"({"DatabaseName":"d","TableName":"t","VersionId":"x"})"),
            "InvalidInputException");

  Ok("DeleteTableVersion", R"({"DatabaseName":"d","TableName":"t","VersionId":"0"})");
  EXPECT_EQ(Code("DeleteTableVersion", R"({"DatabaseName":"d","TableName":"t","VersionId":"0"})"),
            "EntityNotFoundException");
  EXPECT_EQ(Code("DeleteTableVersion", R"({"DatabaseName":"d","TableName":"t","VersionId":"3"})"),
            "InvalidInputException");
  const auto batch = Ok("BatchDeleteTableVersion",
                        R"({"DatabaseName":"d","TableName":"t","VersionIds":["2","9"]})");
  EXPECT_EQ(Texts(batch, "Errors", "VersionId"), std::vector<std::string>{"9"});
  EXPECT_EQ(Versions(), std::vector<std::string>{"3"});
}

TEST_F(TablesTest, VersionsComeInPages) {
  MakeTable();
  for (int i = 0; i < 5; ++i) Ok("UpdateTable", Update(""));
  const auto first =
      Ok("GetTableVersions", R"({"DatabaseName":"d","TableName":"t","MaxResults":4})");
  EXPECT_EQ(Texts(first, "TableVersions", "VersionId"),
            (std::vector<std::string>{"5", "4", "3", "2"}));
  const auto second =
      Ok("GetTableVersions", R"({"DatabaseName":"d","TableName":"t","MaxResults":4,"NextToken":")" +
                                 Token(first) + R"("})");
  EXPECT_EQ(Texts(second, "TableVersions", "VersionId"), (std::vector<std::string>{"1", "0"}));
  EXPECT_EQ(Token(second), "");
}

TEST_F(TablesTest, CannotBeRenamed) {
  MakeTable();
  EXPECT_EQ(Code("UpdateTable", R"({"DatabaseName":"d","Name":"t","TableInput":{"Name":"u"}})"),
            "InvalidInputException");
  EXPECT_EQ(message_, "Table cannot be renamed.");
}

TEST_F(TablesTest, PartitionKeysAreFixedWhileThereArePartitions) {
  MakeTable();
  Ok("CreatePartition",
     R"({"DatabaseName":"d","TableName":"t","PartitionInput":{"Values":["1"]}})");
  EXPECT_EQ(Code("UpdateTable", Update("")), "InvalidInputException");
  EXPECT_EQ(Version(), "0");
  Ok("DeletePartition", R"({"DatabaseName":"d","TableName":"t","PartitionValues":["1"]})");
  Ok("UpdateTable", Update(""));
}

TEST_F(TablesTest, ListsInPagesByNameAndPattern) {
  for (int i = 0; i < 205; ++i) MakeTable("t" + std::to_string(1000 + i));
  MakeTable("other_1");
  std::vector<std::string> names;
  std::string token;
  do {
    const auto answer = Ok("GetTables", R"({"DatabaseName":"d","NextToken":")" + token + R"("})");
    for (auto& name : Texts(answer, "TableList", "Name")) names.push_back(std::move(name));
    token = Token(answer);
  } while (!token.empty());
  EXPECT_EQ(names.size(), 206U);
  EXPECT_EQ(Texts(Ok("GetTables", R"({"DatabaseName":"d","Expression":"O.*|t110[0-2]"})"),
                  "TableList", "Name"),
            (std::vector<std::string>{"other_1", "t1100", "t1101", "t1102"}));
  EXPECT_EQ(Code("GetTables", R"({"DatabaseName":"d","Expression":"["})"), "InvalidInputException");

  // A pattern is part of what a token belongs to.
  token = Token(Ok("GetTables", R"({"DatabaseName":"d","Expression":"t.*"})"));
  EXPECT_EQ(Code("GetTables", R"({"DatabaseName":"d","NextToken":")" + token + R"("})"),
            "InvalidInputException");
}

TEST_F(TablesTest, TokenOfADatabaseThatWasMadeAnewIsStale) {
  for (int i = 0; i < 3; ++i) MakeTable("t" + std::to_string(i));
  const auto token = Token(Ok("GetTables", R"({"DatabaseName":"d","MaxResults":1})"));
  Ok("DeleteDatabase", R"({"Name":"d"})");
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  EXPECT_EQ(Code("GetTables", R"({"DatabaseName":"d","NextToken":")" + token + R"("})"),
            "InvalidInputException");
}

TEST_F(TablesTest, AttributesToGet) {
  Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"v","TableType":"VIRTUAL_VIEW"}})");
  EXPECT_EQ(Ok("GetTables", R"({"DatabaseName":"d","AttributesToGet":["NAME","TABLE_TYPE"]})"),
            R"({"TableList":[{"Name":"v","DatabaseName":"d","TableType":"VIRTUAL_VIEW"}]})");
  EXPECT_EQ(Ok("GetTables", R"({"DatabaseName":"d","AttributesToGet":["NAME"]})"),
            R"({"TableList":[{"Name":"v","DatabaseName":"d"}]})");
  EXPECT_EQ(Code("GetTables", R"({"DatabaseName":"d","AttributesToGet":["TABLE_TYPE"]})"),
            "InvalidInputException");
}

TEST_F(TablesTest, BatchDeleteReportsPerTable) {
  MakeTable("a");
  MakeTable("b");
  const auto answer =
      Ok("BatchDeleteTable", R"({"DatabaseName":"d","TablesToDelete":["A","nope","b"]})");
  EXPECT_EQ(
      answer,
      R"({"Errors":[{"TableName":"nope","ErrorDetail":{"ErrorCode":"EntityNotFoundException","ErrorMessage":"Table nope not found."}}]})");
  EXPECT_EQ(Ok("GetTables", R"({"DatabaseName":"d"})"), R"({"TableList":[]})");
  EXPECT_EQ(Code("BatchDeleteTable", R"({"DatabaseName":"e","TablesToDelete":["a"]})"),
            "EntityNotFoundException");
}

TEST_F(TablesTest, PartitionIndexesOfCreation) {
  Ok("CreateTable",
     R"({"DatabaseName":"d","TableInput":{"Name":"t","PartitionKeys":[{"Name":"k","Type":"int"}]},
      "PartitionIndexes":[{"IndexName":"i","Keys":["K"]}]})");
  EXPECT_EQ(
      Ok("GetPartitionIndexes", R"({"DatabaseName":"d","TableName":"t"})"),
      R"({"PartitionIndexDescriptorList":[{"IndexName":"i","Keys":[{"Name":"K","Type":"int"}],"IndexStatus":"ACTIVE"}]})");
}

}  // namespace
}  // namespace gluecat::store
