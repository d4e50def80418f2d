// Resource links, operation by operation, as AWS Lake Formation documents them in "Resource link
// handling in AWS Glue APIs".
#include <algorithm>

#include "store/store_testing.h"

namespace gluecat::store {
namespace {

// Account 111111111111 has links to database "sales" of account 222222222222 in another region.
class ResourceLinksTest : public StoreTest {
 protected:
  ResourceLinksTest() {
    Ok("CreateDatabase",
       R"({"DatabaseInput":{"Name":"sales","Description":"theirs","LocationUri":"s3://theirs/"}})",
       Theirs());
    Ok("CreateTable",
       R"({"DatabaseName":"sales","TableInput":{"Name":"orders","Description":"all of them",
          "TableType":"EXTERNAL_TABLE","PartitionKeys":[{"Name":"k","Type":"int"}],
          "StorageDescriptor":{"Location":"s3://theirs/orders"}}})",
       Theirs());
    Ok("CreatePartition", Request(R"("DatabaseName":"sales","TableName":"orders")", Partition(1)),
       Theirs());
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"linked","TargetDatabase":)" +
                             Target(R"("DatabaseName":"Sales")") + "}}");
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"mine"}})");
    Ok("CreateTable",
       R"({"DatabaseName":"mine","TableInput":{"Name":"orders_link","TargetTable":)" +
           Target(R"("DatabaseName":"sales","Name":"Orders")") + "}}");
  }

  static Principal Theirs() { return Account("222222222222", "us-east-1"); }
  static std::string Target(std::string_view members) {
    return R"({"CatalogId":"222222222222","Region":"us-east-1",)" + std::string(members) + "}";
  }
  static std::string Request(std::string_view members, std::string_view more = "") {
    return "{" + std::string(members) + std::string(more) + "}";
  }
  static std::string Partition(int value) {
    return R"(,"PartitionInput":{"Values":[")" + std::to_string(value) + R"("]})";
  }
  // At `path` of an answer, as JSON.
  std::string At(std::string_view answer, std::initializer_list<std::string_view> path) {
    const auto document = JsonDocument::Parse(answer);
    JsonView view = document->root();
    for (const auto member : path) view = view[member];
    return view.Dump();
  }
  std::vector<std::string> TheirPartitions() {
    return Texts(Ok("GetPartitions", R"({"DatabaseName":"sales","TableName":"orders"})", Theirs()),
                 "Partitions", "CreationTime");
  }

  static constexpr std::string_view kThroughDatabase =
      R"("DatabaseName":"linked","TableName":"orders")";
  static constexpr std::string_view kThroughTable =
      R"("DatabaseName":"mine","TableName":"orders_link")";
};

