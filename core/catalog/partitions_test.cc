// Partitions against the real store, through a transport that counts calls and can make Glue
// misbehave.
#include <algorithm>
#include <cstring>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalog/catalog_over_store_testing.h"

namespace gluecat::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// 2024-03-15 10:20:30 UTC.
class FixedClock final : public Clock {
 public:
  Timestamp Now() const override { return Timestamp(std::chrono::seconds(1710498030)); }
  Deadline SteadyNow() const override { return Deadline(); }
  bool Sleep(Duration /*duration*/, const CancellationToken& cancellation) override {
    return !cancellation.IsCancelled();
  }
};

class PartitionsTest : public CatalogOverStoreTest {
 protected:
  PartitionsTest() : CatalogOverStoreTest(std::make_shared<FixedClock>()) {}

  void SetUp() override {
    CatalogOverStoreTest::SetUp();
    if (HasFatalFailure()) return;
    Run("create_table", R"({"namespace": "sales", "table": "orders", "spec": {
        "provider": "parquet", "partition_columns": ["day"], "partitions_tracked": true,
        "schema": {"type": "struct", "fields": [
          {"name": "id", "type": "long", "nullable": true, "metadata": {}},
          {"name": "day", "type": "integer", "nullable": true, "metadata": {}}]}}})");
    transport_->Clear();
  }

  void Add(const std::vector<std::string>& days) {
    std::string list;
    for (const auto& day : days) {
      list += (list.empty() ? "" : ",") + std::string(R"({"values": [")") + day +
              R"("], "location": "s3://b/sales/orders/day=)" + day + R"("})";
    }
    Run("add_partitions", R"({"namespace": "sales", "table": "orders", "if_exists": "fail",
        "partitions": [)" + list +
                              "]}");
    transport_->Clear();
  }

  glue::Partition Partition(const std::string& day) {
    const glue::Client client(transport_, "111111111111", true);
    auto partition = client.GetPartition("sales", "orders", {day}, context_);
    EXPECT_TRUE(partition) << (partition ? "" : partition.error().message);
    return partition.value_or(glue::Partition());
  }

  // Gives the partition another SerDe and a parameter, as a tool of somebody else's might.
  void Rewrite(const std::string& day, const std::string& serde) {
    glue::Partition partition = Partition(day);
    partition.storage_descriptor->serde_info->serialization_library = serde;
    partition.parameters.emplace()["foreign"] = "kept";
    const glue::Client client(transport_, "111111111111", true);
    ASSERT_TRUE(client.UpdatePartitions("sales", "orders", {partition}, context_));
    transport_->Clear();
  }

  static std::uint32_t Count(const std::string& frame) {
    std::uint32_t count = 0;
    if (frame.size() >= 16) std::memcpy(&count, frame.data() + 12, sizeof(count));
    return count;
  }

  static std::uint32_t Readers(const std::string& frame) {
    std::uint32_t count = 0;
    if (frame.size() >= 36) std::memcpy(&count, frame.data() + 32, sizeof(count));
    return count;
  }

  static std::string Alteration(const std::string& partitions,
                                const std::string& if_missing = "fail") {
    return R"({"namespace": "sales", "table": "orders", "if_missing": ")" + if_missing +
           R"(", "partitions": [)" + partitions + "]}";
  }

  static std::string List(const std::string& more) {
    return R"({"namespace": "sales", "table": "orders", "partition_schema": {"type": "struct",
        "fields": [{"name": "day", "type": "integer", "nullable": true, "metadata": {}}]})" +
           more + "}";
  }
};

TEST_F(PartitionsTest, AProjectionAsksGlueNothing) {
  const std::string projection = R"(, "projection": {"location": "s3://b/p", "parameters": {
      "projection.enabled": "true", "projection.day.type": "integer",
      "projection.day.range": "1,31"}})";
  EXPECT_EQ(Count(Run("list_partitions", List(projection))), 31U);
  const std::string frame =
      Run("list_partitions",
          List(projection + R"(, "filter": {"op": "<", "column": "day", "value": "3"})"));
  EXPECT_EQ(Count(frame), 2U);
  EXPECT_THAT(frame, HasSubstr("s3://b/p/day=2"));
  EXPECT_THAT(transport_->operations(), IsEmpty());
}

TEST_F(PartitionsTest, ABrokenProjectionNamesTableAndProperty) {
  const Error error = Failure("list_partitions", List(R"(, "projection": {"location": "s3://b/p",
      "parameters": {"projection.enabled": "true"}})"));
  EXPECT_EQ(error.kind, ErrorKind::kInvalidData);
  EXPECT_THAT(error.message, HasSubstr("catalog 'acct_a' (glue.id 111111111111): cannot list the "
                                       "partitions of table sales.orders"));
  EXPECT_THAT(error.message, HasSubstr("projection.day.type"));
}

