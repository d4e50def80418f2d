// Statements that make several Glue requests, interrupted at each of them in every way and then
// repeated, leave what an undisturbed run leaves.
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalog/catalog_over_store_testing.h"
#include "core/catalog/interrupted_transport_testing.h"

namespace gluecat::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StillClock final : public Clock {
 public:
  Timestamp Now() const override { return Timestamp(std::chrono::seconds(1710498030)); }
  Deadline SteadyNow() const override { return Deadline(); }
  bool Sleep(Duration /*duration*/, const CancellationToken& /*cancellation*/) override {
    return true;
  }
};

struct Operation {
  std::string name;
  std::string request;
};

using Statement = std::vector<Operation>;

// Partitions first to last of sales.orders, for a request.
std::string Partitions(int first, int last, bool with_location) {
  std::string list;
  for (int day = first; day <= last; ++day) {
    const std::string values = "[\"" + std::to_string(day) + "\"]";
    list += list.empty() ? "" : ",";
    list += with_location
                ? R"({"values": )" + values + R"(, "location": "s3://b/sales/orders/day=)" +
                      std::to_string(day) + R"("})"
                : values;
  }
  return "[" + list + "]";
}

Operation Add(int first, int last, const std::string& if_exists = "ignore") {
  return {"add_partitions", R"({"namespace": "sales", "table": "orders", "if_exists": ")" +
                                if_exists + R"(", "partitions": )" + Partitions(first, last, true) +
                                "}"};
}

Operation Drop(int first, int last) {
  return {"drop_partitions", R"({"namespace": "sales", "table": "orders", "if_missing": "ignore",
      "partitions": )" + Partitions(first, last, false) +
                                 "}"};
}

class InterruptionTest : public CatalogOverStoreTest {
 protected:
  InterruptionTest() : CatalogOverStoreTest(std::make_shared<StillClock>()) {}

  // sales.orders with 120 partitions, an index and statistics of a column, and nothing else.
  void Reset() {
    const glue::Client client(transport_, "111111111111", true);
    ASSERT_TRUE(client.DeleteDatabase("sales", context_));
    Run("create_namespace",
        R"({"namespace": "sales", "properties": {"location": "s3://b/sales"}})");
    Run("create_table", R"({"namespace": "sales", "table": "orders", "spec": {
        "provider": "parquet", "partition_columns": ["day"], "partitions_tracked": true,
        "schema": {"type": "struct", "fields": [
          {"name": "Id", "type": "long", "nullable": true, "metadata": {}},
          {"name": "day", "type": "integer", "nullable": true, "metadata": {}}]}}})");
    ASSERT_TRUE(client.CreatePartitionIndex("sales", "orders", {"by_day", {"day"}, {}}, context_));
    Run("store_column_statistics", R"({"namespace": "sales", "table": "orders", "statistics": {
        "size_in_bytes": 9, "row_count": 3, "columns": {"Id.version": "2", "Id.nullCount": "0",
        "Id.distinctCount": "3", "Id.min": "1", "Id.max": "3"}}})");
    Run(Add(1, 120).name, Add(1, 120).request);
    transport_->Clear();
  }

  // All that Glue holds of the database, as text.
  std::string State() {
    const glue::Client client(transport_, "111111111111", true);
    const auto tables = client.GetTables("sales", context_);
    EXPECT_TRUE(tables);
    std::string state;
    for (const auto& table : *tables) {
      const std::string of_table = R"("DatabaseName": "sales", "TableName": ")" + table.name + "\"";
      for (const auto& [operation, request] : std::vector<std::pair<std::string, std::string>>{
               {"GetTable", R"({"DatabaseName": "sales", "Name": ")" + table.name + "\"}"},
               {"GetPartitions", "{" + of_table + "}"},
               {"GetPartitionIndexes", "{" + of_table + "}"},
               {"GetColumnStatisticsForTable", "{" + of_table + R"(, "ColumnNames": ["id"]})"}}) {
        auto answer = transport_->Call(operation, request, context_);
        EXPECT_TRUE(answer) << operation;
        state += answer.value_or("") + "\n";
      }
    }
    return state;
  }

  // Runs the operations as one process does, until one fails.
  std::optional<Error> Execute(const Statement& statement,
                               const std::shared_ptr<glue::Transport>& transport) {
    const auto process = MakeCatalog({}, transport);
    for (const Operation& operation : statement) {
      const auto answer = RunOperation(*process, operation.name, operation.request, context_);
      if (!answer) return answer.error().error;
    }
    return std::nullopt;
  }

  // Interrupts the statement at each of its requests and repeats it. `done` is the error with which
  // it may be refused because nothing was left to do.
  void Check(const Statement& statement, std::optional<ErrorKind> done = std::nullopt) {
    Reset();
    ASSERT_EQ(Execute(statement, transport_), std::nullopt);
    const std::size_t requests = transport_->calls().size();
    const std::string wanted = State();
    for (const Interruption interruption :
         {Interruption::kDiesBeforeCall, Interruption::kDiesBeforeAnswer, Interruption::kThrottled,
          Interruption::kPartialFailure}) {
      for (std::size_t calls = 0; calls < requests; ++calls) {
        SCOPED_TRACE("interruption " + std::to_string(static_cast<int>(interruption)) +
                     " at call " + std::to_string(calls));
        Reset();
        const auto first = Execute(
            statement, std::make_shared<InterruptedTransport>(transport_, calls, interruption));
        EXPECT_TRUE(first || interruption == Interruption::kPartialFailure);
        const bool was_done = State() == wanted;
        const auto second = Execute(statement, transport_);
        if (second) {
          EXPECT_TRUE(was_done && second->kind == done) << second->message;
        }
        EXPECT_EQ(State(), wanted);
      }
    }
  }
};

