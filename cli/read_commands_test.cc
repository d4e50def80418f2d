#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/access_testing.h"
#include "cli/get_command.h"
#include "cli/list_command.h"
#include "cli/outcome.h"
#include "cli/partitions_command.h"
#include "cli/show_command.h"
#include "core/glue/errors.h"

namespace gluecat::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ReadCommandsTest : public AccessTest {
 protected:
  ReadCommandsTest() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"sales","Description":"What was\nsold",
        "LocationUri":"s3://bucket/sales","Parameters":{"team":"etl"}}})");
    Ok("CreateTable", R"json({"DatabaseName":"sales","TableInput":{"Name":"orders","Owner":"etl",
        "StorageDescriptor":{"Columns":[{"Name":"id","Type":"bigint","Comment":"the key"},
          {"Name":"price","Type":"decimal(10,2)"}],
          "Location":"s3://bucket/orders","SerdeInfo":{"Parameters":{"path":"s3://bucket/orders"}}},
        "PartitionKeys":[{"Name":"day","Type":"date"}],
        "Parameters":{"spark.sql.sources.provider":"parquet","note":"x"},"NewMember":{"a":[1]}}})json");
    Ok("CreateTable", R"({"DatabaseName":"sales","TableInput":{"Name":"crawled",
        "StorageDescriptor":{"Columns":[{"Name":"a","Type":"int"}],"Location":"s3://bucket/c",
          "InputFormat":"com.acme.Rows","SerdeInfo":{"SerializationLibrary":"com.acme.RowSerDe"}}}})");
    for (const std::string day : {"2026-01-01", "2026-01-02", "2026-01-03"}) {
      Ok("CreatePartition", R"({"DatabaseName":"sales","TableName":"orders","PartitionInput":
          {"Values":[")" + day + R"("],"StorageDescriptor":{"Location":"s3://bucket/orders/day=)" +
                                day + R"("}}})");
    }
  }

  std::string List(std::string database, bool json = false) {
    ListOptions options;
    options.database = std::move(database);
    options.catalog.json = json;
    const Status status = RunList(options, access_, out_);
    return status ? Written() : status.error().message;
  }

  std::string Show(std::string object, bool json = false) {
    ShowOptions options;
    options.object = std::move(object);
    options.catalog.json = json;
    const Status status = RunShow(options, access_, out_);
    return status ? Written() : status.error().message;
  }

  Status Partitions(std::string where, std::optional<std::uint64_t> limit, bool json = false) {
    PartitionsOptions options;
    options.table = "sales.orders";
    options.where = std::move(where);
    options.limit = limit;
    options.catalog.json = json;
    return RunPartitions(options, access_, out_);
  }
};

TEST_F(ReadCommandsTest, ListsDatabases) {
  EXPECT_EQ(List(""),
            "DATABASE  LOCATION           DESCRIPTION\n"
            "sales     s3://bucket/sales  What was sold\n");
  EXPECT_EQ(List("", true),
            R"([{"name":"sales","location":"s3://bucket/sales","description":"What was\nsold"}])"
            "\n");
  EXPECT_THAT(recording_->operations(), ElementsAre("GetDatabases", "GetDatabases"));
}

TEST_F(ReadCommandsTest, ListsTablesWithKindAndFormat) {
  EXPECT_EQ(List("Sales"),
            "TABLE    KIND         FORMAT   LOCATION\n"
            "crawled  hive_serde   -        s3://bucket/c\n"
            "orders   data_source  parquet  s3://bucket/orders\n");
  EXPECT_THAT(recording_->operations(), ElementsAre("GetTables"));
  const std::string json = List("sales", true);
  EXPECT_THAT(json, HasSubstr(R"({"name":"orders","kind":"data_source","format":"parquet",)"));
  EXPECT_THAT(json, HasSubstr("com.acme.RowSerDe"));
}

TEST_F(ReadCommandsTest, AnOddEntryDoesNotSpoilTheListing) {
  recording_->AnswerNext("GetTables", R"({"TableList":[{"Name":"odd","Retention":"long"},
      {"Name":"even"}]})");
  EXPECT_THAT(List("sales", true), HasSubstr(R"({"name":"odd","kind":"unsupported")"));
}

TEST_F(ReadCommandsTest, AbsentIsNotFoundAndNamesTheObject) {
  ListOptions options;
  options.database = "nowhere";
  const Status status = RunList(options, access_, out_);
  ASSERT_FALSE(status);
  EXPECT_EQ(ExitCodeOf(status.error()), kExitNotFound);
  EXPECT_THAT(status.error().message, HasSubstr("database nowhere"));
  EXPECT_THAT(Show("sales.nothing"), HasSubstr("table sales.nothing"));
}

TEST_F(ReadCommandsTest, AnswersOtherThanAbsentStayWhatTheyAre) {
  recording_->AnswerNext(
      "GetTables", Fail(glue::ErrorFromCode("ThrottlingException", "Rate exceeded", 400, "")));
  ListOptions options;
  options.database = "sales";
  const Status status = RunList(options, access_, out_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kThrottled);
  EXPECT_EQ(ExitCodeOf(status.error()), kExitFailed);
}

