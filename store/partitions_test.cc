#include <set>

#include "store/partition_key.h"
#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class PartitionsTest : public StoreTest {
 protected:
  PartitionsTest() { Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})"); }

  static std::string Body(std::string_view more) {
    return R"({"DatabaseName":"d","TableName":"t",)" + std::string(more) + "}";
  }
  static std::string Input(std::string_view values,
                           std::string_view columns = R"([{"Name":"a","Type":"int"}])") {
    return R"({"Values":)" + std::string(values) + R"(,"StorageDescriptor":{"Columns":)" +
           std::string(columns) + R"(,"Location":"s3://b/t"},"Parameters":{"p":"q"}})";
  }
  // Partitions 0 … count-1 of a table with an int key.
  void Fill(int count) {
    for (int i = 0; i < count;) {
      std::string list;
      for (int j = 0; j < 100 && i < count; ++j, ++i) {
        list += (list.empty() ? "" : ",") + Input(R"([")" + std::to_string(i) + R"("])");
      }
      Ok("BatchCreatePartition", Body(R"("PartitionInputList":[)" + list + "]"));
    }
  }
  std::vector<std::string> First(std::string_view answer) {
    std::vector<std::string> out;
    const auto document = JsonDocument::Parse(answer);
    for (const auto& partition : document->root()["Partitions"].Elements()) {
      out.push_back(partition["Values"].Elements().front().StringOr(""));
    }
    return out;
  }
  std::vector<std::string> Where(std::string_view expression) {
    return First(Ok("GetPartitions", Body(R"("Expression":")" + std::string(expression) + R"(")")));
  }
};