TEST_F(PartitionsTest, APartitionOfAnotherFormatHasItsOwnReader) {
  Add({"1", "2", "3"});
  Rewrite("2", "org.apache.hadoop.hive.ql.io.orc.OrcSerde");
  Rewrite("3", "com.acme.Own");
  const std::string format = R"(, "format": {"provider": "parquet"})";
  const std::string frame = Run("list_partitions", List(format));
  EXPECT_THAT(transport_->operations(), ElementsAre("GetPartitions"));
  EXPECT_EQ(Count(frame), 3U);
  EXPECT_EQ(Readers(frame), 1U);
  EXPECT_THAT(frame, HasSubstr("orc"));
  EXPECT_EQ(Readers(Run("list_partitions", List(format + R"(,
      "filter": {"op": "=", "column": "day", "value": "1"})"))),
            0U);
  EXPECT_EQ(Readers(Run("list_partitions", List(""))), 0U);
  EXPECT_THAT(Failure("list_partitions", List(R"(, "format": {"serde": "x"})")).message,
              HasSubstr("'serde'"));
}

TEST_F(PartitionsTest, APartitionTakesTheFormatOfItsTable) {
  Add({"1", "2"});
  const auto before = Partition("2");
  Rewrite("2", "org.apache.hadoop.hive.ql.io.orc.OrcSerde");
  Run("load_table", R"({"namespace": "sales", "table": "orders"})");
  transport_->Clear();
  Run("alter_partitions", Alteration(R"({"values": ["2"], "table_format": true})"));
  EXPECT_THAT(transport_->operations(), ElementsAre("BatchGetPartition", "BatchUpdatePartition"));
  const auto after = Partition("2");
  EXPECT_EQ(after.storage_descriptor, before.storage_descriptor);
  EXPECT_EQ(after.parameters->at("foreign"), "kept");
}

TEST_F(PartitionsTest, ALocationChangesAndNothingElse) {
  Add({"1"});
  Rewrite("1", "org.apache.hadoop.hive.ql.io.orc.OrcSerde");
  const std::string change =
      Alteration(R"({"values": ["1"], "location": "s3://b/elsewhere", "parameters": {"k": "v"}})");
  EXPECT_EQ(Run("alter_partitions", change), R"({"altered":1})");
  EXPECT_THAT(transport_->operations(), ElementsAre("BatchGetPartition", "BatchUpdatePartition"));
  const auto partition = Partition("1");
  EXPECT_EQ(partition.storage_descriptor->location, "s3://b/elsewhere");
  EXPECT_EQ(partition.storage_descriptor->serde_info->serialization_library,
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde");
  EXPECT_EQ(partition.parameters->at("foreign"), "kept");
  EXPECT_EQ(partition.parameters->at("k"), "v");
  transport_->Clear();
  Run("alter_partitions", change);
  EXPECT_THAT(transport_->operations(), ElementsAre("BatchGetPartition"));
}

TEST_F(PartitionsTest, ManyPartitionsAreAlteredInBatches) {
  std::vector<std::string> days;
  std::string list;
  for (int day = 1; day <= 1050; ++day) {
    days.push_back(std::to_string(day));
    list += (list.empty() ? "" : ",") + std::string(R"({"values": [")") + days.back() +
            R"("], "parameters": {"rows": ")" + days.back() + R"("}})";
  }
  Add(days);
  EXPECT_EQ(Run("alter_partitions", Alteration(list)), R"({"altered":1050})");
  const auto operations = transport_->operations();
  EXPECT_EQ(std::ranges::count(operations, "BatchGetPartition"), 2);
  EXPECT_EQ(std::ranges::count(operations, "BatchUpdatePartition"), 11);
  EXPECT_EQ(operations.size(), 13U);
  EXPECT_EQ(Partition("777").parameters->at("rows"), "777");
  EXPECT_EQ(Partition("777").storage_descriptor->location, "s3://b/sales/orders/day=777");
}

TEST_F(PartitionsTest, APartitionThatIsNotThereDoesNotKeepTheOthersFromTheirChange) {
  Add({"1", "2"});
  const std::string list = R"({"values": ["1"], "parameters": {"k": "v"}},
      {"values": ["9"], "parameters": {"k": "v"}}, {"values": ["2"], "parameters": {"k": "v"}})";
  const Error error = Failure("alter_partitions", Alteration(list));
  EXPECT_EQ(error.kind, ErrorKind::kNotFound);
  EXPECT_THAT(error.message, HasSubstr("partition 9 of table sales.orders"));
  EXPECT_EQ(Partition("2").parameters->at("k"), "v");
  EXPECT_EQ(Run("alter_partitions", Alteration(list, "ignore")), R"({"altered":2})");

  // Dropped after it was read.
  transport_->BeforeNext("BatchUpdatePartition", [this] {
    const glue::Client client(transport_, "111111111111", true);
    ASSERT_TRUE(client.DeletePartitions("sales", "orders", {{"2"}}, context_));
  });
  const std::string both = R"({"values": ["1"], "parameters": {"k": "w"}},
      {"values": ["2"], "parameters": {"k": "w"}})";
  EXPECT_EQ(Run("alter_partitions", Alteration(both, "ignore")), R"({"altered":1})");
  EXPECT_EQ(Partition("1").parameters->at("k"), "w");
}

