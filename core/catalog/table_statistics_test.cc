// Statistics of columns: where they are kept, which requests that makes, and when they count.
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalog/catalog_over_store_testing.h"

namespace gluecat::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class SetClock final : public Clock {
 public:
  Timestamp Now() const override { return now_; }
  Deadline SteadyNow() const override { return Deadline(); }
  bool Sleep(Duration /*duration*/, const CancellationToken& cancellation) override {
    return !cancellation.IsCancelled();
  }
  void Advance() { now_ += std::chrono::seconds(10); }

 private:
  Timestamp now_{std::chrono::seconds(1710498030)};
};

class TableStatisticsTest : public CatalogOverStoreTest {
 protected:
  TableStatisticsTest() : TableStatisticsTest(std::make_shared<SetClock>()) {}

  void SetUp() override {
    CatalogOverStoreTest::SetUp();
    if (HasFatalFailure()) return;
    std::string fields;
    for (int i = 0; i < 30; ++i) {
      fields += R"({"name": "C)" + std::to_string(i) +
                R"(", "type": "long", "nullable": true, "metadata": {}},)";
    }
    Run("create_table", R"({"namespace": "sales", "table": "orders", "spec": {
        "provider": "parquet", "partition_columns": ["day"], "partitions_tracked": true,
        "schema": {"type": "struct", "fields": [)" +
                            fields + R"(
          {"name": "day", "type": "integer", "nullable": true, "metadata": {}}]}}})");
    clock_->Advance();
    transport_->Clear();
  }

  static std::string Table(const std::string& more = "") {
    return R"({"namespace": "sales", "table": "orders")" + more + "}";
  }

  static std::string Column(const std::string& name, int largest) {
    return "\"" + name + R"(.version": "2", ")" + name + R"(.nullCount": "0", ")" + name +
           R"(.distinctCount": "5", ")" + name + R"(.max": ")" + std::to_string(largest) + "\"";
  }

  static std::string Store(const std::string& columns) {
    return Table(R"(, "statistics": {"size_in_bytes": 100, "row_count": 5, "columns": {)" +
                 columns + "}}");
  }

  glue::Parameters Parameters() {
    const glue::Client client(transport_, "111111111111", true);
    auto table = client.GetTable("sales", "orders", context_);
    EXPECT_TRUE(table);
    transport_->Clear();
    return table ? table->parameters.value_or(glue::Parameters()) : glue::Parameters();
  }

  const std::shared_ptr<SetClock> clock_;

 private:
  explicit TableStatisticsTest(std::shared_ptr<SetClock> clock)
      : CatalogOverStoreTest(clock), clock_(std::move(clock)) {}
};

TEST_F(TableStatisticsTest, AreKeptInTheEntryAndAsGluesOwn) {
  std::string columns;
  for (int i = 0; i < 30; ++i) {
    columns += (i == 0 ? "" : ",") + Column("C" + std::to_string(i), i);
  }
  Run("load_table", Table());
  Run("store_column_statistics", Store(columns));
  EXPECT_THAT(transport_->operations(),
              ElementsAre("GetTable", "UpdateTable", "UpdateColumnStatisticsForTable",
                          "UpdateColumnStatisticsForTable"));
  const auto parameters = Parameters();
  EXPECT_EQ(parameters.at("spark.sql.statistics.numRows"), "5");
  EXPECT_EQ(parameters.at("spark.sql.statistics.colStats.C7.max"), "7");
  EXPECT_EQ(parameters.at("transient_lastDdlTime"), "1710498040");
  const auto glues = transport_->Call(
      "GetColumnStatisticsForTable",
      R"({"DatabaseName": "sales", "TableName": "orders", "ColumnNames": ["c7"]})", context_);
  ASSERT_TRUE(glues);
  EXPECT_THAT(*glues, HasSubstr(R"("MaximumValue":7)"));
  EXPECT_THAT(*glues, HasSubstr(R"("ColumnType":"bigint")"));
}