TEST_F(PartitionsTest, CreateGetUpdateDelete) {
  MakeTable();
  Ok("CreatePartition", Body(R"("PartitionInput":)" + Input(R"(["1"])")));
  EXPECT_EQ(
      Ok("GetPartition", Body(R"("PartitionValues":["1"])")),
      R"({"Partition":{"DatabaseName":"d","TableName":"t","CatalogId":"111111111111","CreationTime":1700000000.250,)"
      R"("Values":["1"],"Parameters":{"p":"q"},"StorageDescriptor":{"Columns":[{"Name":"a","Type":"int"}],"Location":"s3://b/t"}}})");
  EXPECT_EQ(Code("CreatePartition", Body(R"("PartitionInput":{"Values":["1"]})")),
            "AlreadyExistsException");
  clock_->now += std::chrono::hours(1);
  Ok("UpdatePartition",
     Body(
         R"("PartitionValueList":["1"],"PartitionInput":{"Values":["1"],"StorageDescriptor":{"Columns":[]}})"));
  EXPECT_EQ(
      Ok("GetPartition", Body(R"("PartitionValues":["1"])")),
      R"({"Partition":{"DatabaseName":"d","TableName":"t","CatalogId":"111111111111","CreationTime":1700000000.250,)"
      R"("Values":["1"],"StorageDescriptor":{"Columns":[]}}})");
  Ok("UpdatePartition", Body(R"("PartitionValueList":["1"],"PartitionInput":{})"));
  EXPECT_NE(Ok("GetPartition", Body(R"("PartitionValues":["1"])")).find(R"("Values":["1"]}})"),
            std::string::npos);
  EXPECT_EQ(Code("UpdatePartition",
                 Body(R"("PartitionValueList":["1"],"PartitionInput":{"Values":["2"]})")),
            "InvalidInputException");
  EXPECT_EQ(Code("UpdatePartition", Body(R"("PartitionValueList":["2"],"PartitionInput":{})")),
            "EntityNotFoundException");
  Ok("DeletePartition", Body(R"("PartitionValues":["1"])"));
  EXPECT_EQ(Code("DeletePartition", Body(R"("PartitionValues":["1"])")), "EntityNotFoundException");
  EXPECT_EQ(Code("GetPartition", Body(R"("PartitionValues":["1"])")), "EntityNotFoundException");
}

TEST_F(PartitionsTest, CountsValues) {
  MakeTable();
  for (const auto* input : {R"({"Values":["1","2"]})", R"({"Values":[]})", "{}"}) {
    EXPECT_EQ(Code("CreatePartition", Body(R"("PartitionInput":)" + std::string(input))),
              "InvalidInputException")
        << input;
  }
  EXPECT_EQ(Code("GetPartition", Body(R"("PartitionValues":["1","2"])")), "InvalidInputException");
  MakeTable("plain", "[]");
  EXPECT_EQ(Code("CreatePartition",
                 R"({"DatabaseName":"d","TableName":"plain","PartitionInput":{"Values":["1"]}})"),
            "InvalidInputException");
  EXPECT_EQ(Code("GetPartitions", R"({"DatabaseName":"d","TableName":"none"})"),
            "EntityNotFoundException");
}

TEST_F(PartitionsTest, BatchesReportPerPartition) {
  MakeTable();
  Ok("CreatePartition", Body(R"("PartitionInput":{"Values":["1"]})"));
  const auto created = Ok(
      "BatchCreatePartition",
      Body(
          R"("PartitionInputList":[{"Values":["1"]},{"Values":["2"]},{"Values":["2"]},{"Values":["3","4"]}])"));
  const auto document = JsonDocument::Parse(created);
  const auto errors = document->root()["Errors"].Elements();
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_EQ(
      errors[0].Dump(),
      R"({"PartitionValues":["1"],"ErrorDetail":{"ErrorCode":"AlreadyExistsException","ErrorMessage":"Partition already exists."}})");
  EXPECT_EQ(errors[1]["ErrorDetail"]["ErrorCode"].AsString(), "AlreadyExistsException");
  EXPECT_EQ(errors[2]["ErrorDetail"]["ErrorCode"].AsString(), "InvalidInputException");
  EXPECT_EQ(Ok("BatchCreatePartition", Body(R"("PartitionInputList":[{"Values":["3"]}])")),
            R"({"Errors":[]})");

  EXPECT_EQ(
      Ok("BatchUpdatePartition",
         Body(
             R"("Entries":[{"PartitionValueList":["1"],"PartitionInput":{"Parameters":{"a":"b"}}},{"PartitionValueList":["9"],"PartitionInput":{}}])")),
      R"({"Errors":[{"PartitionValueList":["9"],"ErrorDetail":{"ErrorCode":"EntityNotFoundException","ErrorMessage":"Partition not found."}}]})");
  EXPECT_EQ(
      First(Ok(
          "BatchGetPartition",
          Body(
              R"("PartitionsToGet":[{"Values":["3"]},{"Values":["9"]},{"Values":["1"]},{"Values":["3"]}])"))),
      (std::vector<std::string>{"3", "1"}));
  const auto deleted = Ok("BatchDeletePartition",
                          Body(R"("PartitionsToDelete":[{"Values":["1"]},{"Values":["9"]}])"));
  EXPECT_NE(deleted.find(
                R"({"PartitionValues":["9"],"ErrorDetail":{"ErrorCode":"EntityNotFoundException")"),
            std::string::npos);
  EXPECT_EQ(First(Ok("GetPartitions", Body(R"("MaxResults":10)"))),
            (std::vector<std::string>{"2", "3"}));
}

TEST_F(PartitionsTest, BatchSizesAreChecked) {
  MakeTable();
  std::string inputs;
  for (int i = 0; i < 101; ++i)
    inputs += (i == 0 ? "" : ",") + Input(R"([")" + std::to_string(i) + R"("])");
  EXPECT_EQ(Code("BatchCreatePartition", Body(R"("PartitionInputList":[)" + inputs + "]")),
            "ValidationException");
  EXPECT_EQ(message_,
            "1 validation error detected: Value at 'partitionInputList' failed to satisfy "
            "constraint: Member must have length less than or equal to 100");
  std::string values;
  for (int i = 0; i < 26; ++i) values += (i == 0 ? "" : ",") + std::string(R"({"Values":["1"]})");
  EXPECT_EQ(Code("BatchDeletePartition", Body(R"("PartitionsToDelete":[)" + values + "]")),
            "ValidationException");
  EXPECT_EQ(Code("BatchUpdatePartition", Body(R"("Entries":[])")), "ValidationException");
  EXPECT_EQ(Code("GetPartitions", Body(R"("MaxResults":1001)")), "ValidationException");
}

TEST_F(PartitionsTest, PagesAreCompleteAndDisjoint) {
  MakeTable();
  Fill(2500);
  std::set<std::string> seen;
  std::string token;
  std::vector<std::size_t> sizes;
  do {
    const auto answer =
        Ok("GetPartitions", Body(R"("ExcludeColumnSchema":true,"NextToken":")" + token + R"(")"));
    const auto page = First(answer);
    sizes.push_back(page.size());
    for (const auto& value : page) EXPECT_TRUE(seen.insert(value).second) << value;
    EXPECT_EQ(answer.find("Columns"), std::string::npos);
    EXPECT_NE(answer.find("Location"), std::string::npos);
    token = Token(answer);
  } while (!token.empty());
  EXPECT_EQ(seen.size(), 2500U);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1000, 1000, 500}));
}