TEST_F(PartitionsTest, ARefusedPartitionIsNamedAndRepeatingAltersIt) {
  Add({"1", "2"});
  const std::string change = Alteration(R"({"values": ["1"], "parameters": {"k": "v"}},
      {"values": ["2"], "parameters": {"k": "v"}})");
  transport_->AnswerNext("BatchUpdatePartition", R"({"Errors": [{"PartitionValueList": ["2"],
      "ErrorDetail": {"ErrorCode": "InternalServiceException", "ErrorMessage": "try again"}}]})");
  const Error error = Failure("alter_partitions", change);
  EXPECT_EQ(error.code, "InternalServiceException");
  EXPECT_THAT(error.message, HasSubstr("partition 2 of table sales.orders"));
  Run("alter_partitions", change);
  EXPECT_EQ(Partition("2").parameters->at("k"), "v");
}

TEST_F(PartitionsTest, WhatGlueLeavesUnprocessedIsAskedForAgain) {
  Add({"1", "2"});
  const std::string change = Alteration(R"({"values": ["1"], "parameters": {"k": "v"}},
      {"values": ["2"], "parameters": {"k": "v"}})");
  const std::string left = R"({"Partitions": [{"Values": ["1"]}],
      "UnprocessedKeys": [{"Values": ["2"]}]})";
  transport_->AnswerNext("BatchGetPartition", left);
  EXPECT_EQ(Run("alter_partitions", change), R"({"altered":2})");
  EXPECT_THAT(transport_->operations(),
              ElementsAre("BatchGetPartition", "BatchGetPartition", "BatchUpdatePartition"));
  EXPECT_THAT(transport_->calls()[1].body, HasSubstr(R"("PartitionsToGet":[{"Values":["2"]}])"));
  transport_->AnswerNext("BatchGetPartition", left);
  transport_->AnswerNext("BatchGetPartition", left);
  EXPECT_EQ(Failure("alter_partitions", change).kind, ErrorKind::kUnavailable);
}

TEST_F(PartitionsTest, ARenamedPartitionKeepsAllButItsValues) {
  Add({"1", "3"});
  Rewrite("1", "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe");
  const std::string rename = R"({"namespace": "sales", "table": "orders", "values": ["1"],
      "to_values": ["2"], "location": "s3://b/sales/orders/day=2"})";
  Run("rename_partition", rename);
  EXPECT_THAT(transport_->operations(),
              ElementsAre("GetPartition", "BatchCreatePartition", "BatchDeletePartition"));
  EXPECT_EQ(Partition("2").parameters->at("foreign"), "kept");
  EXPECT_EQ(Partition("2").storage_descriptor->location, "s3://b/sales/orders/day=2");
  EXPECT_EQ(Failure("rename_partition", rename).kind, ErrorKind::kNotFound);

  const Error taken = Failure("rename_partition", R"({"namespace": "sales", "table": "orders",
      "values": ["2"], "to_values": ["3"]})");
  EXPECT_EQ(taken.kind, ErrorKind::kAlreadyExists);
  EXPECT_THAT(taken.message, HasSubstr("partition 3 of table sales.orders"));
}

TEST_F(PartitionsTest, ARenameThatStoppedHalfWayIsFinishedByRepeatingIt) {
  Add({"1"});
  const std::string rename = R"({"namespace": "sales", "table": "orders", "values": ["1"],
      "to_values": ["2"]})";
  transport_->AnswerNext("BatchDeletePartition",
                         Fail(ErrorKind::kAccessDenied, "not allowed to delete"));
  const Error error = Failure("rename_partition", rename);
  EXPECT_EQ(error.kind, ErrorKind::kAccessDenied);
  EXPECT_THAT(error.message, HasSubstr("repeat the rename"));
  EXPECT_EQ(Count(Run("list_partitions", List(""))), 2U);
  Run("rename_partition", rename);
  EXPECT_EQ(Count(Run("list_partitions", List(""))), 1U);
}

