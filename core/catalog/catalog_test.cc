// The catalog against the real store, through a transport that counts calls and
// can make Glue misbehave.
#include "core/catalog/catalog.h"

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/catalog/catalog_over_store_testing.h"

namespace gluecat::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Stands still, and sleeping takes no time.
class StillClock final : public Clock {
 public:
  Timestamp Now() const override { return Timestamp(std::chrono::seconds(1700000000)); }
  Deadline SteadyNow() const override {
    return Deadline(std::chrono::milliseconds(steady_ms_.load()));
  }
  bool Sleep(Duration /*duration*/, const CancellationToken& cancellation) override {
    std::this_thread::yield();
    return !cancellation.IsCancelled();
  }
  void Advance(std::chrono::milliseconds by) { steady_ms_ += by.count(); }

 private:
  std::atomic<std::int64_t> steady_ms_{0};
};

class CatalogTest : public CatalogOverStoreTest {
 protected:
  CatalogTest() : CatalogTest(std::make_shared<StillClock>()) {}

  void CreateParquet(const std::string& name) {
    Run("create_table", R"({"namespace": "sales", "table": ")" + name + R"(", "spec": {
        "provider": "parquet", "partition_columns": ["day"], "partitions_tracked": true,
        "schema": {"type": "struct", "fields": [
          {"name": "Id", "type": "long", "nullable": true, "metadata": {}},
          {"name": "day", "type": "integer", "nullable": true, "metadata": {}}]}}})");
  }

  std::string SetProperty(const std::string& key) {
    return R"({"namespace": "sales", "table": "orders", "changes": [
        {"op": "set_property", "key": ")" +
           key + R"(", "value": "v"}]})";
  }

  glue::Table RawTable(const std::string& name) {
    const glue::Client client(transport_, "111111111111", true);
    auto table = client.GetTable("sales", name, context_);
    EXPECT_TRUE(table);
    return table.value_or(glue::Table());
  }

  const std::shared_ptr<StillClock> clock_;

 private:
  explicit CatalogTest(const std::shared_ptr<StillClock>& clock)
      : CatalogOverStoreTest(clock), clock_(clock) {}
};

TEST_F(CatalogTest, NamespacesLiveThroughTheirOperations) {
  Run("create_namespace",
      R"({"namespace": "Mixed", "properties": {"comment": "c", "location": "s3://b/m", "k": "v"}})");
  EXPECT_EQ(Run("list_namespaces", "{}"), R"({"namespaces":["mixed","sales"]})");
  EXPECT_EQ(Run("load_namespace", R"({"namespace": "MIXED"})"),
            R"({"name":"mixed","comment":"c","location":"s3://b/m","properties":{"k":"v"}})");
  Run("alter_namespace", R"({"namespace": "mixed", "changes": [
      {"op": "set_property", "key": "owner", "value": "o"}, {"op": "remove_property", "key": "k"},
      {"op": "set_property", "key": "comment", "value": "d"}]})");
  EXPECT_EQ(Run("load_namespace", R"({"namespace": "mixed"})"),
            R"({"name":"mixed","comment":"d","location":"s3://b/m","owner":"o","properties":{}})");
  Run("drop_namespace", R"({"namespace": "mixed", "cascade": false})");
  EXPECT_EQ(Failure("load_namespace", R"({"namespace": "mixed"})").kind, ErrorKind::kNotFound);
}

TEST_F(CatalogTest, ANamespaceThatIsAsWantedIsNotWritten) {
  transport_->Clear();
  Run("alter_namespace", R"({"namespace": "sales", "changes": [
      {"op": "set_property", "key": "location", "value": "s3://b/sales"}]})");
  EXPECT_THAT(transport_->operations(), ElementsAre("GetDatabase"));
}

TEST_F(CatalogTest, ANamespaceWithTablesNeedsCascade) {
  CreateParquet("orders");
  const Error error = Failure("drop_namespace", R"({"namespace": "sales"})");
  EXPECT_EQ(error.kind, ErrorKind::kNotEmpty);
  EXPECT_THAT(error.message, HasSubstr("CASCADE"));
  Run("drop_namespace", R"({"namespace": "sales", "cascade": true})");
}

TEST_F(CatalogTest, NamespacesWithoutLocationLieInTheWarehouse) {
  catalog_ = MakeCatalog({{"warehouse", "s3://b/w/"}});
  Run("create_namespace", R"({"namespace": "n", "properties": {}})");
  EXPECT_THAT(Run("load_namespace", R"({"namespace": "n"})"), HasSubstr("s3://b/w/n.db"));
}

