// What the store's statements cost: each finds its rows through an index, in the order that is
// wanted, whatever else the file holds.
#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include <sqlite3.h>

#include "store/sqlite.h"
#include "store/store_testing.h"

namespace gluecat::store {
namespace {

// Every statement that connections of this process finish, and the steps of SQLite's machine that
// it took.
class Statements {
 public:
  static void Watch() {
    ASSERT_EQ(sqlite3_auto_extension(reinterpret_cast<void (*)()>(&Attach)), SQLITE_OK);
  }
  static void Unwatch() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(&Attach)); }
  static void Forget() {
    const std::lock_guard lock(Mutex());
    Seen().clear();
  }
  static std::map<std::string, long> All() {
    const std::lock_guard lock(Mutex());
    return Seen();
  }

 private:
  static int Attach(sqlite3* database, const char**, const sqlite3_api_routines*) {
    return sqlite3_trace_v2(database, SQLITE_TRACE_PROFILE, &Finished, nullptr);
  }
  static int Finished(unsigned, void*, void* statement, void*) {
    auto* const finished = static_cast<sqlite3_stmt*>(statement);
    const std::lock_guard lock(Mutex());
    Seen()[sqlite3_sql(finished)] += sqlite3_stmt_status(finished, SQLITE_STMTSTATUS_VM_STEP, 1);
    return 0;
  }
  static std::mutex& Mutex() {
    static std::mutex mutex;
    return mutex;
  }
  static std::map<std::string, long>& Seen() {
    static std::map<std::string, long> seen;
    return seen;
  }
};

class QueryPlansTest : public StoreTest {
 protected:
  static void SetUpTestSuite() { Statements::Watch(); }
  static void TearDownTestSuite() { Statements::Unwatch(); }

  QueryPlansTest() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
    Statements::Forget();
  }

  // The lines of EXPLAIN QUERY PLAN that say that more rows are read or sorted than wanted.
  std::vector<std::string> Faults(const std::string& sql) {
    auto connection = Connection::Open(directory_ + "/gluecat.db", 1000);
    EXPECT_TRUE(connection);
    const std::string explain = "EXPLAIN QUERY PLAN " + sql;
    std::vector<std::string> faults;
    {
      auto plan = (*connection)->Prepare(explain);
      EXPECT_TRUE(plan) << sql << ": " << plan.error().message;
      if (!plan) return {"(no plan)"};
      while (*plan->Step()) {
        const std::string line(plan->Text(3));
        const bool scans = line.starts_with("SCAN ") && line != "SCAN CONSTANT ROW";
        if (scans || line.find("TEMP B-TREE") != std::string::npos) faults.push_back(line);
      }
    }
    return faults;
  }

  // `days` × 10 partitions with the keys (country string, hour int, day string).
  void MakePartitions(int days, std::string_view more = "") {
    Ok("CreateTable",
       R"({"DatabaseName":"d","TableInput":{"Name":"t","PartitionKeys":[{"Name":"country","Type":"string"},
          {"Name":"hour","Type":"int"},{"Name":"day","Type":"string"}]})" +
           std::string(more) + "}");
    for (int day = 0; day < days; ++day) {
      std::string list;
      for (int hour = 0; hour < 10; ++hour) {
        list += (list.empty() ? "" : ",") + std::string(R"({"Values":["c)") +
                std::to_string(day % 2) + R"(","0)" + std::to_string(hour) + R"(","d)" +
                std::to_string(day) + R"("]})";
      }
      EXPECT_EQ(Ok("BatchCreatePartition",
                   R"({"DatabaseName":"d","TableName":"t","PartitionInputList":[)" + list + "]}"),
                R"({"Errors":[]})");
    }
  }
  std::string List(std::string_view expression, std::string_view more = "") {
    return Ok("GetPartitions", R"({"DatabaseName":"d","TableName":"t","Expression":")" +
                                   std::string(expression) + "\"" + std::string(more) + "}");
  }
  std::size_t Count(std::string_view expression) {
    return Texts(List(expression), "Partitions", "TableName").size();
  }
  // The steps of all statements that a listing takes.
  long Steps(std::string_view expression) {
    Statements::Forget();
    List(expression);
    long steps = 0;
    for (const auto& [sql, taken] : Statements::All()) steps += taken;
    return steps;
  }
  std::set<std::string> ReadByPages(std::string_view expression, int page) {
    std::set<std::string> all;
    std::string token;
    do {
      const auto answer =
          List(expression, R"(,"MaxResults":)" + std::to_string(page) +
                               (token.empty() ? "" : R"(,"NextToken":")" + token + "\""));
      const auto document = JsonDocument::Parse(answer);
      for (const auto& partition : document->root()["Partitions"].Elements()) {
        EXPECT_TRUE(all.insert(partition["Values"].Dump()).second) << "twice";
      }
      token = Token(answer);
    } while (!token.empty());
    return all;
  }
};