TEST_F(ResourceLinksTest, ADatabaseIsShownWithThePropertiesOfItsTarget) {
  const auto answer = Ok("GetDatabase", R"({"Name":"linked"})");
  EXPECT_EQ(At(answer, {"Database", "Name"}), R"("linked")");
  EXPECT_EQ(At(answer, {"Database", "CatalogId"}), R"("111111111111")");
  EXPECT_EQ(At(answer, {"Database", "Description"}), R"("theirs")");
  EXPECT_EQ(At(answer, {"Database", "LocationUri"}), R"("s3://theirs/")");
  EXPECT_EQ(At(answer, {"Database", "TargetDatabase", "CatalogId"}), R"("222222222222")");
  const auto list = Ok("GetDatabases", "{}");
  EXPECT_EQ(Texts(list, "DatabaseList", "Name"), (std::vector<std::string>{"linked", "mine"}));
  EXPECT_EQ(Texts(list, "DatabaseList", "Description"),
            (std::vector<std::string>{"theirs", "(none)"}));
}

TEST_F(ResourceLinksTest, UpdatesOfADatabaseReachTheTarget) {
  Ok("UpdateDatabase",
     R"({"Name":"linked","DatabaseInput":{"Name":"linked","Description":"ours now","TargetDatabase":)" +
         Target(R"("DatabaseName":"sales")") + "}}");
  const auto theirs = Ok("GetDatabase", R"({"Name":"sales"})", Theirs());
  EXPECT_EQ(At(theirs, {"Database", "Description"}), R"("ours now")");
  EXPECT_EQ(At(theirs, {"Database", "CatalogId"}), R"("222222222222")");
  EXPECT_EQ(At(theirs, {"Database", "TargetDatabase"}), "null");
  EXPECT_EQ(
      Code(
          "UpdateDatabase",
          R"({"Name":"linked","DatabaseInput":{"Name":"linked","TargetDatabase":{"DatabaseName":"other"}}})"),
      "InvalidInputException");
  EXPECT_NE(message_.find("delete it and create a new"), std::string::npos) << message_;
  EXPECT_EQ(
      Code(
          "UpdateDatabase",
          R"({"Name":"mine","DatabaseInput":{"Name":"mine","TargetDatabase":{"DatabaseName":"other"}}})"),
      "InvalidInputException");
  Ok("GetTable", R"({"DatabaseName":"linked","Name":"orders"})");
}

TEST_F(ResourceLinksTest, DeletingALinkLeavesTheTarget) {
  Ok("DeleteTable", R"({"DatabaseName":"mine","Name":"orders_link"})");
  Ok("DeleteDatabase", R"({"Name":"linked"})");
  Ok("GetTable", R"({"DatabaseName":"sales","Name":"orders"})", Theirs());
  EXPECT_EQ(Code("GetDatabase", R"({"Name":"linked"})"), "EntityNotFoundException");
}

TEST_F(ResourceLinksTest, ATableIsShownWithThePropertiesOfItsTarget) {
  for (
      const auto& entry :
      {At(Ok("GetTable", R"({"DatabaseName":"mine","Name":"orders_link"})"), {"Table"}),
       At(Ok("GetTableVersion", Request(kThroughTable)), {"TableVersion", "Table"}),
       At(Ok("GetUnfilteredTableMetadata",
             R"({"CatalogId":"111111111111","DatabaseName":"mine","Name":"orders_link","SupportedPermissionTypes":["COLUMN_PERMISSION"]})"),
          {"Table"})}) {
    EXPECT_EQ(At(entry, {"Name"}), R"("orders_link")");
    EXPECT_EQ(At(entry, {"DatabaseName"}), R"("mine")");
    EXPECT_EQ(At(entry, {"CatalogId"}), R"("111111111111")");
    EXPECT_EQ(At(entry, {"Description"}), R"("all of them")");
    EXPECT_EQ(At(entry, {"StorageDescriptor", "Location"}), R"("s3://theirs/orders")");
    EXPECT_EQ(At(entry, {"TargetTable", "DatabaseName"}), R"("sales")");
  }
  const auto list = Ok("GetTables", R"({"DatabaseName":"mine"})");
  EXPECT_EQ(Texts(list, "TableList", "Description"), std::vector<std::string>{"all of them"});
  EXPECT_EQ(Texts(list, "TableList", "Name"), std::vector<std::string>{"orders_link"});
  EXPECT_EQ(
      Ok("GetTables", R"({"DatabaseName":"mine","AttributesToGet":["NAME","TABLE_TYPE"]})"),
      R"({"TableList":[{"Name":"orders_link","DatabaseName":"mine","TableType":"EXTERNAL_TABLE"}]})");
  // SearchTables follows no link.
  EXPECT_EQ(
      Texts(Ok("SearchTables", R"({"SearchText":"orders_link"})"), "TableList", "Description"),
      std::vector<std::string>{"(none)"});
}

TEST_F(ResourceLinksTest, TablesThroughADatabaseAreTheTargets) {
  const auto table = Ok("GetTable", R"({"DatabaseName":"linked","Name":"orders"})");
  EXPECT_EQ(At(table, {"Table", "DatabaseName"}), R"("sales")");
  EXPECT_EQ(At(table, {"Table", "CatalogId"}), R"("222222222222")");
  EXPECT_EQ(Texts(Ok("GetTables", R"({"DatabaseName":"linked"})"), "TableList", "CatalogId"),
            std::vector<std::string>{"222222222222"});
  Ok("CreateTable", R"({"DatabaseName":"linked","TableInput":{"Name":"new"}})");
  const auto created = Ok("GetTable", R"({"DatabaseName":"sales","Name":"new"})", Theirs());
  EXPECT_EQ(At(created, {"Table", "CatalogId"}), R"("222222222222")");
  EXPECT_EQ(At(created, {"Table", "DatabaseName"}), R"("sales")");
  Ok("BatchDeleteTable", R"({"DatabaseName":"linked","TablesToDelete":["new"]})");
  EXPECT_EQ(Code("GetTable", R"({"DatabaseName":"sales","Name":"new"})", Theirs()),
            "EntityNotFoundException");
  EXPECT_EQ(
      Code(
          "CreateTable",
          R"({"DatabaseName":"linked","TableInput":{"Name":"l","TargetTable":{"DatabaseName":"mine","Name":"x"}}})"),
      "InvalidInputException");
}

TEST_F(ResourceLinksTest, UpdatesOfATableReachTheTarget) {
  const auto update = [](std::string_view database, std::string_view name, std::string_view more) {
    return R"({"DatabaseName":")" + std::string(database) + R"(","VersionId":")" +
           std::string(more.substr(0, 1)) + R"(","TableInput":{"Name":")" + std::string(name) +
           R"(","Description":"v","PartitionKeys":[{"Name":"k","Type":"int"}])" +
           std::string(more.substr(1)) + "}}";
  };
  Ok("UpdateTable", update("linked", "orders", "0"));
  Ok("UpdateTable",
     update("mine", "orders_link",
            R"(1,"TargetTable":)" + Target(R"("DatabaseName":"sales","Name":"orders")")));
  const auto theirs = Ok("GetTable", R"({"DatabaseName":"sales","Name":"orders"})", Theirs());
  EXPECT_EQ(At(theirs, {"Table", "VersionId"}), R"("2")");
  EXPECT_EQ(At(theirs, {"Table", "Name"}), R"("orders")");
  EXPECT_EQ(At(theirs, {"Table", "TargetTable"}), "null");
  EXPECT_EQ(Texts(Ok("GetTableVersions", Request(kThroughTable)), "TableVersions", "VersionId"),
            (std::vector<std::string>{"2", "1", "0"}));
  EXPECT_EQ(Code("UpdateTable", update("mine", "orders_link", "0")),
            "ConcurrentModificationException");
  EXPECT_EQ(Code("UpdateTable", update("mine", "orders_link",
                                       R"(2,"TargetTable":{"DatabaseName":"mine","Name":"x"})")),
            "InvalidInputException");
}

TEST_F(ResourceLinksTest, PartitionsAreTheTargets) {
  int value = 2;
  for (const auto table : {kThroughDatabase, kThroughTable}) {
    Ok("CreatePartition", Request(table, Partition(value)));
    Ok("UpdatePartition",
       Request(table, R"(,"PartitionValueList":[")" + std::to_string(value) +
                          R"("],"PartitionInput":{"Parameters":{"through":"link"}})"));
    const auto one = Ok("GetPartition", Request(table, R"(,"PartitionValues":[")" +
                                                           std::to_string(value) + R"("])"));
    EXPECT_EQ(At(one, {"Partition", "Parameters", "through"}), R"("link")");
    EXPECT_EQ(At(one, {"Partition", "CatalogId"}), R"("222222222222")");
    EXPECT_EQ(At(one, {"Partition", "DatabaseName"}), R"("sales")");
    EXPECT_EQ(At(one, {"Partition", "TableName"}), R"("orders")");
    EXPECT_EQ(Texts(Ok("GetPartitions", Request(table)), "Partitions", "TableName").size(), 2U);
    EXPECT_EQ(
        Texts(Ok("BatchGetPartition", Request(table, R"(,"PartitionsToGet":[{"Values":["1"]}])")),
              "Partitions", "TableName")
            .size(),
        1U);
    EXPECT_EQ(TheirPartitions().size(), 2U);
    Ok("DeletePartition",
       Request(table, R"(,"PartitionValues":[")" + std::to_string(value) + R"("])"));
    EXPECT_EQ(TheirPartitions().size(), 1U);
    ++value;
    Ok("CreatePartitionIndex", Request(table, R"(,"PartitionIndex":{"Keys":["k"],"IndexName":"i)" +
                                                  std::to_string(value) + R"("})"));
  }
  EXPECT_EQ(
      Texts(Ok("GetPartitionIndexes", R"({"DatabaseName":"sales","TableName":"orders"})", Theirs()),
            "PartitionIndexDescriptorList", "IndexName"),
      (std::vector<std::string>{"i3", "i4"}));
}

