#include "core/glue/client.h"

#include <string>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/glue/recording_transport.h"

namespace gluecat::glue {
namespace {

class ClientTest : public ::testing::Test {
 protected:
  std::shared_ptr<RecordingTransport> transport_ = std::make_shared<RecordingTransport>();
  Client client_{transport_, "222222222222", true};
  CallContext context_;

  JsonDocument Body(std::size_t call) {
    auto document = JsonDocument::Parse(transport_->calls().at(call).body);
    EXPECT_TRUE(document);
    return *std::move(document);
  }
};

TEST_F(ClientTest, EveryCallCarriesTheCatalogId) {
  transport_->AnswerNext("GetTable", R"({"Table": {"Name": "t"}})");
  transport_->AnswerNext("GetDatabase", R"({"Database": {"Name": "d"}})");
  transport_->AnswerNext("DeleteTable", "{}");
  ASSERT_TRUE(client_.GetTable("d", "t", context_));
  ASSERT_TRUE(client_.GetDatabase("d", context_));
  ASSERT_TRUE(client_.DeleteTable("d", "t", context_));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(Body(i).root()["CatalogId"].AsString(), "222222222222");
  }
}

TEST_F(ClientTest, WithoutCatalogIdNoneIsSent) {
  Client client(transport_, std::nullopt, true);
  transport_->AnswerNext("GetDatabase", R"({"Database": {"Name": "d"}})");
  ASSERT_TRUE(client.GetDatabase("d", context_));
  EXPECT_TRUE(Body(0).root()["CatalogId"].IsMissing());
}

TEST_F(ClientTest, ListingsFollowTokensThroughEmptyPages) {
  transport_->AnswerNext("GetTables", R"({"TableList": [{"Name": "a"}], "NextToken": "1"})");
  transport_->AnswerNext("GetTables", R"({"TableList": [], "NextToken": "2"})");
  transport_->AnswerNext("GetTables", R"({"TableList": [{"Name": "b"}]})");
  const auto tables = client_.GetTables("d", context_);
  ASSERT_TRUE(tables);
  ASSERT_EQ(tables->size(), 2U);
  EXPECT_EQ((*tables)[1].name, "b");
  EXPECT_EQ(Body(0).root()["MaxResults"].AsInt(), 100);
  EXPECT_EQ(Body(1).root()["NextToken"].AsString(), "1");
  EXPECT_EQ(Body(2).root()["NextToken"].AsString(), "2");
}

TEST_F(ClientTest, ATokenThatDoesNotAdvanceIsAnErrorAndNotALoop) {
  transport_->AnswerNext("GetTables", R"({"TableList": [], "NextToken": "1"})");
  transport_->AnswerNext("GetTables", R"({"TableList": [], "NextToken": "1"})");
  const auto tables = client_.GetTables("d", context_);
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().kind, ErrorKind::kInvalidData);
}

TEST_F(ClientTest, OneOddEntryDoesNotEndAListing) {
  transport_->AnswerNext("GetTables",
                         R"({"TableList": [{"Name": "odd", "Parameters": 7}, {"Name": "good"}]})");
  const auto tables = client_.GetTables("d", context_);
  ASSERT_TRUE(tables);
  ASSERT_EQ(tables->size(), 2U);
  EXPECT_FALSE((*tables)[0].table);
  EXPECT_EQ((*tables)[0].name, "odd");
  EXPECT_TRUE((*tables)[1].table);
}

TEST_F(ClientTest, UpdatesCarryVersionAndSkipArchive) {
  transport_->AnswerNext("UpdateTable", "{}");
  Table table;
  table.name = "t";
  ASSERT_TRUE(client_.UpdateTable("d", table, "5", context_));
  EXPECT_EQ(Body(0).root()["VersionId"].AsString(), "5");
  EXPECT_EQ(Body(0).root()["SkipArchive"].AsBool(), true);
}

class Collector final : public PartitionSink {
 public:
  std::vector<std::string> seen;
  Status Add(const PartitionView& partition) override {
    std::string text;
    for (const auto value : partition.values) text += std::string(value) + "/";
    text += partition.location.value_or("-");
    for (const auto& [key, value] : partition.parameters) {
      text += " " + std::string(key) + "=" + std::string(value);
    }
    seen.push_back(text);
    return {};
  }
};