TEST_F(CatalogTest, CreateTakesTwoCallsAndOneWithALocation) {
  CreateParquet("orders");
  EXPECT_THAT(transport_->operations(), ElementsAre("GetDatabase", "CreateTable"));
  EXPECT_THAT(Run("load_table", R"({"namespace": "sales", "table": "ORDERS"})"),
              HasSubstr(R"("location":"s3://b/sales/orders")"));
  transport_->Clear();
  Run("create_table", R"({"namespace": "sales", "table": "placed", "spec": {
      "provider": "parquet", "location": "s3://b/elsewhere",
      "schema": {"type": "struct", "fields": []}}})");
  EXPECT_THAT(transport_->operations(), ElementsAre("CreateTable"));
}

TEST_F(CatalogTest, ACreateAfterALoadOfItsDatabaseDoesNotReadItAgain) {
  Run("load_namespace", R"({"namespace": "SALES"})");
  CreateParquet("orders");
  EXPECT_THAT(transport_->operations(), ElementsAre("GetDatabase", "CreateTable"));
  transport_->Clear();
  CreateParquet("given_out_once");
  EXPECT_THAT(transport_->operations(), ElementsAre("GetDatabase", "CreateTable"));
  Run("load_namespace", R"({"namespace": "sales"})");
  clock_->Advance(std::chrono::seconds(11));
  transport_->Clear();
  CreateParquet("too_late");
  EXPECT_THAT(transport_->operations(), ElementsAre("GetDatabase", "CreateTable"));
}

TEST_F(CatalogTest, ANewLocationOfADatabaseCountsAtOnce) {
  Run("load_namespace", R"({"namespace": "sales"})");
  Run("alter_namespace", R"({"namespace": "sales", "changes": [
      {"op": "set_property", "key": "location", "value": "s3://b/moved"}]})");
  EXPECT_THAT(Run("resolve_location", R"({"namespace": "sales", "table": "t"})"),
              HasSubstr("s3://b/moved/t"));
}

TEST_F(CatalogTest, TablesWithoutAnyLocationAreRefusedByName) {
  Run("create_namespace", R"({"namespace": "bare", "properties": {}})");
  transport_->Clear();
  const Error error = Failure("create_table", R"({"namespace": "bare", "table": "t", "spec": {
      "provider": "parquet", "schema": {"type": "struct", "fields": []}}})");
  EXPECT_EQ(error.kind, ErrorKind::kInvalidArgument);
  EXPECT_THAT(error.message, HasSubstr("catalog 'acct_a' (glue.id 111111111111)"));
  EXPECT_THAT(error.message, HasSubstr("bare.t"));
  EXPECT_THAT(error.message, HasSubstr("spark.sql.catalog.acct_a.warehouse"));
  EXPECT_THAT(transport_->operations(), ElementsAre("GetDatabase"));
}

TEST_F(CatalogTest, MissingAndExistingObjectsAreNamed) {
  CreateParquet("orders");
  const Error missing = Failure("load_table", R"({"namespace": "Sales", "table": "Nope"})");
  EXPECT_EQ(missing.kind, ErrorKind::kNotFound);
  EXPECT_THAT(missing.message, HasSubstr("catalog 'acct_a' (glue.id 111111111111): table "
                                         "sales.nope does not exist"));
  const Error existing = Failure("create_table", R"({"namespace": "sales", "table": "orders",
      "spec": {"provider": "parquet", "schema": {"type": "struct", "fields": []}}})");
  EXPECT_EQ(existing.kind, ErrorKind::kAlreadyExists);
  EXPECT_THAT(existing.message, HasSubstr("table sales.orders exists already"));
  const Error database = Failure("create_table", R"({"namespace": "none", "table": "t",
      "spec": {"provider": "parquet", "location": "s3://b/x",
               "schema": {"type": "struct", "fields": []}}})");
  EXPECT_EQ(database.kind, ErrorKind::kNotFound);
  EXPECT_THAT(database.message, HasSubstr("database none does not exist"));
}

TEST_F(CatalogTest, DeniedAndThrottledAreNeverAbsent) {
  for (const auto& [code, kind] : {std::pair("AccessDeniedException", ErrorKind::kAccessDenied),
                                   std::pair("ThrottlingException", ErrorKind::kThrottled)}) {
    Error error;
    error.kind = kind;
    error.code = code;
    transport_->AnswerNext("GetTable", std::unexpected(error));
    const Error seen = Failure("load_table", R"({"namespace": "sales", "table": "orders"})");
    EXPECT_EQ(seen.kind, kind);
    EXPECT_THAT(seen.message, HasSubstr(code));
    transport_->AnswerNext("DeleteTable", std::unexpected(error));
    EXPECT_EQ(Failure("drop_table", R"({"namespace": "sales", "table": "orders"})").kind, kind);
  }
}