TEST_F(ResourceLinksTest, FunctionsAreTheTargets) {
  Ok("CreateUserDefinedFunction",
     R"({"DatabaseName":"linked","FunctionInput":{"FunctionName":"f"}})");
  const auto theirs =
      Ok("GetUserDefinedFunction", R"({"DatabaseName":"sales","FunctionName":"f"})", Theirs());
  EXPECT_EQ(At(theirs, {"UserDefinedFunction", "DatabaseName"}), R"("sales")");
  EXPECT_EQ(At(theirs, {"UserDefinedFunction", "CatalogId"}), R"("222222222222")");
  EXPECT_EQ(Texts(Ok("GetUserDefinedFunctions", R"({"DatabaseName":"linked","Pattern":"*"})"),
                  "UserDefinedFunctions", "FunctionName"),
            std::vector<std::string>{"f"});
}

// A table link in a database that is reached through a link.
TEST_F(ResourceLinksTest, TwoLinksAtOnce) {
  Ok("CreateTable",
     R"({"DatabaseName":"sales","TableInput":{"Name":"inner","TargetTable":{"DatabaseName":"sales","Name":"orders"}}})",
     Theirs());
  const std::string_view table = R"("DatabaseName":"linked","TableName":"inner")";
  // Reads: the link as it is, and no partitions.
  const auto shown = Ok("GetTable", R"({"DatabaseName":"linked","Name":"inner"})");
  EXPECT_EQ(At(shown, {"Table", "TargetTable", "Name"}), R"("orders")");
  EXPECT_EQ(At(shown, {"Table", "Description"}), "null");
  EXPECT_EQ(Texts(Ok("GetTables", R"({"DatabaseName":"linked"})"), "TableList", "Description"),
            (std::vector<std::string>{"(none)", "all of them"}));
  EXPECT_EQ(Ok("GetPartitions", Request(table)), R"({"Partitions":[]})");
  EXPECT_EQ(Ok("BatchGetPartition", Request(table, R"(,"PartitionsToGet":[{"Values":["1"]}])")),
            R"({"Partitions":[],"UnprocessedKeys":[]})");
  EXPECT_EQ(Code("GetPartition", Request(table, R"(,"PartitionValues":["1"])")),
            "EntityNotFoundException");
  // Writes fail.
  EXPECT_EQ(Code("CreatePartition", Request(table, Partition(7))), "InvalidInputException");
  EXPECT_NE(message_.find("Both database linked and table inner"), std::string::npos) << message_;
  EXPECT_EQ(Code("DeletePartition", Request(table, R"(,"PartitionValues":["1"])")),
            "InvalidInputException");
  EXPECT_EQ(Code("UpdateTable", R"({"DatabaseName":"linked","TableInput":{"Name":"inner"}})"),
            "InvalidInputException");
  // But the link itself can be deleted.
  Ok("DeleteTable", R"({"DatabaseName":"linked","Name":"inner"})");
  EXPECT_EQ(Code("GetTable", R"({"DatabaseName":"sales","Name":"inner"})", Theirs()),
            "EntityNotFoundException");
}

