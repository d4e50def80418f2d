#include "server/ui.h"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/base/pretty_json.h"
#include "server/ui_parts.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kHostile = R"(<script>alert(1)</script>\"'&)";
constexpr std::string_view kPlace = "?catalog=111111111111&region=eu-central-1";

class UiTest : public testing::Test {
 protected:
  UiTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gluecat-ui-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    store_ = *store::Store::Open(directory_, SystemClock());
  }
  ~UiTest() override {
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  void Glue(std::string_view operation, const std::string& body) {
    const store::Principal principal{
        .account = "111111111111", .region = "eu-central-1", .arn = "arn"};
    const auto answer = store_->Execute(principal, operation, body);
    ASSERT_TRUE(answer) << operation << ": " << answer.error().message;
  }

  // Database d with table t, whose every text is hostile.
  void FillStore() {
    const std::string text(kHostile);
    Glue("CreateDatabase", R"({"DatabaseInput":{"Name":"d","Description":")" + text +
                               R"(","Parameters":{"p":")" + text + "\"}}}");
    Glue(
        "CreateTable",
        R"({"DatabaseName":"d","TableInput":{"Name":"t","Description":")" + text +
            R"(","Parameters":{"spark.sql.sources.provider":"parquet","p)" + text + R"(":")" +
            text + R"(","long":")" + std::string(5000, 'x') +
            R"(END"},"PartitionKeys":[{"Name":"k","Type":"string"}],"StorageDescriptor":{"Columns":[)"
            R"({"Name":"a","Type":"int","Comment":"none"}],"Location":"s3://b/)" +
            text + "\"}}}");
  }

  static Request Of(std::string path, std::string query, std::string host = "localhost:4566") {
    Request request;
    request.method = "GET";
    request.path = std::move(path);
    request.query = std::move(query);
    request.headers = {{"Host", std::move(host)}};
    return request;
  }

  Answer Get(const std::string& url, UiOptions options = {}, std::string host = "127.0.0.1:1") {
    const std::size_t question = url.find('?');
    return Ui(store_, options)
        .Get(Of("/ui/" + url.substr(0, question),
                question == std::string::npos ? "" : url.substr(question + 1), std::move(host)));
  }

  std::string Body(const std::string& url) {
    const auto answer = Get(url);
    EXPECT_EQ(answer.status, 200) << url << answer.body;
    return answer.body;
  }

  static bool Contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }

  std::string directory_;
  std::shared_ptr<store::Store> store_;
};

TEST_F(UiTest, EmptyStates) {
  EXPECT_TRUE(Contains(Body(""), "Nothing is stored yet"));
  Glue("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  EXPECT_TRUE(Contains(Body("database" + std::string(kPlace) + "&database=d"), "No tables."));
  Glue("DeleteDatabase", R"({"Name":"d"})");
  EXPECT_TRUE(Contains(Body(""), "No databases."));
  EXPECT_TRUE(Contains(Body("catalog" + std::string(kPlace)), "No databases."));
}

TEST_F(UiTest, NothingOfAnEntryIsMarkup) {
  FillStore();
  const std::string table = std::string(kPlace) + "&database=d&table=t";
  for (const auto& url :
       {std::string(), "catalog" + std::string(kPlace),
        "database" + std::string(kPlace) + "&database=d", "table" + table, "versions" + table,
        "partitions" + table, "entry" + table, "entry" + std::string(kPlace) + "&database=d"}) {
    const auto body = Body(url);
    EXPECT_FALSE(Contains(body, "<script")) << url;
    EXPECT_FALSE(Contains(body, "\"'&")) << url;
  }
  EXPECT_TRUE(
      Contains(Body("table" + table), "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"));
  // Neither is anything of a request.
  const auto absent = Get("table" + std::string(kPlace) + "&database=d&table=%3Cscript%3E%22%FF");
  EXPECT_GE(absent.status, 400);
  EXPECT_FALSE(Contains(absent.body, "<script"));
}

TEST_F(UiTest, LongValuesAreCutAndThereAsAWhole) {
  FillStore();
  const auto body = Body("table" + std::string(kPlace) + "&database=d&table=t");
  EXPECT_TRUE(Contains(body, "<details><summary>" + std::string(300, 'x') + "…"));
  EXPECT_TRUE(Contains(body, "<pre>" + std::string(5000, 'x') + "END</pre>"));
}

TEST_F(UiTest, PartitionsHavePagesAndEntries) {
  FillStore();
  for (int i = 100; i < 205; ++i) {
    Glue("CreatePartition",
         R"({"DatabaseName":"d","TableName":"t","PartitionInput":{"Values":["v&)" +
             std::to_string(i) + "\"]}}");
  }
  const std::string table = std::string(kPlace) + "&database=d&table=t";
  const auto first = Body("partitions" + table);
  EXPECT_TRUE(Contains(first, "v&amp;199"));
  EXPECT_FALSE(Contains(first, "v&amp;200"));
  const std::size_t token = first.find("token=");
  ASSERT_NE(token, std::string::npos);
  const auto second =
      Body("partitions" + table + "&" + first.substr(token, first.find('"', token) - token));
  EXPECT_TRUE(Contains(second, "v&amp;200"));
  EXPECT_TRUE(Contains(second, "First page"));
  EXPECT_FALSE(Contains(second, "Next page"));
  const auto json = Get("entry.json" + table + "&v0=v%26101");
  EXPECT_EQ(json.content_type, "application/json; charset=utf-8");
  EXPECT_EQ(JsonDocument::Parse(json.body)->root()["Values"].Dump(), R"(["v&101"])");
}