TEST_F(TableStatisticsTest, ThoseOfOtherColumnsStay) {
  Run("store_column_statistics", Store(Column("C1", 1) + "," + Column("C2", 2)));
  Run("store_column_statistics",
      Store(R"("C2.version": "2", "C2.nullCount": "5", "C2.distinctCount": "0")"));
  const auto parameters = Parameters();
  EXPECT_EQ(parameters.at("spark.sql.statistics.colStats.C1.max"), "1");
  EXPECT_EQ(parameters.at("spark.sql.statistics.colStats.C2.nullCount"), "5");
  EXPECT_FALSE(parameters.contains("spark.sql.statistics.colStats.C2.max"));
}

TEST_F(TableStatisticsTest, AreStoredAgainWhereGluesOwnFailed) {
  transport_->AnswerNext("UpdateColumnStatisticsForTable",
                         Fail(ErrorKind::kThrottled, "slow down"));
  const Error error = Failure("store_column_statistics", Store(Column("C1", 1)));
  EXPECT_EQ(error.kind, ErrorKind::kThrottled);
  EXPECT_THAT(error.message, HasSubstr("table sales.orders"));
  EXPECT_THAT(error.message, HasSubstr("repeat the statement"));
  transport_->Clear();
  Run("store_column_statistics", Store(Column("C1", 1)));
  EXPECT_THAT(transport_->operations(), ElementsAre("GetTable", "UpdateColumnStatisticsForTable"));
}

TEST_F(TableStatisticsTest, GluesOwnCountUntilTheEntryChanges) {
  Run("alter_table", Table(R"(, "changes": [{"op": "set_statistics", "size_in_bytes": 100,
      "row_count": 5}])"));
  clock_->Advance();
  const glue::Client client(transport_, "111111111111", true);
  const std::string data = R"({"Type": "LONG", "LongColumnStatisticsData":
      {"MaximumValue": 7, "NumberOfNulls": 0, "NumberOfDistinctValues": 5}})";
  ASSERT_TRUE(client.UpdateColumnStatistics("sales", "orders", {{"c1", "bigint", 1710498050, data}},
                                            context_));
  transport_->Clear();
  Run("load_table", Table());
  EXPECT_EQ(Run("load_column_statistics", Table()),
            R"({"columns":{"C1.distinctCount":"5","C1.max":"7","C1.nullCount":"0",)"
            R"("C1.version":"2"}})");
  EXPECT_THAT(transport_->operations(), ElementsAre("GetTable", "GetColumnStatisticsForTable"));
  // A write makes them wrong.
  Run("alter_table", Table(R"(, "changes": [{"op": "set_statistics", "size_in_bytes": null}])"));
  EXPECT_EQ(Run("load_column_statistics", Table()), R"({"columns":{}})");
}

TEST_F(TableStatisticsTest, AWriteThatFindsNoneChangesNothing) {
  const std::string forget =
      Table(R"(, "changes": [{"op": "set_statistics", "size_in_bytes": null}])");
  Run("alter_table", forget);
  EXPECT_THAT(transport_->operations(), ElementsAre("GetTable"));

  // What Hive and Trino keep is as wrong after a write as Spark's own.
  const glue::Client client(transport_, "111111111111", true);
  auto table = client.GetTable("sales", "orders", context_);
  ASSERT_TRUE(table);
  for (const auto* key : {"numRows", "totalSize", "COLUMN_STATS_ACCURATE"}) {
    table->parameters->insert_or_assign(key, "7");
  }
  ASSERT_TRUE(client.UpdateTable("sales", *table, {}, context_));
  EXPECT_THAT(Run("load_table", Table()), HasSubstr(R"("statistics":{"size_in_bytes":7)"));
  Run("alter_table", forget);
  EXPECT_THAT(Run("load_table", Table()), Not(HasSubstr("statistics")));
  EXPECT_FALSE(Parameters().contains("COLUMN_STATS_ACCURATE"));
}

}  // namespace
}  // namespace gluecat::catalog