TEST_F(ResourceLinksTest, LinksThatLeadNowhere) {
  Ok("DeleteDatabase", R"({"Name":"sales"})", Theirs());
  // They are shown as they are.
  EXPECT_EQ(At(Ok("GetDatabase", R"({"Name":"linked"})"), {"Database", "LocationUri"}), "null");
  EXPECT_EQ(Texts(Ok("GetDatabases", "{}"), "DatabaseList", "Name").size(), 2U);
  const auto table = Ok("GetTable", R"({"DatabaseName":"mine","Name":"orders_link"})");
  EXPECT_EQ(At(table, {"Table", "TargetTable", "DatabaseName"}), R"("sales")");
  EXPECT_EQ(At(table, {"Table", "StorageDescriptor"}), "null");
  EXPECT_EQ(Texts(Ok("GetTables", R"({"DatabaseName":"mine"})"), "TableList", "Name").size(), 1U);
  // What lies behind them is not found.
  for (const auto& [operation, request] : std::vector<std::pair<std::string, std::string>>{
           {"GetTables", R"({"DatabaseName":"linked"})"},
           {"GetTable", R"({"DatabaseName":"linked","Name":"orders"})"},
           {"CreateTable", R"({"DatabaseName":"linked","TableInput":{"Name":"x"}})"},
           {"UpdateDatabase", R"({"Name":"linked","DatabaseInput":{"Name":"linked"}})"},
           {"UpdateTable", R"({"DatabaseName":"mine","TableInput":{"Name":"orders_link"}})"},
           {"GetPartitions", Request(kThroughTable)},
           {"CreatePartition", Request(kThroughTable, Partition(1))},
           {"GetUserDefinedFunctions", R"({"DatabaseName":"linked","Pattern":"*"})"}}) {
    EXPECT_EQ(Code(operation, request), "EntityNotFoundException") << operation;
    EXPECT_NE(message_.find("catalog 222222222222 in us-east-1"), std::string::npos) << message_;
  }
  Ok("DeleteTable", R"({"DatabaseName":"mine","Name":"orders_link"})");
}