TEST_F(QueryPlansTest, NoStatementReadsMoreThanItsRows) {
  MakePartitions(3, R"(,"PartitionIndexes":[{"IndexName":"i","Keys":["hour"]}])");
  const std::string table = R"("DatabaseName":"d","TableName":"t")";
  for (
      const auto& [operation, request] : std::vector<std::pair<std::string, std::string>>{
          {"GetDatabase", R"({"Name":"d"})"},
          {"GetDatabases", "{}"},
          {"UpdateDatabase", R"({"Name":"d","DatabaseInput":{"Name":"d"}})"},
          {"CreateTable",
           R"({"DatabaseName":"d","TableInput":{"Name":"l","TargetTable":{"DatabaseName":"d","Name":"t"}}})"},
          {"GetTable", R"({"DatabaseName":"d","Name":"l"})"},
          {"GetTables", R"({"DatabaseName":"d","Expression":"t*"})"},
          {"UpdateTable", R"({"DatabaseName":"d","TableInput":{"Name":"u"}})"},
          {"GetTableVersion", "{" + table + "}"},
          {"GetTableVersions", "{" + table + "}"},
          {"GetPartitions", "{" + table + "}"},
          {"GetPartitions", "{" + table + R"(,"Expression":"hour = 1"})"},
          {"GetPartitions", "{" + table + R"(,"Expression":"country = 'c1'"})"},
          {"GetPartition", "{" + table + R"(,"PartitionValues":["c0","01","d0"]})"},
          {"BatchGetPartition",
           "{" + table + R"(,"PartitionsToGet":[{"Values":["c0","01","d0"]}]})"},
          {"UpdatePartition",
           "{" + table +
               R"(,"PartitionValueList":["c0","01","d0"],"PartitionInput":{"StorageDescriptor":{"Columns":[]}}})"},
          {"DeletePartition", "{" + table + R"(,"PartitionValues":["c0","01","d0"]})"},
          {"CreatePartitionIndex",
           "{" + table + R"(,"PartitionIndex":{"Keys":["day"],"IndexName":"j"}})"},
          {"GetPartitionIndexes", "{" + table + "}"},
          {"DeletePartitionIndex", "{" + table + R"(,"IndexName":"j"})"},
          {"UpdateColumnStatisticsForTable",
           "{" + table +
               R"(,"ColumnStatisticsList":[{"ColumnName":"a","ColumnType":"int","AnalyzedTime":1,"StatisticsData":{"Type":"LONG"}}]})"},
          {"GetColumnStatisticsForTable", "{" + table + R"(,"ColumnNames":["a"]})"},
          {"CreateUserDefinedFunction",
           R"({"DatabaseName":"d","FunctionInput":{"FunctionName":"f"}})"},
          {"GetUserDefinedFunction", R"({"DatabaseName":"d","FunctionName":"f"})"},
          {"GetUserDefinedFunctions", R"({"DatabaseName":"d","Pattern":"*"})"},
          {"GetUserDefinedFunctions", R"({"Pattern":"*"})"},
          {"SearchTables", R"({"SearchText":"t"})"},
          {"GetConnections", "{}"},
          {"GetCatalogs", "{}"},
          {"GetTags", R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:database/d"})"},
          {"DeleteTable", R"({"DatabaseName":"d","Name":"t"})"},
          {"DeleteDatabase", R"({"Name":"d"})"}}) {
    if (operation == "UpdateTable") MakeTable("u", "[]");
    Ok(operation, request);
  }
  const auto statements = Statements::All();
  // What is looked for is found where it is.
  EXPECT_EQ(Faults("SELECT id FROM tables ORDER BY entry"),
            (std::vector<std::string>{"SCAN tables", "USE TEMP B-TREE FOR ORDER BY"}));
  EXPECT_GT(statements.size(), 40U);
  for (const auto& [sql, steps] : statements) {
    if (sql.starts_with("BEGIN") || sql == "COMMIT" || sql.starts_with("PRAGMA") ||
        sql.starts_with("EXPLAIN") || sql.starts_with("--")) {
      continue;
    }
    EXPECT_EQ(Faults(sql), std::vector<std::string>()) << sql;
  }
}

// One more page costs what one page costs, however far the listing is.
TEST_F(QueryPlansTest, PagesCostTheSameFromTheFirstToTheLast) {
  MakePartitions(60);
  std::vector<long> steps;
  std::string token;
  do {
    Statements::Forget();
    const auto answer = List(
        "", R"(,"MaxResults":100)" + (token.empty() ? "" : R"(,"NextToken":")" + token + "\""));
    long taken = 0;
    for (const auto& [sql, count] : Statements::All()) taken += count;
    steps.push_back(taken);
    token = Token(answer);
  } while (!token.empty());
  ASSERT_EQ(steps.size(), 6U);
  const auto [least, most] = std::ranges::minmax(steps);
  EXPECT_LT(most, least + least / 5) << most;
}