TEST_F(PartitionsTest, SegmentsAreCompleteAndDisjoint) {
  MakeTable();
  Fill(300);
  std::set<std::string> seen;
  for (int segment = 0; segment < 4; ++segment) {
    std::string token;
    std::size_t count = 0;
    do {
      const auto answer =
          Ok("GetPartitions",
             Body(R"("MaxResults":20,"NextToken":")" + token + R"(","Segment":{"SegmentNumber":)" +
                  std::to_string(segment) + R"(,"TotalSegments":4})"));
      for (const auto& value : First(answer)) {
        EXPECT_TRUE(seen.insert(value).second) << value;
        ++count;
      }
      token = Token(answer);
    } while (!token.empty());
    EXPECT_GT(count, 30U);
  }
  EXPECT_EQ(seen.size(), 300U);
  EXPECT_EQ(Code("GetPartitions", Body(R"("Segment":{"SegmentNumber":4,"TotalSegments":4})")),
            "InvalidInputException");
  EXPECT_EQ(Code("GetPartitions", Body(R"("Segment":{"SegmentNumber":0,"TotalSegments":11})")),
            "ValidationException");
}

TEST_F(PartitionsTest, EqualityOfTheFirstKeysReadsOnlyTheirs) {
  Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"t","PartitionKeys":[)"
                    R"({"Name":"a","Type":"string"},{"Name":"b","Type":"string"}]}})");
  for (const std::string_view values :
       {R"(["x","1"])", R"(["x","2"])", R"(["x","3"])", R"(["xx","1"])", R"(["w","9"])",
        R"(["y","1"])", R"(["x\u0000","1"])"}) {
    Ok("CreatePartition", Body(R"("PartitionInput":{"Values":)" + std::string(values) + "}"));
  }
  EXPECT_EQ(Where("a = 'x'").size(), 3U);
  EXPECT_EQ(Where("b = '1' AND a = 'x'").size(), 1U);
  EXPECT_EQ(Where("a = 'x' AND b > '1'").size(), 2U);
  EXPECT_EQ(Where("a = 'x' OR b = '9'").size(), 4U);
  EXPECT_EQ(Where("a = 'x' AND a = 'y'").size(), 0U);
  EXPECT_EQ(Where("a = 'v'").size(), 0U);
  // Page by page, up to the last of them and no further.
  std::string more;
  std::vector<std::string> pages;
  for (int i = 0; i < 3; ++i) {
    const std::string page =
        Ok("GetPartitions", Body(R"("Expression":"a = 'x'","MaxResults":1)" + more));
    pages.push_back(First(page).at(0));
    const auto document = JsonDocument::Parse(page);
    const std::string token = document->root()["NextToken"].StringOr("");
    EXPECT_EQ(token.empty(), i == 2);
    more = R"(,"NextToken":")" + token + "\"";
  }
  EXPECT_EQ(pages, std::vector<std::string>(3, "x"));
}

TEST_F(PartitionsTest, ExpressionsFilterOnTypedKeys) {
  MakeTable();
  Fill(12);
  EXPECT_EQ(Where("k BETWEEN 1 AND 10 AND k NOT IN (3,4,5,6,7,8)"),
            (std::vector<std::string>{"1", "10", "2", "9"}));
  EXPECT_EQ(Where("K = 7"), std::vector<std::string>{"7"});
  EXPECT_EQ(Where("k IS NULL"), std::vector<std::string>{});
  EXPECT_EQ(Where(" ").size(), 12U);
  for (const auto* expression : {"nokey IS NULL", "k = ", "k = 'x'"}) {
    EXPECT_EQ(Code("GetPartitions", Body(R"("Expression":")" + std::string(expression) + R"(")")),
              "InvalidInputException")
        << expression;
  }
  Ok("CreatePartition", Body(R"("PartitionInput":{"Values":["__HIVE_DEFAULT_PARTITION__"]})"));
  EXPECT_EQ(Code("GetPartitions", Body(R"("Expression":"k = 1")")), "InvalidStateException");
}

TEST_F(PartitionsTest, FilteredPagesGoOn) {
  MakeTable();
  Fill(100);
  std::vector<std::string> all;
  std::string token;
  do {
    const auto answer =
        Ok("GetPartitions",
           Body(R"("Expression":"k >= 90","MaxResults":3,"NextToken":")" + token + R"(")"));
    for (auto& value : First(answer)) all.push_back(std::move(value));
    token = Token(answer);
  } while (!token.empty());
  EXPECT_EQ(all.size(), 10U);
}

