#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class CatalogsTest : public StoreTest {
 protected:
  using Ids = std::vector<std::string>;

  void Make(std::string_view name, std::string_view more = "") {
    Ok("CreateCatalog",
       R"({"Name":")" + std::string(name) + R"(","CatalogInput":{)" + std::string(more) + "}}");
  }
  Ids List(std::string_view request, const Principal& principal = Account()) {
    return Texts(Ok("GetCatalogs", request, principal), "CatalogList", "CatalogId");
  }
};

TEST_F(CatalogsTest, AnAccountHasItsOwn) {
  EXPECT_EQ(
      Ok("GetCatalog", R"({"CatalogId":"111111111111"})"),
      R"({"Catalog":{"CatalogId":"111111111111","Name":"111111111111","ResourceArn":"arn:aws:glue:eu-central-1:111111111111:catalog"}})");
  EXPECT_EQ(Ok("GetCatalogImportStatus", "{}"), R"({"ImportStatus":{"ImportCompleted":true}})");
  EXPECT_TRUE(List("{}").empty());
  EXPECT_EQ(List(R"({"IncludeRoot":true})"), Ids{"111111111111"});
  EXPECT_EQ(Code("UpdateCatalog", R"({"CatalogId":"111111111111","CatalogInput":{}})"),
            "InvalidInputException");
  EXPECT_EQ(Code("DeleteCatalog", R"({"CatalogId":"111111111111"})"), "InvalidInputException");
}

TEST_F(CatalogsTest, OthersAreMadeReadAndChanged) {
  Make(
      "sales",
      R"("Description":"one","Parameters":{"a":"b"},"OverwriteChildResourcePermissionsWithDefault":"Deny")");
  EXPECT_EQ(
      Ok("GetCatalog", R"({"CatalogId":"111111111111:sales"})"),
      R"({"Catalog":{"CatalogId":"111111111111:sales","Name":"sales","ResourceArn":"arn:aws:glue:eu-central-1:111111111111:catalog/sales",)"
      R"("CreateTime":1700000000.250,"UpdateTime":1700000000.250,"Description":"one","Parameters":{"a":"b"}}})");
  clock_->now += std::chrono::seconds(60);
  Ok("UpdateCatalog", R"({"CatalogId":"111111111111:sales","CatalogInput":{"Description":"two"}})");
  const auto answer = Ok("GetCatalog", R"({"CatalogId":"111111111111:sales"})");
  EXPECT_NE(answer.find(
                R"("CreateTime":1700000000.250,"UpdateTime":1700000060.250,"Description":"two"}})"),
            std::string::npos)
      << answer;
  EXPECT_EQ(Code("CreateCatalog", R"({"Name":"sales","CatalogInput":{}})"),
            "AlreadyExistsException");
  EXPECT_EQ(Code("GetCatalog", R"({"CatalogId":"222222222222:sales"})"), "EntityNotFoundException");
  EXPECT_EQ(Code("UpdateCatalog", R"({"CatalogId":"111111111111:x","CatalogInput":{}})"),
            "EntityNotFoundException");
}

TEST_F(CatalogsTest, GoWithAllThatIsInThem) {
  Make("sales");
  const std::string in = R"({"CatalogId":"111111111111:sales",)";
  Ok("CreateDatabase", in + R"("DatabaseInput":{"Name":"d"}})");
  Ok("CreateTable", in + R"("DatabaseName":"d","TableInput":{"Name":"t"}})");
  Ok("CreateConnection",
     in +
         R"("ConnectionInput":{"Name":"c","ConnectionType":"NETWORK","ConnectionProperties":{}}})");
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  const std::string arn =
      R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:catalog/sales")";
  Ok("TagResource", arn + R"(,"TagsToAdd":{"a":"b"}})");
  EXPECT_EQ(Ok("GetTags", arn + "}"), R"({"Tags":{"a":"b"}})");
  EXPECT_EQ(Ok("DeleteCatalog", R"({"CatalogId":"111111111111:sales"})"), "{}");
  EXPECT_EQ(Code("DeleteCatalog", R"({"CatalogId":"111111111111:sales"})"),
            "EntityNotFoundException");
  EXPECT_EQ(Code("GetDatabase", in + R"("Name":"d"})"), "EntityNotFoundException");
  EXPECT_EQ(Code("GetConnection", in + R"("Name":"c"})"), "EntityNotFoundException");
  Ok("GetDatabase", R"({"Name":"d"})");
  Ok("CreateCatalog", R"({"Name":"sales","CatalogInput":{},"Tags":{"new":"1"}})");
  EXPECT_EQ(Ok("GetTags", arn + "}"), R"({"Tags":{"new":"1"}})");
}

TEST_F(CatalogsTest, RefusesWhatIsWrong) {
  for (const auto* name : {"a.b", "a/b", "a:b", "aws:b", "111111111111", R"(a\\b)"}) {
    EXPECT_EQ(Code("CreateCatalog", R"({"Name":")" + std::string(name) + R"(","CatalogInput":{}})"),
              "InvalidInputException")
        << name;
  }
  EXPECT_EQ(
      Code("CreateCatalog", R"({"Name":")" + std::string(65, 'n') + R"(","CatalogInput":{}})"),
      "ValidationException");
  EXPECT_EQ(Code("CreateCatalog",
                 R"({"Name":"f","CatalogInput":{"FederatedCatalog":{"Identifier":"x"}}})"),
            "InvalidInputException");
  EXPECT_EQ(Code("CreateCatalog",
                 R"({"Name":"f","CatalogInput":{"TargetRedshiftCatalog":{"CatalogArn":"x"}}})"),
            "InvalidInputException");
  EXPECT_EQ(Code("CreateCatalog", R"({"Name":"f"})"), "ValidationException");
  EXPECT_EQ(Code("GetCatalog", "{}"), "ValidationException");
}

TEST_F(CatalogsTest, Listed) {
  for (const auto* name : {"c", "a", "b"}) Make(name);
  const Ids all = {"111111111111:a", "111111111111:b", "111111111111:c"};
  EXPECT_EQ(List("{}"), all);
  EXPECT_EQ(List(R"({"Recursive":true,"HasDatabases":true,"IncludeRoot":false})"), all);
  EXPECT_EQ(List(R"({"ParentCatalogId":"111111111111"})", Account("222222222222")), all);
  EXPECT_TRUE(List("{}", Account("222222222222")).empty());
  EXPECT_TRUE(List(R"({"ParentCatalogId":"111111111111:a"})").empty());
  EXPECT_EQ(Code("GetCatalogs", R"({"ParentCatalogId":"111111111111:x"})"),
            "EntityNotFoundException");
  EXPECT_EQ(Code("GetCatalogs", R"({"ParentCatalogId":"111111111111:a","IncludeRoot":true})"),
            "InvalidInputException");
  for (const auto* size : {"1", "2", "3", "4"}) {
    const std::string request = R"({"IncludeRoot":true,"MaxResults":)" + std::string(size);
    Ids found;
    std::string token;
    do {
      const auto page = Ok("GetCatalogs", request + R"(,"NextToken":")" + token + R"("})");
      for (auto& id : Texts(page, "CatalogList", "CatalogId")) found.push_back(std::move(id));
      token = Token(page);
    } while (!token.empty());
    EXPECT_EQ(found, (Ids{"111111111111", all[0], all[1], all[2]})) << size;
  }
}

}  // namespace
}  // namespace gluecat::store
