#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/glue/client.h"
#include "core/glue/recording_transport.h"

namespace gluecat::glue {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ClientStatisticsTest : public ::testing::Test {
 protected:
  std::shared_ptr<RecordingTransport> transport_ = std::make_shared<RecordingTransport>();
  Client client_{transport_, "222222222222", true};
};

TEST_F(ClientStatisticsTest, ReadsThoseOfAPartition) {
  transport_->AnswerNext("GetColumnStatisticsForPartition",
                         R"({"ColumnStatisticsList": [{"ColumnName": "a", "ColumnType": "int",
                             "AnalyzedTime": 7, "StatisticsData": {"Type": "LONG"}}]})");
  const auto statistics = client_.GetPartitionColumnStatistics("d", "t", {"2026"}, {"a"}, {});
  ASSERT_TRUE(statistics);
  ASSERT_EQ(statistics->size(), 1U);
  EXPECT_EQ(statistics->front().statistics_data, R"({"Type":"LONG"})");
  EXPECT_EQ(transport_->calls().front().body,
            R"({"CatalogId":"222222222222","DatabaseName":"d","TableName":"t",)"
            R"("PartitionValues":["2026"],"ColumnNames":["a"]})");
}

TEST_F(ClientStatisticsTest, CutsToTheSizesOfTheApi) {
  for (int i = 0; i < 2; ++i) transport_->AnswerNext("GetColumnStatisticsForTable", "{}");
  ASSERT_TRUE(client_.GetColumnStatistics("d", "t", std::vector<std::string>(101, "a"), {}));
  for (int i = 0; i < 2; ++i) transport_->AnswerNext("UpdateColumnStatisticsForPartition", "{}");
  const std::vector<ColumnStatistics> many(26, {"a", "int", 1, "{}"});
  ASSERT_TRUE(client_.UpdatePartitionColumnStatistics("d", "t", {"1"}, many, {}));
  EXPECT_EQ(transport_->calls().size(), 4U);
}

TEST_F(ClientStatisticsTest, ARefusedColumnIsAnErrorThatNamesIt) {
  transport_->AnswerNext("UpdateColumnStatisticsForTable",
                         R"({"Errors": [{"ColumnStatistics": {"ColumnName": "a"},
        "Error": {"ErrorCode": "InvalidInputException", "ErrorMessage": "no such column"}}]})");
  const auto status = client_.UpdateColumnStatistics("d", "t", {{"a", "int", 1, "{}"}}, {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, "InvalidInputException");
  EXPECT_THAT(status.error().message, HasSubstr("column a: no such column"));
}

TEST_F(ClientStatisticsTest, PartitionIndexesGoWithTheTableOrAlone) {
  transport_->AnswerNext("GetPartitionIndexes", R"({"PartitionIndexDescriptorList": [
      {"IndexName": "i", "Keys": [{"Name": "k", "Type": "int"}], "IndexStatus": "ACTIVE"}]})");
  const auto indexes = client_.GetPartitionIndexes("d", "t", {});
  ASSERT_TRUE(indexes);
  EXPECT_THAT(*indexes, ElementsAre(PartitionIndex{"i", {"k"}, "ACTIVE"}));
  transport_->AnswerNext("CreateTable", "{}");
  transport_->AnswerNext("CreatePartitionIndex", "{}");
  Table table;
  table.name = "t";
  ASSERT_TRUE(client_.CreateTable("d", table, {}, *indexes));
  ASSERT_TRUE(client_.CreatePartitionIndex("d", "t", indexes->front(), {}));
  EXPECT_THAT(transport_->calls()[1].body,
              HasSubstr(R"("PartitionIndexes":[{"Keys":["k"],"IndexName":"i"}])"));
  EXPECT_THAT(transport_->calls()[2].body,
              HasSubstr(R"("PartitionIndex":{"Keys":["k"],"IndexName":"i"}})"));
  transport_->AnswerNext("GetPartitionIndexes",
                         R"({"PartitionIndexDescriptorList": [{"Keys": [7]}]})");
  EXPECT_FALSE(client_.GetPartitionIndexes("d", "t", {}));
}

TEST_F(ClientStatisticsTest, AListingEndsWithTheErrorOfItsReader) {
  transport_->AnswerNext("GetPartitions",
                         R"({"Partitions": [{"Values": ["1"]}, {}], "NextToken": "x"})");
  int seen = 0;
  PartitionQuery query;
  query.exclude_column_schema = false;
  const auto status = client_.ForEachPartition(query,
                                               [&](const Partition&) -> Status {
                                                 ++seen;
                                                 return Fail(ErrorKind::kUnavailable, "disk full");
                                               },
                                               {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "disk full");
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace gluecat::glue