TEST_F(ReadCommandsTest, ShowsADatabase) {
  const std::string text = Show("sales");
  EXPECT_THAT(text, HasSubstr("Database     sales\n"));
  EXPECT_THAT(text, HasSubstr("Location     s3://bucket/sales\n"));
  EXPECT_THAT(text, HasSubstr("\nParameters\n  team  etl\n"));
  EXPECT_EQ(Show("sales", true),
            R"({"name":"sales","description":"What was\nsold","location":"s3://bucket/sales",)"
            R"("catalog_id":"111111111111","created_ms":1700000000250,)"
            R"("parameters":{"team":"etl"}})"
            "\n");
}

TEST_F(ReadCommandsTest, ShowsATable) {
  const std::string text = Show("sales.orders");
  EXPECT_THAT(text, HasSubstr("Table      sales.orders\n"));
  EXPECT_THAT(text, HasSubstr("Kind       data_source\n"));
  EXPECT_THAT(text, HasSubstr("VersionId  0\n"));
  EXPECT_THAT(text, HasSubstr("\nColumns\n"
                              "  id     bigint         the key\n"
                              "  price  decimal(10,2)  -\n"
                              "\nPartition keys\n"
                              "  day  date\n"));
  EXPECT_THAT(text, HasSubstr("  note                        x\n"));
  EXPECT_THAT(text, Not(HasSubstr("Cannot be used")));
  EXPECT_THAT(recording_->operations(), ElementsAre("GetTable"));
}

TEST_F(ReadCommandsTest, ShowsWhyATableCannotBeUsed) {
  const std::string text = Show("sales.crawled");
  EXPECT_THAT(text, HasSubstr("Cannot be used"));
  EXPECT_THAT(text, HasSubstr("input format 'com.acme.Rows' and the SerDe 'com.acme.RowSerDe'"));
  EXPECT_THAT(text, HasSubstr("\nColumns\n  a  int\n"));
  EXPECT_THAT(Show("sales.crawled", true),
              HasSubstr(R"({"database":"sales","name":"crawled","kind":"hive_serde")"));
}

TEST_F(ReadCommandsTest, ListsPartitions) {
  ASSERT_TRUE(Partitions("day > '2026-01-01'", std::nullopt));
  EXPECT_EQ(Written(),
            "day         LOCATION\n"
            "2026-01-02  s3://bucket/orders/day=2026-01-02\n"
            "2026-01-03  s3://bucket/orders/day=2026-01-03\n");
}

TEST_F(ReadCommandsTest, ALimitAsksForNoMore) {
  ASSERT_TRUE(Partitions("", 1, true));
  EXPECT_EQ(Written(), R"({"partition_keys":["day"],"partitions":[{"values":["2026-01-01"],)"
                       R"("location":"s3://bucket/orders/day=2026-01-01"}]})"
                       "\n");
  EXPECT_THAT(recording_->operations(), ElementsAre("GetTable", "GetPartitions"));
  EXPECT_THAT(recording_->calls()[1].body, HasSubstr(R"("MaxResults":1)"));
}

TEST_F(ReadCommandsTest, AnExpressionThatGlueRefusesIsAFailure) {
  const Status status = Partitions("nokey = 1", std::nullopt);
  ASSERT_FALSE(status);
  EXPECT_EQ(ExitCodeOf(status.error()), kExitFailed);
  EXPECT_THAT(status.error().message, HasSubstr("partitions of table sales.orders"));
}

TEST_F(ReadCommandsTest, GetsTheEntryAsGlueAnswered) {
  GetOptions options;
  options.object = "sales.orders";
  ASSERT_TRUE(RunGet(options, access_, out_));
  const std::string text = Written();
  EXPECT_THAT(text, HasSubstr("  \"NewMember\": {\n    \"a\": [\n      1\n    ]\n  }"));
  EXPECT_THAT(text, HasSubstr("  \"VersionId\": \"0\""));
  options.catalog.json = true;
  ASSERT_TRUE(RunGet(options, access_, out_));
  EXPECT_THAT(Written(), HasSubstr(R"("NewMember":{"a":[1]})"));
  options.object = "sales";
  ASSERT_TRUE(RunGet(options, access_, out_));
  EXPECT_THAT(Written(), HasSubstr(R"("Name":"sales")"));
}

TEST_F(ReadCommandsTest, NamesThatAreNoneAreRefusedWithoutAskingGlue) {
  GetOptions get;
  PartitionsOptions partitions;
  ListOptions list;
  partitions.table = "sales";
  list.database = "sales.orders";
  for (const Status& status : {RunGet(get, access_, out_), RunPartitions(partitions, access_, out_),
                               RunList(list, access_, out_)}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(ExitCodeOf(status.error()), kExitUsage) << status.error().message;
  }
  EXPECT_THAT(recording_->operations(), ElementsAre());
}

}  // namespace
}  // namespace gluecat::cli