TEST_F(CatalogTest, EmptyAndOverLongNamesMakeNoCall) {
  EXPECT_THAT(Failure("load_table", R"({"namespace": "sales", "table": " "})").message,
              HasSubstr("the table name is empty"));
  EXPECT_THAT(
      Failure("create_namespace", R"({"namespace": ")" + std::string(256, 'x') + "\"}").message,
      HasSubstr("256 characters; Glue allows 255"));
  EXPECT_THAT(transport_->operations(), IsEmpty());
}

TEST_F(CatalogTest, AlterAfterLoadTakesOneCallAndUnchangedOnesNone) {
  CreateParquet("orders");
  Run("load_table", R"({"namespace": "sales", "table": "orders"})");
  transport_->Clear();
  Run("alter_table", SetProperty("a"));
  EXPECT_THAT(transport_->operations(), ElementsAre("UpdateTable"));
  EXPECT_THAT(transport_->calls()[0].body, HasSubstr(R"("SkipArchive":true,"VersionId":"0")"));
  transport_->Clear();
  Run("alter_table", SetProperty("a"));
  EXPECT_THAT(transport_->operations(), ElementsAre("GetTable"));
}

TEST_F(CatalogTest, AnEntryReadLongAgoIsReadAgain) {
  CreateParquet("orders");
  Run("load_table", R"({"namespace": "sales", "table": "orders"})");
  clock_->Advance(std::chrono::seconds(6));
  transport_->Clear();
  Run("alter_table", SetProperty("a"));
  EXPECT_THAT(transport_->operations(), ElementsAre("GetTable", "UpdateTable"));
}

TEST_F(CatalogTest, ALostRaceIsAppliedAgainToTheNewEntry) {
  CreateParquet("orders");
  Run("load_table", R"({"namespace": "sales", "table": "orders"})");
  const auto other = MakeCatalog({});
  transport_->BeforeNext("UpdateTable", [&] {
    ASSERT_TRUE(RunOperation(*other, "alter_table", SetProperty("theirs"), context_));
  });
  Run("alter_table", SetProperty("ours"));
  const glue::Table table = RawTable("orders");
  EXPECT_NE(table.Parameter("theirs"), nullptr);
  EXPECT_NE(table.Parameter("ours"), nullptr);
  EXPECT_EQ(table.version_id, "2");
}

TEST_F(CatalogTest, TwentyWritersLoseNothing) {
  CreateParquet("orders");
  constexpr int kWriters = 20;
  std::atomic<int> failures{0};
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      const auto answer =
          RunOperation(*catalog_, "alter_table", SetProperty("k" + std::to_string(i)), context_);
      if (!answer) ++failures;
    });
  }
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(failures, 0);
  const glue::Table table = RawTable("orders");
  for (int i = 0; i < kWriters; ++i) {
    EXPECT_NE(table.Parameter("k" + std::to_string(i)), nullptr) << i;
  }
}

TEST_F(CatalogTest, AnUpdateWhoseAnswerWasLostSucceedsWithoutASecondWrite) {
  CreateParquet("orders");
  transport_->RepeatNext("UpdateTable");
  Run("alter_table", SetProperty("a"));
  EXPECT_EQ(RawTable("orders").version_id, "1");
}

TEST_F(CatalogTest, CreatesAndDropsWhoseAnswersWereLostSucceed) {
  transport_->RepeatNext("CreateTable");
  CreateParquet("orders");
  transport_->RepeatNext("BatchCreatePartition");
  EXPECT_EQ(Run("add_partitions", R"({"namespace": "sales", "table": "orders",
      "if_exists": "fail", "partitions": [{"values": ["1"], "location": "s3://b/1"}]})"),
            R"({"created":1,"updated":0})");
  transport_->RepeatNext("DeleteTable");
  EXPECT_EQ(Run("drop_table", R"({"namespace": "sales", "table": "orders"})"),
            R"({"dropped":true})");
  transport_->RepeatNext("CreateDatabase");
  Run("create_namespace", R"({"namespace": "again", "properties": {"k": "v"}})");
  transport_->RepeatNext("DeleteDatabase");
  Run("drop_namespace", R"({"namespace": "again", "cascade": true})");
}