TEST_F(ResourceLinksTest, NoLinkLeadsToAnother) {
  EXPECT_EQ(
      Code("CreateDatabase",
           R"({"DatabaseInput":{"Name":"again","TargetDatabase":{"DatabaseName":"linked"}}})"),
      "InvalidInputException");
  EXPECT_NE(message_.find("another resource link"), std::string::npos) << message_;
  EXPECT_EQ(Code("CreateDatabase",
                 R"({"DatabaseInput":{"Name":"self","TargetDatabase":{"DatabaseName":"SELF"}}})"),
            "InvalidInputException");
  for (const auto* target :
       {R"({"DatabaseName":"mine","Name":"orders_link"})",
        R"({"DatabaseName":"linked","Name":"orders"})", R"({"DatabaseName":"mine","Name":"again"})",
        R"({"DatabaseName":"mine"})", "{}"}) {
    EXPECT_EQ(Code("CreateTable",
                   R"({"DatabaseName":"mine","TableInput":{"Name":"again","TargetTable":)" +
                       std::string(target) + "}}"),
              "InvalidInputException")
        << target;
  }
  EXPECT_EQ(Code("CreateDatabase", R"({"DatabaseInput":{"Name":"empty","TargetDatabase":{}}})"),
            "InvalidInputException");
}

