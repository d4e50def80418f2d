#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class UnfilteredTest : public StoreTest {
 protected:
  UnfilteredTest() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
    Ok("CreateTable",
       R"({"DatabaseName":"d","TableInput":{"Name":"t","StorageDescriptor":{"Columns":[{"Name":"a"},{"Name":"b"}]},"PartitionKeys":[{"Name":"k","Type":"int"}]}})");
    for (const auto* value : {"1", "2", "3"}) {
      Ok("CreatePartition", R"({"DatabaseName":"d","TableName":"t","PartitionInput":{"Values":[")" +
                                std::string(value) + R"("]}})");
    }
  }

  static std::string Request(std::string_view more, std::string_view catalog = "111111111111") {
    return R"({"CatalogId":")" + std::string(catalog) +
           R"(","DatabaseName":"D","SupportedPermissionTypes":["COLUMN_PERMISSION"],)" +
           std::string(more) + "}";
  }
  static std::vector<std::string> Values(std::string_view answer) {
    std::vector<std::string> out;
    const auto document = JsonDocument::Parse(answer);
    for (const auto& element : document->root()["UnfilteredPartitions"].Elements()) {
      EXPECT_EQ(element["AuthorizedColumns"].Dump(), R"(["a","b","k"])");
      EXPECT_EQ(element["IsRegisteredWithLakeFormation"].AsBool(), false);
      out.push_back(element["Partition"]["Values"].Elements().front().StringOr(""));
    }
    return out;
  }
};

TEST_F(UnfilteredTest, TableWithAllItsColumns) {
  const auto answer = Ok("GetUnfilteredTableMetadata", Request(R"("Name":"T")"));
  auto table = Ok("GetTable", R"({"DatabaseName":"d","Name":"t"})");
  table.pop_back();
  EXPECT_EQ(
      answer,
      table +
          R"(,"AuthorizedColumns":["a","b","k"],"IsRegisteredWithLakeFormation":false,"CellFilters":[],"IsMultiDialectView":false,"IsProtected":false})");
}

TEST_F(UnfilteredTest, OnePartition) {
  const auto answer =
      Ok("GetUnfilteredPartitionMetadata", Request(R"("TableName":"t","PartitionValues":["2"])"));
  auto partition =
      Ok("GetPartition", R"({"DatabaseName":"d","TableName":"t","PartitionValues":["2"]})");
  partition.pop_back();
  EXPECT_EQ(
      answer,
      partition + R"(,"AuthorizedColumns":["a","b","k"],"IsRegisteredWithLakeFormation":false})");
  EXPECT_EQ(
      Code("GetUnfilteredPartitionMetadata", Request(R"("TableName":"t","PartitionValues":["9"])")),
      "EntityNotFoundException");
}

TEST_F(UnfilteredTest, PartitionsByExpressionAndInPages) {
  EXPECT_EQ(Values(Ok("GetUnfilteredPartitionsMetadata", Request(R"("TableName":"t")"))),
            (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(Values(Ok("GetUnfilteredPartitionsMetadata",
                      Request(R"("TableName":"t","Expression":"k > 1")"))),
            (std::vector<std::string>{"2", "3"}));
  const auto page =
      Ok("GetUnfilteredPartitionsMetadata", Request(R"("TableName":"t","MaxResults":2)"));
  EXPECT_EQ(Values(page), (std::vector<std::string>{"1", "2"}));
  const std::string token = R"("NextToken":")" + Token(page) + "\"";
  EXPECT_EQ(Values(Ok("GetUnfilteredPartitionsMetadata", Request(R"("TableName":"t",)" + token))),
            (std::vector<std::string>{"3"}));
  EXPECT_EQ(Code("GetPartitions", R"({"DatabaseName":"d","TableName":"t",)" + token + "}"),
            "InvalidInputException");
}

TEST_F(UnfilteredTest, RefusesWhatIsWrong) {
  EXPECT_EQ(Code("GetUnfilteredTableMetadata", Request(R"("Name":"x")")),
            "EntityNotFoundException");
  EXPECT_EQ(Code("GetUnfilteredTableMetadata", Request(R"("Name":"t")", "222222222222")),
            "EntityNotFoundException");
  EXPECT_EQ(Code("GetUnfilteredTableMetadata", Request(R"("Name":"t","Region":"us-east-1")")),
            "EntityNotFoundException");
  EXPECT_EQ(Ok("GetUnfilteredTableMetadata", Request(R"("Name":"t","Region":"eu-central-1")"),
               Account("111111111111", "us-east-1")),
            Ok("GetUnfilteredTableMetadata", Request(R"("Name":"t")")));
  EXPECT_EQ(
      Code("GetUnfilteredTableMetadata",
           R"({"DatabaseName":"d","Name":"t","SupportedPermissionTypes":["COLUMN_PERMISSION"]})"),
      "ValidationException");
  EXPECT_EQ(
      Code("GetUnfilteredTableMetadata",
           R"({"CatalogId":"1","DatabaseName":"d","Name":"t","SupportedPermissionTypes":[]})"),
      "ValidationException");
  EXPECT_EQ(
      Code(
          "GetUnfilteredPartitionsMetadata",
          R"({"CatalogId":"1","DatabaseName":"d","TableName":"t","SupportedPermissionTypes":["ALL"]})"),
      "ValidationException");
}

}  // namespace
}  // namespace gluecat::store