TEST_F(PartitionsTest, EachKeepsItsOwnColumns) {
  MakeTable();
  Ok("CreatePartition",
     Body(R"("PartitionInput":)" + Input(R"(["1"])", R"([{"Name":"a","Type":"int"}])")));
  Ok("CreatePartition",
     Body(R"("PartitionInput":)" + Input(R"(["2"])", R"([{"Name":"b","Type":"int"}])")));
  Ok("CreatePartition",
     Body(R"("PartitionInput":)" + Input(R"(["3"])", R"([{"Name":"a","Type":"int"}])")));
  const auto document = JsonDocument::Parse(Ok("GetPartitions", Body(R"("MaxResults":10)")));
  std::string names;
  for (const auto& partition : document->root()["Partitions"].Elements()) {
    names += partition["StorageDescriptor"]["Columns"].Elements().front()["Name"].StringOr("");
  }
  EXPECT_EQ(names, "aba");
}

TEST_F(PartitionsTest, ColumnStatistics) {
  MakeTable();
  Ok("CreatePartition", Body(R"("PartitionInput":{"Values":["1"]})"));
  const std::string statistics =
      R"({"ColumnName":"a","ColumnType":"int","AnalyzedTime":1700000000,"StatisticsData":{"Type":"LONG","LongColumnStatisticsData":{"NumberOfNulls":1,"NumberOfDistinctValues":2}}})";
  EXPECT_EQ(
      Ok("UpdateColumnStatisticsForTable", Body(R"("ColumnStatisticsList":[)" + statistics + "]")),
      R"({"Errors":[]})");
  Ok("UpdateColumnStatisticsForPartition",
     Body(R"("PartitionValues":["1"],"ColumnStatisticsList":[)" + statistics + "]"));
  EXPECT_EQ(
      Ok("GetColumnStatisticsForTable", Body(R"("ColumnNames":["a","b"])")),
      R"({"ColumnStatisticsList":[)" + statistics +
          R"(],"Errors":[{"ColumnName":"b","Error":{"ErrorCode":"EntityNotFoundException","ErrorMessage":"No statistics of column b."}}]})");
  Ok("DeleteColumnStatisticsForTable", Body(R"("ColumnName":"a")"));
  Ok("DeleteColumnStatisticsForTable", Body(R"("ColumnName":"a")"));
  EXPECT_EQ(Code("DeleteColumnStatisticsForPartition",
                 Body(R"("PartitionValues":["none"],"ColumnName":"a")")),
            "EntityNotFoundException");
  EXPECT_EQ(Texts(Ok("GetColumnStatisticsForPartition",
                     Body(R"("PartitionValues":["1"],"ColumnNames":["a"])")),
                  "ColumnStatisticsList", "ColumnName"),
            std::vector<std::string>{"a"});
  Ok("DeletePartition", Body(R"("PartitionValues":["1"])"));
  EXPECT_EQ(Code("GetColumnStatisticsForPartition",
                 Body(R"("PartitionValues":["1"],"ColumnNames":["a"])")),
            "EntityNotFoundException");
  Ok("CreatePartition", Body(R"("PartitionInput":{"Values":["1"]})"));
  EXPECT_EQ(Texts(Ok("GetColumnStatisticsForPartition",
                     Body(R"("PartitionValues":["1"],"ColumnNames":["a"])")),
                  "ColumnStatisticsList", "ColumnName"),
            std::vector<std::string>{});
}

TEST(PartitionKeyTest, RoundTripsAndSortsAsTheValuesDo) {
  using namespace std::string_view_literals;
  const std::vector<std::vector<std::string_view>> lists = {
      {""sv, "b"sv},  {"\0"sv, ""sv},   {"\0\1"sv, "x"sv}, {"a"sv, ""sv},
      {"a"sv, "b"sv}, {"a\0b"sv, ""sv}, {"ab"sv, ""sv},    {"\xff"sv, ""sv}};
  std::vector<std::string> keys;
  for (const auto& list : lists) {
    keys.push_back(EncodePartitionKey(list));
    const auto decoded = DecodePartitionKey(keys.back());
    EXPECT_TRUE(std::equal(decoded.begin(), decoded.end(), list.begin(), list.end()));
  }
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
}

}  // namespace
}  // namespace gluecat::store
