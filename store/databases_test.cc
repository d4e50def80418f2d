#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class DatabasesTest : public StoreTest {};

TEST_F(DatabasesTest, CreateGetUpdateDelete) {
  EXPECT_EQ(
      Ok("CreateDatabase",
         R"({"DatabaseInput":{"Name":"Sales","Description":"a\nb","Parameters":{"K":"V"},"Later":{"x":1}}})"),
      "{}");
  EXPECT_EQ(
      Ok("GetDatabase", R"({"Name":"sALES"})"),
      R"({"Database":{"Name":"sales","CreateTime":1700000000.250,"CatalogId":"111111111111",)"
      R"("CreateTableDefaultPermissions":[{"Principal":{"DataLakePrincipalIdentifier":"IAM_ALLOWED_PRINCIPALS"},)"
      R"("Permissions":["ALL"]}],"Description":"a\nb","Parameters":{"K":"V"},"Later":{"x":1}}})");
  clock_->now += std::chrono::hours(1);
  Ok("UpdateDatabase",
     R"({"Name":"sales","DatabaseInput":{"Name":"SALES","CreateTableDefaultPermissions":[]}})");
  EXPECT_EQ(
      Ok("GetDatabase", R"({"Name":"sales"})"),
      R"({"Database":{"Name":"sales","CreateTime":1700000000.250,"CatalogId":"111111111111","CreateTableDefaultPermissions":[]}})");
  Ok("DeleteDatabase", R"({"Name":"Sales"})");
  EXPECT_EQ(Code("GetDatabase", R"({"Name":"sales"})"), "EntityNotFoundException");
  EXPECT_EQ(message_, "Database sales not found.");
}

TEST_F(DatabasesTest, RefusesDuplicatesAndWhatIsMissing) {
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  EXPECT_EQ(Code("CreateDatabase", R"({"DatabaseInput":{"Name":"D"}})"), "AlreadyExistsException");
  EXPECT_EQ(Code("UpdateDatabase", R"({"Name":"e","DatabaseInput":{"Name":"e"}})"),
            "EntityNotFoundException");
  EXPECT_EQ(Code("DeleteDatabase", R"({"Name":"e"})"), "EntityNotFoundException");
  EXPECT_EQ(Code("UpdateDatabase", R"({"Name":"d","DatabaseInput":{"Name":"e"}})"),
            "InvalidInputException");
}

TEST_F(DatabasesTest, PagesThroughAll) {
  for (int i = 0; i < 250; ++i)
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d)" + std::to_string(1000 + i) + R"("}})");
  std::vector<std::string> names;
  std::string token;
  int pages = 0;
  do {
    const auto answer =
        Ok("GetDatabases", token.empty() ? "{}" : R"({"NextToken":")" + token + R"("})");
    for (auto& name : Texts(answer, "DatabaseList", "Name")) names.push_back(std::move(name));
    token = Token(answer);
    ++pages;
  } while (!token.empty());
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(names.size(), 250U);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(Texts(Ok("GetDatabases", R"({"MaxResults":2})"), "DatabaseList", "Name").size(), 2U);
}

TEST_F(DatabasesTest, AttributesToGet) {
  Ok("CreateDatabase",
     R"({"DatabaseInput":{"Name":"link","TargetDatabase":{"CatalogId":"222222222222","DatabaseName":"x"}}})");
  EXPECT_EQ(Ok("GetDatabases", R"({"AttributesToGet":["NAME"]})"),
            R"({"DatabaseList":[{"Name":"link"}]})");
  EXPECT_EQ(
      Ok("GetDatabases", R"({"AttributesToGet":["NAME","TARGET_DATABASE"]})"),
      R"({"DatabaseList":[{"Name":"link","TargetDatabase":{"CatalogId":"222222222222","DatabaseName":"x"}}]})");
  EXPECT_EQ(Code("GetDatabases", R"({"AttributesToGet":[]})"), "InvalidInputException");
}

TEST_F(DatabasesTest, CatalogsAndRegionsDoNotSeeEachOther) {
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  EXPECT_EQ(Texts(Ok("GetDatabases", R"({"CatalogId":"111111111111"})", Account("222222222222")),
                  "DatabaseList", "Name"),
            std::vector<std::string>{"d"});
  EXPECT_EQ(Ok("GetDatabases", "{}", Account("222222222222")), R"({"DatabaseList":[]})");
  EXPECT_EQ(Ok("GetDatabases", "{}", Account("111111111111", "us-east-1")),
            R"({"DatabaseList":[]})");
  Ok("CreateDatabase", R"({"CatalogId":"222222222222","DatabaseInput":{"Name":"d"}})");
  Ok("DeleteDatabase", R"({"Name":"d"})", Account("222222222222"));
  Ok("GetDatabase", R"({"Name":"d"})");
}

TEST_F(DatabasesTest, DeletingTakesEverythingInside) {
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  MakeTable();
  Ok("CreatePartition",
     R"({"DatabaseName":"d","TableName":"t","PartitionInput":{"Values":["1"]}})");
  Ok("DeleteDatabase", R"({"Name":"d"})");
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  EXPECT_EQ(Ok("GetTables", R"({"DatabaseName":"d"})"), R"({"TableList":[]})");
  MakeTable();
  EXPECT_EQ(Ok("GetPartitions", R"({"DatabaseName":"d","TableName":"t"})"), R"({"Partitions":[]})");
}

TEST_F(DatabasesTest, TokensAreGoodForTheirListingOnly) {
  for (const auto* name : {"a", "b", "c"})
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":")" + std::string(name) + R"("}})");
  Ok("CreateDatabase", R"({"CatalogId":"2","DatabaseInput":{"Name":"x"}})");
  const auto token = Token(Ok("GetDatabases", R"({"MaxResults":1})"));
  ASSERT_FALSE(token.empty());
  EXPECT_EQ(Texts(Ok("GetDatabases", R"({"MaxResults":1,"NextToken":")" + token + R"("})"),
                  "DatabaseList", "Name"),
            std::vector<std::string>{"b"});
  EXPECT_EQ(Code("GetDatabases", R"({"CatalogId":"2","NextToken":")" + token + R"("})"),
            "InvalidInputException");
  EXPECT_EQ(Code("GetTables", R"({"DatabaseName":"a","NextToken":")" + token + R"("})"),
            "InvalidInputException");
  for (const auto* bad : {"x", "00", "zz", "0011223344556677889900aa"}) {
    EXPECT_EQ(Code("GetDatabases", R"({"NextToken":")" + std::string(bad) + R"("})"),
              "InvalidInputException")
        << bad;
  }
}

}  // namespace
}  // namespace gluecat::store