TEST_F(CatalogTest, ForeignMembersSurviveAnAlter) {
  ASSERT_TRUE(transport_->Call("CreateTable", R"({"DatabaseName": "sales", "TableInput": {
      "Name": "orders", "Description": "d", "Owner": "o", "Retention": 3,
      "Parameters": {"foo": "bar", "spark.sql.sources.provider": "parquet"},
      "StorageDescriptor": {"Location": "s3://b/o", "Columns": [
        {"Name": "a", "Type": "int", "Comment": "c", "Parameters": {"p": "q"}}],
        "SkewedInfo": {"SkewedColumnNames": ["a"]}, "BucketColumns": [], "NumberOfBuckets": -1,
        "SerdeInfo": {"SerializationLibrary": "l", "Parameters": {"path": "s3://b/o"}}}}})",
                               context_));
  const glue::Table before = RawTable("orders");
  Run("alter_table", SetProperty("a"));
  glue::Table after = RawTable("orders");
  ASSERT_TRUE(after.parameters);
  EXPECT_EQ(after.parameters->extract("a").mapped(), "v");
  after.version_id = before.version_id;
  after.update_time = before.update_time;
  EXPECT_EQ(after, before);
}

TEST_F(CatalogTest, EveryEntryIsListed) {
  CreateParquet("orders");
  for (const char* input :
       {R"({"Name": "odd"})", R"({"Name": "ice", "Parameters": {"table_type": "ICEBERG"}})",
        R"({"Name": "view", "TableType": "VIRTUAL_VIEW"})"}) {
    ASSERT_TRUE(transport_->Call(
        "CreateTable", R"({"DatabaseName": "sales", "TableInput": )" + std::string(input) + "}",
        context_));
  }
  const std::string listed = Run("list_tables", R"({"namespace": "sales"})");
  for (const char* part :
       {R"("name":"orders","kind":"data_source")", R"("name":"ice","kind":"iceberg")",
        R"("name":"view","kind":"view")", R"("name":"odd")"}) {
    EXPECT_THAT(listed, HasSubstr(part));
  }
}

TEST_F(CatalogTest, RenameMovesPartitionsAndCanBeRepeated) {
  CreateParquet("orders");
  Run("add_partitions", R"({"namespace": "sales", "table": "orders", "if_exists": "fail",
      "partitions": [{"values": ["1"], "location": "s3://b/1", "parameters": {"numRows": "7"}}]})");
  Error denied;
  denied.kind = ErrorKind::kAccessDenied;
  denied.code = "AccessDeniedException";
  transport_->AnswerNext("DeleteTable", std::unexpected(denied));
  const std::string rename = R"({"namespace": "sales", "table": "orders",
      "to_namespace": "sales", "to_table": "Renamed"})";
  EXPECT_THAT(Failure("rename_table", rename).message, HasSubstr("repeat the rename"));
  Run("rename_table", rename);
  EXPECT_EQ(Failure("load_table", R"({"namespace": "sales", "table": "orders"})").kind,
            ErrorKind::kNotFound);
  const auto partitions = transport_->Call(
      "GetPartitions", R"({"DatabaseName": "sales", "TableName": "renamed"})", context_);
  ASSERT_TRUE(partitions);
  EXPECT_THAT(*partitions, HasSubstr("s3://b/1"));
  EXPECT_THAT(*partitions, HasSubstr("numRows"));
}

TEST_F(CatalogTest, RenameOntoAnotherTableChangesNothing) {
  CreateParquet("orders");
  CreateParquet("other");
  EXPECT_EQ(Failure("rename_table", R"({"namespace": "sales", "table": "orders",
      "to_namespace": "sales", "to_table": "other"})")
                .kind,
            ErrorKind::kAlreadyExists);
  EXPECT_EQ(RawTable("orders").storage_descriptor->location, "s3://b/sales/orders");
  EXPECT_EQ(RawTable("other").storage_descriptor->location, "s3://b/sales/other");
}