TEST_F(UiTest, FunctionsStatisticsAndIndexes) {
  FillStore();
  const std::string database = std::string(kPlace) + "&database=d";
  const std::string table = database + "&table=t";
  EXPECT_TRUE(Contains(Body("functions" + database), "No functions."));
  EXPECT_TRUE(Contains(Body("statistics" + table), "No column has statistics."));
  EXPECT_TRUE(Contains(Body("indexes" + table), "No partition indexes."));
  const std::string text(kHostile);
  Glue("CreateUserDefinedFunction",
       R"({"DatabaseName":"d","FunctionInput":{"FunctionName":"f","ClassName":")" + text +
           R"(","OwnerName":"o","ResourceUris":[{"ResourceType":"JAR","Uri":"s3://b/)" + text +
           "\"}]}}");
  Glue("UpdateColumnStatisticsForTable",
       R"({"DatabaseName":"d","TableName":"t","ColumnStatisticsList":[{"ColumnName":"a",)"
       R"("ColumnType":"int","AnalyzedTime":1700000000,"StatisticsData":{"Type":"LONG",)"
       R"("LongColumnStatisticsData":{"MinimumValue":-7,"MaximumValue":41,"NumberOfNulls":3,)"
       R"("NumberOfDistinctValues":9}}}]})");
  Glue(
      "CreatePartitionIndex",
      R"({"DatabaseName":"d","TableName":"t","PartitionIndex":{"IndexName":"by_k","Keys":["k"]}})");
  const auto functions = Body("functions" + database);
  EXPECT_TRUE(Contains(functions, ">f<"));
  EXPECT_TRUE(Contains(functions, "JAR"));
  EXPECT_TRUE(Contains(functions, "&lt;script&gt;"));
  EXPECT_FALSE(Contains(functions, "<script"));
  const auto statistics = Body("statistics" + table);
  for (const auto* part : {"MinimumValue = ", "-7", "41", "2023-11-14 22:13:20 UTC"}) {
    EXPECT_TRUE(Contains(statistics, part)) << part;
  }
  const auto indexes = Body("indexes" + table);
  for (const auto* part : {"by_k", "ACTIVE", "string"})
    EXPECT_TRUE(Contains(indexes, part)) << part;
  for (const auto* link : {"statistics?", "indexes?"}) {
    EXPECT_TRUE(Contains(Body("table" + table), link)) << link;
  }
  EXPECT_TRUE(Contains(Body("database" + database), "functions?"));
  EXPECT_EQ(Get("statistics" + database + "&table=absent").status, 404);
}

TEST_F(UiTest, StatisticsOfManyColumns) {
  std::string columns;
  for (int i = 0; i < 130; ++i) {
    const std::string name = "c" + std::to_string(i);
    columns += (i == 0 ? "" : ",") + (R"({"Name":")" + name + R"(","Type":"boolean"})");
  }
  Glue("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  Glue("CreateTable",
       R"({"DatabaseName":"d","TableInput":{"Name":"w","StorageDescriptor":{"Columns":[)" +
           columns + "]}}}");
  for (const std::string name : {"c0", "c129"}) {
    Glue("UpdateColumnStatisticsForTable",
         R"({"DatabaseName":"d","TableName":"w","ColumnStatisticsList":[{"ColumnName":")" + name +
             R"(","ColumnType":"boolean","AnalyzedTime":1700000000,"StatisticsData":{)"
             R"("Type":"BOOLEAN","BooleanColumnStatisticsData":{"NumberOfTrues":1,)"
             R"("NumberOfFalses":2,"NumberOfNulls":0}}}]})");
  }
  const auto body = Body("statistics" + std::string(kPlace) + "&database=d&table=w");
  EXPECT_TRUE(Contains(body, ">c0<"));
  EXPECT_TRUE(Contains(body, ">c129<"));
  EXPECT_FALSE(Contains(body, ">c1<"));
}