TEST_F(PartitionsTest, AnExpressionThatGlueRefusesIsFilteredHere) {
  Add({"1", "2", "3"});
  const std::string filter = R"(, "filter": {"op": "in", "column": "day", "values": ["2", "3"]})";
  for (const auto* code : {"InvalidInputException", "InvalidStateException"}) {
    Error refused = MakeError(ErrorKind::kInvalidArgument, "Invalid partition expression!");
    refused.code = code;
    transport_->Clear();
    transport_->AnswerNext("GetPartitions", Fail(refused));
    EXPECT_EQ(Count(Run("list_partitions", List(filter))), 2U);
    ASSERT_THAT(transport_->operations(), ElementsAre("GetPartitions", "GetPartitions"));
    EXPECT_THAT(transport_->calls()[0].body, HasSubstr("Expression"));
    EXPECT_THAT(transport_->calls()[1].body, Not(HasSubstr("Expression")));
  }
  Error denied = MakeError(ErrorKind::kAccessDenied, "no");
  denied.code = "AccessDeniedException";
  transport_->AnswerNext("GetPartitions", Fail(denied));
  EXPECT_EQ(Failure("list_partitions", List(filter)).kind, ErrorKind::kAccessDenied);
}

TEST_F(PartitionsTest, AnEmptyPageWithATokenIsNotTheEnd) {
  Add({"1"});
  transport_->AnswerNext("GetPartitions", R"({"Partitions": [], "NextToken": "more"})");
  transport_->AnswerNext("GetPartitions", R"({"Partitions": [{"Values": ["7"],
      "StorageDescriptor": {"Location": "s3://b/7"}}]})");
  EXPECT_EQ(Count(Run("list_partitions", List(""))), 1U);
  EXPECT_THAT(transport_->operations(), ElementsAre("GetPartitions", "GetPartitions"));
}

TEST_F(PartitionsTest, ThreeHundredLiteralsStayWithinTheLimitAndLoseNothing) {
  std::vector<std::string> days;
  std::string values;
  for (int day = 1; day <= 400; ++day) days.push_back(std::to_string(1000 * day));
  for (int day = 1; day <= 300; ++day) {
    values += (values.empty() ? "\"" : ",\"") + std::to_string(1000 * day) + "\"";
  }
  Add(days);
  const std::string frame =
      Run("list_partitions",
          List(R"(, "filter": {"op": "in", "column": "day", "values": [)" + values + "]}"));
  EXPECT_EQ(Count(frame), 300U);
  ASSERT_THAT(transport_->operations(), ElementsAre("GetPartitions"));
  const auto body = JsonDocument::Parse(transport_->calls()[0].body);
  ASSERT_TRUE(body);
  const std::string expression = body->root()["Expression"].StringOr("");
  EXPECT_GT(expression.size(), 0U);
  EXPECT_LE(expression.size(), 2048U);
}

TEST_F(PartitionsTest, ABatchThatIsThrottledInTheMiddleIsFinishedByRepeatingIt) {
  std::string list;
  for (int day = 1; day <= 250; ++day) {
    list += (list.empty() ? "" : ",") + std::string(R"({"values": [")") + std::to_string(day) +
            R"("], "location": "s3://b/d"})";
  }
  const std::string request = R"({"namespace": "sales", "table": "orders", "if_exists": "ignore",
      "partitions": [)" + list +
                              "]}";
  transport_->BeforeNext("BatchCreatePartition", [this] {
    // The first batch passes; the second does not.
    transport_->BeforeNext("BatchCreatePartition", [this] {
      transport_->AnswerNext("BatchCreatePartition", Fail(ErrorKind::kThrottled, "Rate exceeded"));
    });
  });
  const auto first = RunOperation(*catalog_, "add_partitions", request, context_);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().error.kind, ErrorKind::kThrottled);
  const std::uint32_t made = Count(Run("list_partitions", List("")));
  EXPECT_LT(made, 250U);
  EXPECT_EQ(Run("add_partitions", request),
            R"({"created":)" + std::to_string(250 - made) + R"(,"updated":0})");
  EXPECT_EQ(Count(Run("list_partitions", List(""))), 250U);
}

}  // namespace
}  // namespace gluecat::catalog
