#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class TableSearchTest : public StoreTest {
 protected:
  using Names = std::vector<std::string>;

  TableSearchTest() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"sales"}})");
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"web"}})");
    Make("web", R"("Name":"clicks","Owner":"ana","TableType":"EXTERNAL_TABLE",
        "Parameters":{"classification":"json"})");
    Make("sales", R"("Name":"orders","Owner":"bob","Description":"What customers bought",
        "StorageDescriptor":{"Columns":[{"Name":"Order_Id","Type":"bigint","Comment":"the key"}]},
        "PartitionKeys":[{"Name":"dt","Type":"date"}],"Parameters":{"classification":"parquet"})");
    Make("sales",
         R"("Name":"customer-link","Owner":"ana","Parameters":{"classification":"parquet"})");
  }

  void Make(std::string_view database, std::string_view input) {
    clock_->now += std::chrono::seconds(100);
    Ok("CreateTable", R"({"DatabaseName":")" + std::string(database) + R"(","TableInput":{)" +
                          std::string(input) + "}}");
  }
  Names Search(std::string_view request, const Principal& principal = Account()) {
    return Texts(Ok("SearchTables", request, principal), "TableList", "Name");
  }
};

TEST_F(TableSearchTest, FindsEveryTableOfTheCatalogAndNoOther) {
  EXPECT_EQ(Search("{}"), (Names{"customer-link", "orders", "clicks"}));
  EXPECT_EQ(Search(R"({"ResourceShareType":"ALL"})").size(), 3U);
  EXPECT_TRUE(Search(R"({"ResourceShareType":"FOREIGN"})").empty());
  EXPECT_TRUE(Search(R"({"ResourceShareType":"FEDERATED"})").empty());
  EXPECT_TRUE(Search("{}", Account("222222222222")).empty());
  EXPECT_TRUE(Search("{}", Account("111111111111", "us-east-1")).empty());
  EXPECT_EQ(Search(R"({"CatalogId":"111111111111"})", Account("222222222222")).size(), 3U);
}

TEST_F(TableSearchTest, ByText) {
  EXPECT_EQ(Search(R"({"SearchText":"ORDER"})"), Names{"orders"});
  EXPECT_EQ(Search(R"({"SearchText":"the key"})"), Names{"orders"});
  EXPECT_EQ(Search(R"({"SearchText":"customer"})"), (Names{"customer-link", "orders"}));
  EXPECT_EQ(Search(R"({"SearchText":"customer bought"})"), Names{"orders"});
  EXPECT_EQ(Search(R"({"SearchText":"web"})"), Names{"clicks"});
  EXPECT_EQ(Search(R"({"SearchText":"\"Parquet\""})"), (Names{"customer-link", "orders"}));
  EXPECT_TRUE(Search(R"({"SearchText":"\"order\""})").empty());
  EXPECT_TRUE(Search(R"({"SearchText":"nothing"})").empty());
}

TEST_F(TableSearchTest, ByFilters) {
  EXPECT_EQ(Search(R"({"Filters":[{"Key":"Name","Value":"link"}]})"), Names{"customer-link"});
  EXPECT_TRUE(Search(R"({"Filters":[{"Key":"Name","Value":"lin"}]})").empty());
  EXPECT_EQ(Search(R"({"Filters":[{"Key":"DatabaseName","Value":"Sales"}]})"),
            (Names{"customer-link", "orders"}));
  EXPECT_EQ(Search(R"({"Filters":[{"Key":"classification","Value":"parquet"},
                                  {"Key":"Owner","Value":"bob"}]})"),
            Names{"orders"});
  EXPECT_EQ(
      Search(R"({"Filters":[{"Key":"TableType","Value":"EXTERNAL_TABLE","Comparator":"EQUALS"}]})"),
      Names{"clicks"});
  EXPECT_EQ(
      Search(
          R"({"Filters":[{"Key":"CreateTime","Value":"1700000200.25","Comparator":"GREATER_THAN"}]})"),
      Names{"customer-link"});
  EXPECT_EQ(
      Search(
          R"({"Filters":[{"Key":"CreateTime","Value":"1700000200.25","Comparator":"LESS_THAN_EQUALS"}]})"),
      (Names{"orders", "clicks"}));
  EXPECT_EQ(Search(R"({"Filters":[{"Key":"UpdateTime","Value":"1700000200.25"}]})"),
            Names{"orders"});
  EXPECT_EQ(Code("SearchTables", R"({"Filters":[{"Key":"CreateTime","Value":"today"}]})"),
            "InvalidInputException");
  EXPECT_EQ(Code("SearchTables", R"({"Filters":[{"Key":"Name"}]})"), "InvalidInputException");
  EXPECT_EQ(Code("SearchTables", R"({"Filters":[{"Key":"Name","Value":"x","Comparator":"LIKE"}]})"),
            "ValidationException");
}

TEST_F(TableSearchTest, Sorted) {
  EXPECT_EQ(Search(R"({"SortCriteria":[{"FieldName":"Name","Sort":"DESC"}]})"),
            (Names{"orders", "customer-link", "clicks"}));
  EXPECT_EQ(Search(R"({"SortCriteria":[{"FieldName":"CreateTime","Sort":"ASC"}]})"),
            (Names{"clicks", "orders", "customer-link"}));
  Make("web", R"("Name":"late","LastAccessTime":1e300)");
  Make("web", R"("Name":"early","LastAccessTime":-5)");
  Make("web", R"("Name":"now","LastAccessTime":1700000000)");
  EXPECT_EQ(
      Search(R"({"SortCriteria":[{"FieldName":"LastAccessTime","Sort":"DESC"}],"MaxResults":2})"),
      (Names{"late", "now"}));
  EXPECT_EQ(Code("SearchTables", R"({"SortCriteria":[{"FieldName":"Shoe","Sort":"ASC"}]})"),
            "InvalidInputException");
  EXPECT_EQ(
      Code("SearchTables", R"({"SortCriteria":[{"FieldName":"Name"},{"FieldName":"Owner"}]})"),
      "ValidationException");
}

TEST_F(TableSearchTest, InPages) {
  for (const auto* criteria :
       {R"("MaxResults":1)",
        R"("MaxResults":1,"SortCriteria":[{"FieldName":"Owner","Sort":"DESC"}])",
        R"("MaxResults":2,"Filters":[{"Key":"Owner","Value":"ana"}])"}) {
    Names all;
    std::string token;
    do {
      const auto page =
          Ok("SearchTables", "{" + std::string(criteria) + R"(,"NextToken":")" + token + "\"}");
      for (auto& name : Texts(page, "TableList", "Name")) all.push_back(std::move(name));
      token = Token(page);
    } while (!token.empty());
    std::string unpaged = criteria;
    unpaged.replace(unpaged.find(':') + 1, 1, "1000");
    EXPECT_EQ(all, Search("{" + unpaged + "}"));
  }
  const auto token = Token(Ok("SearchTables", R"({"MaxResults":1})"));
  EXPECT_EQ(Code("SearchTables", R"({"SearchText":"x","NextToken":")" + token + R"("})"),
            "InvalidInputException");
  EXPECT_EQ(Code("SearchTables", R"({"MaxResults":1001})"), "ValidationException");
}

}  // namespace
}  // namespace gluecat::store