TEST_F(UiTest, OldVersions) {
  FillStore();
  Glue(
      "UpdateTable",
      R"({"DatabaseName":"d","TableInput":{"Name":"t","Description":"the new one","PartitionKeys":)"
      R"([{"Name":"k","Type":"string"}]}})");
  const std::string table = std::string(kPlace) + "&database=d&table=t";
  EXPECT_TRUE(Contains(Body("versions" + table), "version=0"));
  EXPECT_TRUE(Contains(Body("table" + table), "the new one"));
  EXPECT_FALSE(Contains(Body("table" + table + "&version=0"), "the new one"));
  EXPECT_EQ(Get("table" + table + "&version=7").status, 404);
}

TEST_F(UiTest, WhatIsNotThere) {
  for (const std::string url : {"nowhere", "a/b", "../x"}) EXPECT_EQ(Get(url).status, 404) << url;
  EXPECT_EQ(Get("database" + std::string(kPlace) + "&database=absent").status, 404);
  EXPECT_EQ(Get("table" + std::string(kPlace)).status, 400);
  EXPECT_EQ(Get("partitions" + std::string(kPlace) + "&database=d&table=t&token=x").status, 404);
  EXPECT_EQ(Get("?from=99999999999999999999999").status, 200);
}

TEST_F(UiTest, ForeignHostsSeeNothing) {
  FillStore();
  for (const auto* host : {"evil.example", "evil.example:4566", "127.0.0.1.evil.example", ""}) {
    const auto answer = Get("", {}, host);
    EXPECT_EQ(answer.status, 403) << host;
    EXPECT_FALSE(Contains(answer.body, "111111111111"));
  }
  for (const auto* host : {"localhost", "[::1]:4566", "127.0.0.1:4566"}) {
    EXPECT_EQ(Get("", {}, host).status, 200) << host;
  }
  EXPECT_EQ(
      Get("", {.needs_signature = false, .loopback_hosts_only = false}, "glue.example").status,
      200);
  auto foreign = Of("/ui/", "");
  foreign.headers.emplace_back("Origin", "http://evil.example");
  EXPECT_EQ(Ui(store_, {}).Get(foreign).status, 403);
}

TEST_F(UiTest, WithoutASignatureThereIsOnlyAnExplanation) {
  FillStore();
  const UiOptions closed{.needs_signature = true, .loopback_hosts_only = false};
  for (const auto& url : {std::string(), "table" + std::string(kPlace) + "&database=d&table=t",
                          std::string("nowhere")}) {
    const auto answer = Get(url, closed);
    EXPECT_EQ(answer.status, 403);
    EXPECT_TRUE(Contains(answer.body, "--ui"));
    EXPECT_FALSE(Contains(answer.body, "111111111111"));
  }
  EXPECT_EQ(Get("style.css", closed).status, 200);
}

TEST(UiPartsTest, Times) {
  EXPECT_EQ(TimeText(1'700'000'000.5), "2023-11-14 22:13:20 UTC");
  EXPECT_EQ(TimeText(1e300), "1e+300");
}

TEST(UiPartsTest, Urls) {
  UiPlace place;
  place.catalog = "1:a/b";
  place.database = "d&x=\"<";
  EXPECT_EQ(UiUrl("database", place, {{"token", ""}, {"from", "1"}}),
            "database?catalog=1%3Aa%2Fb&database=d%26x%3D%22%3C&from=1");
  const auto back = UiPlace::Of(ParseForm("catalog=1%3Aa%2Fb&database=d%26x%3D%22%3C"));
  EXPECT_EQ(back.catalog, place.catalog);
  EXPECT_EQ(back.database, place.database);
}

TEST(PrettyJsonTest, Indents) {
  const auto document = JsonDocument::Parse(R"({"a":[1,"x\n"],"b":{},"c":[],"d":null})");
  EXPECT_EQ(
      PrettyJson(document->root()),
      "{\n  \"a\": [\n    1,\n    \"x\\n\"\n  ],\n  \"b\": {},\n  \"c\": [],\n  \"d\": null\n}");
}

}  // namespace
}  // namespace gluecat::server