TEST_F(ClientTest, ScansPartitionsOverPages) {
  transport_->AnswerNext(
      "GetPartitions",
      R"({"NextToken": "n", "Partitions": [{"Values": ["1", "a\"b"], "Extra": [{"x": 1}],
          "StorageDescriptor": {"Columns": null, "Location": "s3://b/1", "SerdeInfo": null},
          "Parameters": {"k": "v", "n": null}}]})");
  transport_->AnswerNext("GetPartitions", R"({"Partitions": [], "NextToken": "m"})");
  transport_->AnswerNext("GetPartitions",
                         R"({"Partitions": [{"Values": ["2", ""], "StorageDescriptor": null}]})");
  Collector collector;
  PartitionQuery query{"d", "t", "k = 1", true};
  ASSERT_TRUE(client_.ScanPartitions(query, collector, context_));
  EXPECT_EQ(collector.seen, (std::vector<std::string>{"1/a\"b/s3://b/1 k=v", "2//-"}));
  const auto body = Body(0);
  EXPECT_EQ(body.root()["MaxResults"].AsInt(), 1000);
  EXPECT_EQ(body.root()["ExcludeColumnSchema"].AsBool(), true);
  EXPECT_EQ(body.root()["Expression"].AsString(), "k = 1");
  EXPECT_EQ(Body(2).root()["NextToken"].AsString(), "m");
}

TEST_F(ClientTest, ALimitOfPartitionsAsksForNoMore) {
  transport_->AnswerNext(
      "GetPartitions",
      R"({"Partitions": [{"Values": ["1"]}, {"Values": ["2"]}], "NextToken": "n"})");
  transport_->AnswerNext("GetPartitions",
                         R"({"Partitions": [{"Values": ["3"]}], "NextToken": "m"})");
  const auto partitions = client_.GetPartitions({"d", "t", "", true}, context_, 3);
  ASSERT_TRUE(partitions);
  EXPECT_EQ(partitions->size(), 3U);
  EXPECT_EQ(transport_->calls().size(), 2U);
  EXPECT_EQ(Body(0).root()["MaxResults"].AsInt(), 3);
  EXPECT_EQ(Body(1).root()["MaxResults"].AsInt(), 1);
  ASSERT_TRUE(client_.GetPartitions({"d", "t", "", true}, context_, 0));
  EXPECT_EQ(transport_->calls().size(), 2U);
}

TEST_F(ClientTest, HostilePartitionPagesAreErrors) {
  for (const char* page :
       {"", "{", "[]", "null", "{\"Partitions\": 3}", "{\"Partitions\": [{\"Values\": [1]}]}",
        "{\"Partitions\": [{\"Values\": [\"a\"", "{\"Partitions\": []} trailing",
        "<html>busy</html>", "{\"NextToken\": 7}"}) {
    transport_->AnswerNext("GetPartitions", std::string(page));
    Collector collector;
    const auto scanned = client_.ScanPartitions({"d", "t", "", true}, collector, context_);
    ASSERT_FALSE(scanned) << page;
    EXPECT_EQ(scanned.error().kind, ErrorKind::kInvalidData) << page;
  }
}

TEST_F(ClientTest, CutsBatchesAndCollectsRefusals) {
  std::vector<Partition> partitions(250);
  for (std::size_t i = 0; i < partitions.size(); ++i) partitions[i].values = {std::to_string(i)};
  transport_->AnswerNext("BatchCreatePartition", "{}");
  transport_->AnswerNext("BatchCreatePartition",
                         R"({"Errors": [{"PartitionValues": ["150"], "ErrorDetail":
          {"ErrorCode": "AlreadyExistsException", "ErrorMessage": "Partition already exists."}}]})");
  transport_->AnswerNext("BatchCreatePartition", R"({"Errors": []})");
  const auto refused = client_.CreatePartitions("d", "t", partitions, context_);
  ASSERT_TRUE(refused);
  ASSERT_EQ(refused->size(), 1U);
  EXPECT_EQ((*refused)[0].values, std::vector<std::string>{"150"});
  EXPECT_EQ((*refused)[0].error.kind, ErrorKind::kAlreadyExists);
  EXPECT_EQ(Body(0).root()["PartitionInputList"].Elements().size(), 100U);
  EXPECT_EQ(Body(2).root()["PartitionInputList"].Elements().size(), 50U);
}

TEST_F(ClientTest, DeletesPartitionsInBatchesOf25) {
  std::vector<std::vector<std::string>> values(130, {"x"});
  for (int i = 0; i < 6; ++i) transport_->AnswerNext("BatchDeletePartition", "{}");
  ASSERT_TRUE(client_.DeletePartitions("d", "t", values, context_));
  EXPECT_EQ(transport_->calls().size(), 6U);
  EXPECT_EQ(Body(0).root()["PartitionsToDelete"].Elements().size(), 25U);
}

}  // namespace
}  // namespace gluecat::glue