TEST_F(QueryPlansTest, GivenFirstKeysAreFoundByTheOrderOfPartitions) {
  MakePartitions(100);
  EXPECT_EQ(Count("country = 'c1'"), 500U);
  EXPECT_EQ(Count("country = 'c2'"), 0U);
  EXPECT_EQ(Count("country = 'c'"), 0U);
  EXPECT_LT(Steps("country = 'c2'"), Steps("country = 'c1'") / 10);
  EXPECT_LT(Steps("country = 'c1'") * 3, Steps("") * 2);
  EXPECT_EQ(ReadByPages("country = 'c1'", 7).size(), 500U);
  // An int is not found by its text: "01" is 1.
  EXPECT_EQ(Count("country = 'c0' AND hour = 1"), 50U);
}

TEST_F(QueryPlansTest, AnIndexReadsItsOwnRowsOnly) {
  MakePartitions(100);
  const long all = Steps("hour = 1 AND day = 'd7'");
  Ok("CreatePartitionIndex",
     R"({"DatabaseName":"d","TableName":"t","PartitionIndex":{"Keys":["hour","day"],"IndexName":"By_Hour"}})");
  EXPECT_LT(Steps("hour = 1 AND day = 'd7'") * 20, all);
  EXPECT_EQ(Count("hour = 1 AND day = 'd7'"), 1U);
  EXPECT_EQ(Count("hour = 1"), 100U);
  EXPECT_EQ(Count("hour = 1 AND day <> 'd7'"), 99U);
  EXPECT_EQ(Count("hour = 77"), 0U);
  EXPECT_EQ(Count("hour = 1 OR hour = 2"), 200U);
  EXPECT_EQ(Count("day = 'd7'"), 10U);  // not the first key of the index
  EXPECT_EQ(ReadByPages("hour = 1", 7).size(), 100U);
  EXPECT_EQ(ReadByPages("hour = 1 AND country = 'c0'", 7).size(), 50U);

  // It follows what is written, also by batches.
  Ok("CreatePartition",
     R"({"DatabaseName":"d","TableName":"t","PartitionInput":{"Values":["x","1","d7"]}})");
  EXPECT_EQ(Count("hour = 1 AND day = 'd7'"), 2U);
  Ok("BatchDeletePartition",
     R"({"DatabaseName":"d","TableName":"t","PartitionsToDelete":[{"Values":["x","1","d7"]},{"Values":["c1","01","d7"]}]})");
  EXPECT_EQ(Count("hour = 1 AND day = 'd7'"), 0U);
  EXPECT_EQ(Count("hour = 1"), 99U);
}

TEST_F(QueryPlansTest, AListingKeepsToTheOrderThatItBeganWith) {
  MakePartitions(20);
  const auto first = List("hour = 1", R"(,"MaxResults":5)");
  Ok("CreatePartitionIndex",
     R"({"DatabaseName":"d","TableName":"t","PartitionIndex":{"Keys":["hour"],"IndexName":"i"}})");
  const auto rest = List("hour = 1", R"(,"NextToken":")" + Token(first) + "\"");
  EXPECT_EQ(Texts(rest, "Partitions", "TableName").size(), 15U);
  const auto indexed = List("hour = 1", R"(,"MaxResults":5)");
  EXPECT_EQ(Texts(List("hour = 1", R"(,"NextToken":")" + Token(indexed) + "\""), "Partitions",
                  "TableName")
                .size(),
            15U);
  Ok("DeletePartitionIndex", R"({"DatabaseName":"d","TableName":"t","IndexName":"I"})");
  EXPECT_EQ(Code("GetPartitions",
                 R"({"DatabaseName":"d","TableName":"t","Expression":"hour = 1","NextToken":")" +
                     Token(indexed) + R"("})"),
            "InvalidInputException");
  EXPECT_NE(message_.find("partition index i was deleted"), std::string::npos) << message_;
  EXPECT_EQ(Count("hour = 1"), 20U);
}

// A value that is none of its type fails a listing that looks at it, with and without an index.
TEST_F(QueryPlansTest, AnIndexHidesNoInvalidValue) {
  MakePartitions(2, R"(,"PartitionIndexes":[{"IndexName":"i","Keys":["hour"]}])");
  EXPECT_EQ(Count("hour = 1"), 2U);
  Ok("CreatePartition",
     R"({"DatabaseName":"d","TableName":"t","PartitionInput":{"Values":["c0","noon","d0"]}})");
  EXPECT_EQ(
      Code("GetPartitions", R"({"DatabaseName":"d","TableName":"t","Expression":"hour = 1"})"),
      "InvalidStateException");
  Ok("DeletePartition",
     R"({"DatabaseName":"d","TableName":"t","PartitionValues":["c0","noon","d0"]})");
  EXPECT_EQ(Count("hour = 1"), 2U);
}

}  // namespace
}  // namespace gluecat::store