// What became a link after another link was made to it: a chain, and a loop.
TEST_F(ResourceLinksTest, ChainsAndLoopsEnd) {
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"a","TargetDatabase":{"DatabaseName":"b"}}})");
  Ok("CreateTable",
     R"({"DatabaseName":"mine","TableInput":{"Name":"l1","TargetTable":{"DatabaseName":"mine","Name":"l2"}}})");
  Ok("CreateTable",
     R"({"DatabaseName":"mine","TableInput":{"Name":"into","TargetTable":{"DatabaseName":"b","Name":"orders"}}})");
  Ok("CreateTable",
     R"({"DatabaseName":"mine","TableInput":{"Name":"l2","TargetTable":{"DatabaseName":"mine","Name":"x"}}})");
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"b","TargetDatabase":)" +
                           Target(R"("DatabaseName":"sales")") + "}}");
  EXPECT_EQ(Code("GetTables", R"({"DatabaseName":"a"})"), "InvalidInputException");
  EXPECT_NE(message_.find("database b of catalog 111111111111"), std::string::npos) << message_;
  for (const auto* name : {"l1", "into"}) {
    EXPECT_EQ(Code("GetPartitions",
                   R"({"DatabaseName":"mine","TableName":")" + std::string(name) + R"("})"),
              "InvalidInputException")
        << message_;
    EXPECT_EQ(At(Ok("GetTable", R"({"DatabaseName":"mine","Name":")" + std::string(name) + R"("})"),
                 {"Table", "StorageDescriptor"}),
              "null");
  }
}

// Who may not reach the target sees the link, and nothing behind it.
TEST_F(ResourceLinksTest, ThePrincipalDecidesWhatIsFollowed) {
  std::vector<LinkTarget> asked;
  Principal caller = Account();
  caller.may_follow = [&](const LinkTarget& target) -> Status {
    asked.push_back(target);
    Error error = MakeError(ErrorKind::kAccessDenied, "not for you");
    error.code = "AccessDeniedException";
    error.http_status = 400;
    return Fail(error);
  };
  EXPECT_EQ(At(Ok("GetDatabase", R"({"Name":"linked"})", caller), {"Database", "Description"}),
            "null");
  EXPECT_EQ(At(Ok("GetTable", R"({"DatabaseName":"mine","Name":"orders_link"})", caller),
               {"Table", "Description"}),
            "null");
  EXPECT_EQ(asked, (std::vector<LinkTarget>{{"222222222222", "us-east-1", "sales", ""},
                                            {"222222222222", "us-east-1", "sales", "orders"}}));
  for (const auto& [operation, request] : std::vector<std::pair<std::string, std::string>>{
           {"GetTables", R"({"DatabaseName":"linked"})"},
           {"GetTable", R"({"DatabaseName":"linked","Name":"orders"})"},
           {"DeleteTable", R"({"DatabaseName":"linked","Name":"orders"})"},
           {"UpdateDatabase", R"({"Name":"linked","DatabaseInput":{"Name":"linked"}})"},
           {"UpdateTable", R"({"DatabaseName":"mine","TableInput":{"Name":"orders_link"}})"},
           {"GetPartitions", Request(kThroughTable)},
           {"DeletePartition", Request(kThroughTable, R"(,"PartitionValues":["1"])")},
           {"GetColumnStatisticsForTable", Request(kThroughTable, R"(,"ColumnNames":["k"])")}}) {
    EXPECT_EQ(Code(operation, request, caller), "AccessDeniedException") << operation;
  }
  asked.clear();
  Code("GetTable", R"({"DatabaseName":"linked","Name":"orders"})", caller);
  Code("CreateTable", R"({"DatabaseName":"linked","TableInput":{"Name":"new"}})", caller);
  EXPECT_EQ(asked, (std::vector<LinkTarget>{{"222222222222", "us-east-1", "sales", "orders"},
                                            {"222222222222", "us-east-1", "sales", "new"}}));
  EXPECT_EQ(TheirPartitions().size(), 1U);
}

}  // namespace
}  // namespace gluecat::store