TEST_F(InterruptionTest, AppendedPartitions) { Check({Add(1, 220)}); }

TEST_F(InterruptionTest, PartitionsAddedAnewOrUpdated) { Check({Add(50, 220, "update")}); }

// INSERT OVERWRITE, and MSCK with SYNC: partitions come, others go.
TEST_F(InterruptionTest, SynchronisedPartitions) { Check({Add(100, 220), Drop(1, 99)}); }

TEST_F(InterruptionTest, DroppedPartitions) { Check({Drop(21, 110)}); }

const Operation kRename = {"rename_table", R"({"namespace": "sales", "table": "orders",
    "to_namespace": "sales", "to_table": "renamed"})"};

TEST_F(InterruptionTest, RenamedTable) { Check({kRename}, ErrorKind::kNotFound); }

TEST_F(InterruptionTest, ARenamedTableTakesPartitionsIndexesAndStatisticsAlong) {
  Reset();
  const std::string before = State();
  transport_->Clear();
  ASSERT_EQ(Execute({kRename}, transport_), std::nullopt);
  EXPECT_THAT(transport_->operations(),
              ElementsAre("GetTable", "GetPartitionIndexes", "GetColumnStatisticsForTable",
                          "CreateTable", "GetPartitions", "BatchCreatePartition",
                          "BatchCreatePartition", "UpdateColumnStatisticsForTable", "DeleteTable"));
  const std::string after = State();
  for (const char* part : {R"("IndexName":"by_day")", R"("MaximumValue":3)",
                           R"("Location":"s3://b/sales/orders/day=120")"}) {
    EXPECT_THAT(before, HasSubstr(part));
    EXPECT_THAT(after, HasSubstr(part));
  }
}

TEST_F(InterruptionTest, ARenameThatMayNotReadIndexesChangesNothing) {
  Reset();
  const std::string before = State();
  transport_->AnswerNext("GetPartitionIndexes", Fail(ErrorKind::kAccessDenied, "no"));
  const auto error = Execute({kRename}, transport_);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::kAccessDenied);
  EXPECT_THAT(error->message, HasSubstr("table sales.orders"));
  EXPECT_EQ(State(), before);
}

TEST_F(InterruptionTest, ARenameDoesWithoutStatisticsThatItDoesNotGet) {
  for (const auto kind :
       {ErrorKind::kAccessDenied, ErrorKind::kUnsupported, ErrorKind::kUnavailable}) {
    Reset();
    transport_->AnswerNext("GetColumnStatisticsForTable", Fail(kind, "no"));
    EXPECT_EQ(Execute({kRename}, transport_), std::nullopt);
    const std::string after = State();
    EXPECT_THAT(after, HasSubstr(R"("IndexName":"by_day")"));
    EXPECT_THAT(after, HasSubstr(R"("Location":"s3://b/sales/orders/day=120")"));
  }
}

}  // namespace
}  // namespace gluecat::catalog