TEST_F(CatalogTest, PartitionsAreAddedUpdatedIgnoredAndDropped) {
  CreateParquet("orders");
  const auto add = [](const std::string& mode, const std::string& location) {
    return R"({"namespace": "sales", "table": "orders", "if_exists": ")" + mode +
           R"(", "partitions": [{"values": ["1"], "location": ")" + location +
           R"("}, {"values": ["2"], "location": "s3://b/2"}]})";
  };
  Run("load_table", R"({"namespace": "sales", "table": "orders"})");
  transport_->Clear();
  EXPECT_EQ(Run("add_partitions", add("fail", "s3://b/1")), R"({"created":2,"updated":0})");
  EXPECT_THAT(transport_->operations(), ElementsAre("BatchCreatePartition"));
  const Error exists = Failure("add_partitions", add("fail", "s3://b/1"));
  EXPECT_EQ(exists.kind, ErrorKind::kAlreadyExists);
  EXPECT_THAT(exists.message, HasSubstr("partition 1, 2 of table sales.orders"));
  EXPECT_EQ(Run("add_partitions", add("ignore", "s3://b/x")), R"({"created":0,"updated":0})");
  EXPECT_EQ(Run("add_partitions", add("update", "s3://b/moved")), R"({"created":0,"updated":2})");
  EXPECT_THAT(*transport_->Call("GetPartition", R"({"DatabaseName": "sales", "TableName": "orders",
                                "PartitionValues": ["1"]})",
                                context_),
              HasSubstr("s3://b/moved"));
  const std::string drop = R"({"namespace": "sales", "table": "orders", "if_missing": "fail",
                               "partitions": [["1"], ["9"]]})";
  EXPECT_EQ(Failure("drop_partitions", drop).kind, ErrorKind::kNotFound);
  EXPECT_EQ(Run("drop_partitions", R"({"namespace": "sales", "table": "orders",
                "if_missing": "ignore", "partitions": [["1"], ["2"]]})"),
            R"({"dropped":1})");
}

std::string ListRequest(const std::string& filter) {
  return R"({"namespace": "sales", "table": "orders", "partition_schema": {"type": "struct",
      "fields": [{"name": "day", "type": "integer", "nullable": true, "metadata": {}}]}, )"
         R"("filter": )" +
         filter + "}";
}

std::uint32_t PartitionCount(const std::string& frame) {
  std::uint32_t count = 0;
  std::memcpy(&count, frame.data() + 12, 4);
  return count;
}

TEST_F(CatalogTest, PredicatesReachGlueAndAreAppliedAgain) {
  CreateParquet("orders");
  std::string partitions;
  for (int day = 1; day <= 30; ++day) {
    partitions += (day == 1 ? "" : ",") + std::string(R"({"values": [")") + std::to_string(day) +
                  R"("], "location": "s3://b/x"})";
  }
  Run("add_partitions", R"({"namespace": "sales", "table": "orders", "if_exists": "fail",
      "partitions": [)" + partitions +
                            "]}");
  transport_->Clear();
  EXPECT_EQ(PartitionCount(Run("list_partitions",
                               ListRequest(R"({"op": ">=", "column": "day", "value": "10"})"))),
            21U);
  ASSERT_EQ(transport_->calls().size(), 1U);
  EXPECT_THAT(transport_->calls()[0].body, HasSubstr("day >= 10"));

  // A service that refuses the expression is asked without, and the filter stays ours.
  Error refused;
  refused.kind = ErrorKind::kInvalidArgument;
  refused.code = "InvalidInputException";
  transport_->AnswerNext("GetPartitions", std::unexpected(refused));
  EXPECT_EQ(PartitionCount(Run("list_partitions",
                               ListRequest(R"({"op": "=", "column": "day", "value": "7"})"))),
            1U);
}

TEST_F(CatalogTest, RequestsAreReadStrictly) {
  EXPECT_THAT(Failure("load_table", R"({"namespace": "sales"})").message, HasSubstr("'table'"));
  EXPECT_THAT(Failure("load_table", R"({"namespace": "s", "table": "t", "tabel": 1})").message,
              HasSubstr("'tabel' is unknown"));
  EXPECT_THAT(Failure("drop_database", "{}").message, HasSubstr("unknown operation"));
  EXPECT_EQ(Failure("load_table", "{").kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(Failure("load_table", "[]").kind, ErrorKind::kInvalidArgument);
  EXPECT_THAT(transport_->operations(), IsEmpty());
}

TEST_F(CatalogTest, ErrorsHaveTheJsonFormOfTheWaist) {
  Error error = MakeError(ErrorKind::kThrottled, "slow \"down\"");
  error.code = "ThrottlingException";
  error.http_status = 400;
  error.retryable = true;
  EXPECT_EQ(ErrorJson(error, "acct_a", "111111111111", "sales.orders"),
            R"({"kind":"throttled","message":"slow \"down\"","code":"ThrottlingException",)"
            R"("http_status":400,"request_id":"","retryable":true,"catalog":"acct_a",)"
            R"("glue_id":"111111111111","object":"sales.orders"})");
}

}  // namespace
}  // namespace gluecat::catalog
