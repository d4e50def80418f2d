#include "core/glue/partition_listing.h"

#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.h"

namespace gluecat::glue {
namespace {

using testing::ElementsAre;

TEST(GuessNextToken, FindsItAtEitherEnd) {
  for (const auto* page : {
           R"({"Partitions": [], "NextToken": "abc="})",
           R"({"Partitions":[],"NextToken":"abc="})",
           " {\n\"NextToken\" : \"abc=\" , \"Partitions\": [] } \n",
           R"({"Partitions": [{"Values": ["NextToken"]}], "NextToken" : "abc=" } )",
       }) {
    EXPECT_EQ(GuessNextToken(page), "abc=") << page;
  }
}

TEST(GuessNextToken, DoesNotTakeAnythingElseForIt) {
  for (const auto* page : {
           "",
           "{",
           "{}",
           "{\"NextToken\"",
           R"({"NextToken":)",
           R"({"NextToken": "a)",
           R"({"NextToken": null, "Partitions": []})",
           R"({"NextToken": "", "Partitions": []})",
           R"({"NextToken": "a\"b", "Partitions": []})",
           R"({"Partitions": [{"Parameters": {"NextToken": "abc"}}]})",
           R"({"Partitions": [], "NextToken": "abc", "More": 1})",
       }) {
    EXPECT_EQ(GuessNextToken(page), std::nullopt) << page;
  }
}

class Collector final : public PartitionSink {
 public:
  std::vector<std::string> seen;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> revisions;
  std::size_t most = 1000;

  Status Add(const PartitionView& partition) override {
    if (seen.size() == most) return Fail(ErrorKind::kLimitExceeded, "enough");
    std::string text;
    for (const auto value : partition.values) text += std::string(value) + "/";
    if (partition.location) text += "@" + std::string(*partition.location);
    text += " " + std::string(partition.input_format.value_or("-"));
    text += " " + std::string(partition.output_format.value_or("-"));
    text += " " + std::string(partition.serialization_library.value_or("-"));
    for (const auto& [key, value] : partition.serde_parameters) {
      text += " " + std::string(key) + "=" + std::string(value);
    }
    for (const auto& [key, value] : partition.parameters) {
      text += " " + std::string(key) + ":" + std::string(value);
    }
    seen.push_back(text);
    revisions.emplace_back(partition.format_revision, partition.parameters_revision);
    return {};
  }
};

// Answers with the pages in their order.
class Pages {
 public:
  explicit Pages(std::vector<Result<std::string>> pages) : pages_(std::move(pages)) {}

  PageSource source() {
    return [this](const std::string& token, std::string&) -> Result<std::string> {
      asked.push_back(token);
      if (asked.size() > pages_.size()) return Fail(ErrorKind::kInternal, "no more pages");
      return pages_[asked.size() - 1];
    };
  }

  std::vector<std::string> asked;

 private:
  std::vector<Result<std::string>> pages_;
};

TEST(ListPartitions, AsksForEachPageOnce) {
  Pages pages({R"({"Partitions": [{"Values": ["1"]}], "NextToken": "a"})",
               R"({"NextToken": "b", "Partitions": []})",
               R"({"Partitions": [], "NextToken": "c\u0064", "Extra": {}})",
               R"({"Partitions": [{"Values": ["2"]}]})"});
  Collector sink;
  ASSERT_TRUE(ListPartitions(pages.source(), sink));
  EXPECT_THAT(sink.seen, ElementsAre("1/ - - -", "2/ - - -"));
  EXPECT_THAT(pages.asked, ElementsAre("", "a", "b", "cd"));
}

TEST(ListPartitions, TheParsedTokenCounts) {
  // Two members of one name: the parser takes the last, the guess the first.
  Pages pages({R"({"NextToken": "wrong", "Partitions": [], "NextToken": "right"})",
               R"({"Partitions": [{"Values": ["not asked for"]}]})",
               R"({"Partitions": [{"Values": ["1"]}]})"});
  Collector sink;
  ASSERT_TRUE(ListPartitions(pages.source(), sink));
  EXPECT_THAT(sink.seen, ElementsAre("1/ - - -"));
  EXPECT_THAT(pages.asked, ElementsAre("", "wrong", "right"));
}

TEST(ListPartitions, AFailureOfAnyPageIsTheAnswer) {
  const Error throttled = MakeError(ErrorKind::kThrottled, "slow down");
  Collector sink;
  Pages first({Fail(throttled)});
  EXPECT_EQ(ListPartitions(first.source(), sink).error().kind, ErrorKind::kThrottled);
  Pages second({R"({"Partitions": [], "NextToken": "a"})", Fail(throttled)});
  EXPECT_EQ(ListPartitions(second.source(), sink).error().kind, ErrorKind::kThrottled);
  Pages malformed({R"({"Partitions": [], "NextToken": "a"})", "<html>"});
  EXPECT_EQ(ListPartitions(malformed.source(), sink).error().kind, ErrorKind::kInvalidData);
}

TEST(ListPartitions, AFailureOfTheSinkEndsIt) {
  Pages pages({R"({"Partitions": [{"Values": ["1"]}, {"Values": ["2"]}], "NextToken": "a"})",
               R"({"Partitions": []})"});
  Collector sink;
  sink.most = 1;
  EXPECT_EQ(ListPartitions(pages.source(), sink).error().kind, ErrorKind::kLimitExceeded);
}

TEST(ListPartitions, ATokenThatDoesNotMoveIsAnError) {
  Pages pages(
      {R"({"Partitions": [], "NextToken": "a"})", R"({"Partitions": [], "NextToken": "a"})"});
  Collector sink;
  EXPECT_EQ(ListPartitions(pages.source(), sink).error().kind, ErrorKind::kInvalidData);
  EXPECT_EQ(pages.asked.size(), 2U);
}

TEST(ListPartitions, GivesTheMemoryOfReadPagesBack) {
  std::vector<std::size_t> spare;
  const PageSource source = [&](const std::string&, std::string& memory) -> Result<std::string> {
    spare.push_back(memory.capacity());
    std::string text = R"({"Partitions": []})";
    if (spare.size() < 4) {
      text = R"({"Partitions": [], "NextToken": ")" + std::to_string(spare.size()) + "\"}";
    }
    text.reserve(10'000);
    return text;
  };
  Collector sink;
  ASSERT_TRUE(ListPartitions(source, sink));
  ASSERT_EQ(spare.size(), 4U);
  EXPECT_GE(spare[2], 10'000U);
  EXPECT_GE(spare[3], 10'000U);
}

std::string Partition(std::string_view value, std::string_view rest) {
  return R"({"Values":[")" + std::string(value) + "\"]" + std::string(rest) + "}";
}

// What partitions have in common is read once, and must not stay when it changes.
TEST(PartitionPage, SharedMembersFollowEachPartition) {
  const std::string parquet =
      R"(,"StorageDescriptor":{"InputFormat":"pin","OutputFormat":"pout","SerdeInfo":)"
      R"({"SerializationLibrary":"plib","Parameters":{"f":"1"}}},"Parameters":{"a":"1"})";
  const std::string csv =
      R"(,"StorageDescriptor":{"InputFormat":"pin","OutputFormat":"pout2","SerdeInfo":)"
      R"({"SerializationLibrary":"clib","Parameters":{"sep":","}}},"Parameters":{"a":"1","b":"2"})";
  const std::string nulls = R"(,"StorageDescriptor":{"SerdeInfo":null},"Parameters":null)";
  std::string page = "{\"Partitions\":[" + Partition("1", parquet) + "," + Partition("2", parquet) +
                     "," + Partition("3", csv) + "," + Partition("4", "") + "," +
                     Partition("5", R"(,"StorageDescriptor":null)") + "," +
                     Partition("6", parquet) + "," + Partition("7", nulls) + "," +
                     Partition("8", csv) + "]}";
  Collector sink;
  PartitionPageReader reader;
  ASSERT_TRUE(reader.Read(page, sink));
  EXPECT_THAT(sink.seen, ElementsAre("1/ pin pout plib f=1 a:1", "2/ pin pout plib f=1 a:1",
                                     "3/ pin pout2 clib sep=, a:1 b:2", "4/ - - -", "5/ - - -",
                                     "6/ pin pout plib f=1 a:1", "7/ - - -",
                                     "8/ pin pout2 clib sep=, a:1 b:2"));
  EXPECT_EQ(sink.revisions[0], sink.revisions[1]);
  EXPECT_EQ(sink.revisions[3], sink.revisions[4]);
  for (const std::size_t i : {1U, 2U, 4U, 5U, 6U}) {
    EXPECT_NE(sink.revisions[i].first, sink.revisions[i + 1].first) << i;
    EXPECT_NE(sink.revisions[i].second, sink.revisions[i + 1].second) << i;
  }

  std::string next = "{\"Partitions\":[" + Partition("9", csv) + "]}";
  ASSERT_TRUE(reader.Read(next, sink));
  EXPECT_EQ(sink.seen.back(), "9/ pin pout2 clib sep=, a:1 b:2");
  EXPECT_NE(sink.revisions[7].first, sink.revisions[8].first);
}

TEST(PartitionPage, ALongerTextIsNotTheSame) {
  std::string page = R"({"Partitions":[{"Values":["1"],"StorageDescriptor":{"InputFormat":"a"}},)"
                     R"({"Values":["2"],"StorageDescriptor":{"InputFormat":"ab"}},)"
                     R"({"Values":["3"],"StorageDescriptor":{"InputFormat":"a\"b"}},)"
                     R"({"Values":["4"],"StorageDescriptor":{"InputFormat":"a"}}]})";
  Collector sink;
  PartitionPageReader reader;
  ASSERT_TRUE(reader.Read(page, sink));
  EXPECT_THAT(sink.seen, ElementsAre("1/ a - -", "2/ ab - -", "3/ a\"b - -", "4/ a - -"));
}

// `head` and `tail` are what stands in the storage descriptor before and after the location.
std::string At(std::string_view value, std::string_view location, std::string_view tail,
               std::string_view head = "", std::string_view after = "") {
  return Partition(value, R"(,"StorageDescriptor":{)" + std::string(head) + R"("Location":")" +
                              std::string(location) + "\"" + std::string(tail) + "}" +
                              std::string(after));
}

TEST(PartitionPage, WhatFollowsTheLocationMayRepeat) {
  const std::string in = R"(,"InputFormat":"in")";
  const std::string parameters = R"(,"Parameters":{"a":"1"},"CreationTime":1.0)";
  std::string page = "{\"Partitions\":[" + At("1", "x", in, "", parameters) + "," +
                     At("2", "y", in, "", parameters) + "," + At("3", "", in, "", parameters) +
                     "," + At("4", "z", in, "", parameters + "0") + "," + At("5", "x", in) + "," +
                     At("6", "x", in) + "," + At("7", "x", "") + "," +
                     At("8", "y", in, "", parameters) + "]}";
  Collector sink;
  PartitionPageReader reader;
  ASSERT_TRUE(reader.Read(page, sink));
  EXPECT_THAT(sink.seen,
              ElementsAre("1/@x in - - a:1", "2/@y in - - a:1", "3/@ in - - a:1", "4/@z in - - a:1",
                          "5/@x in - -", "6/@x in - -", "7/@x - - -", "8/@y in - - a:1"));
  EXPECT_EQ(sink.revisions[0], sink.revisions[3]);
  EXPECT_EQ(sink.revisions[4], sink.revisions[5]);
}

TEST(PartitionPage, WhatStandsBeforeTheLocationIsReadAlways) {
  const std::string out = R"(,"OutputFormat":"out")";
  std::string page =
      "{\"Partitions\":[" + At("1", "x", out, R"("InputFormat":"a",)") + "," +
      At("2", "x", out, R"("InputFormat":"b",)") + "," + At("3", "x", out) + "," +
      At("4", "x", out, R"("InputFormat":"a",)") + "," +
      R"({"StorageDescriptor":{"Location":"x","OutputFormat":"out"},"Values":["5"]},)" +
      R"({"StorageDescriptor":{"Location":"y","OutputFormat":"out"},"Values":["5"]},)" +
      R"({"Parameters":{"p":"1"},"Values":["6"],"StorageDescriptor":{"Location":"x"}},)" +
      R"({"Parameters":{"p":"2"},"Values":["7"],"StorageDescriptor":{"Location":"x"}},)" +
      R"({"Values":["8"],"StorageDescriptor":{"Location":"x"}}]})";
  Collector sink;
  PartitionPageReader reader;
  ASSERT_TRUE(reader.Read(page, sink));
  EXPECT_THAT(sink.seen, ElementsAre("1/@x a out -", "2/@x b out -", "3/@x - out -", "4/@x a out -",
                                     "5/@x - out -", "5/@y - out -", "6/@x - - - p:1",
                                     "7/@x - - - p:2", "8/@x - - -"));
}

TEST(PartitionPage, ASecondLocationOrSecondValuesCount) {
  const std::string twice = R"(,"Location":"last")";
  const std::string values = R"(,"Values":["v"])";
  std::string page = "{\"Partitions\":[" + At("1", "x", twice) + "," + At("2", "y", twice) + "," +
                     At("3", "x", "", "", values) + "," + At("4", "y", "", "", values) + "]}";
  Collector sink;
  PartitionPageReader reader;
  ASSERT_TRUE(reader.Read(page, sink));
  EXPECT_THAT(sink.seen, ElementsAre("1/@last - - -", "2/@last - - -", "v/@x - - -", "v/@y - - -"));
}

TEST(PartitionPage, APageThatEndsInARepetitionIsAnError) {
  const std::string in = R"(,"InputFormat":"in")";
  const std::string whole = "{\"Partitions\":[" + At("1", "x", in) + "," + At("2", "y", in);
  for (std::size_t less = 0; less < 30; ++less) {
    std::string page = whole.substr(0, whole.size() - less);
    Collector sink;
    PartitionPageReader reader;
    EXPECT_FALSE(reader.Read(page, sink)) << less;
  }
}

// A partition as Glue's own crawlers leave it: statistics and times are its own.
std::string Crawled(int number) {
  const std::string text = std::to_string(number);
  return R"({"Values":["2026-11-)" + text + R"(",")" + text + R"("],"DatabaseName":"d",)" +
         R"("CreationTime":1.7)" + text + R"(E9,"StorageDescriptor":{"Location":"s3://b/)" + text +
         R"(/","InputFormat":"in","SerdeInfo":{"SerializationLibrary":"lib","Parameters":{"f":"1"}},)" +
         R"("Parameters":{"recordCount":")" + text + R"("}},"Parameters":{"size":")" +
         std::to_string(number / 2) + R"(","kind":"csv"},"CatalogId":"111111111111"})";
}

std::string CrawledPage(int from, int count, const std::string& token) {
  std::string page = "{\"Partitions\":[";
  for (int i = 0; i < count; ++i) page += (i == 0 ? "" : ",") + Crawled(from + i);
  return page + (token.empty() ? "]}" : "],\"NextToken\":\"" + token + "\"}");
}

std::string CrawledView(int number) {
  const std::string text = std::to_string(number);
  return "2026-11-" + text + "/" + text + "/@s3://b/" + text +
         "/ in - lib f=1 size:" + std::to_string(number / 2) + " kind:csv";
}

TEST(PartitionPage, LaterPagesReadAsTheFirst) {
  PartitionPageReader reader;
  Collector sink;
  std::string first = CrawledPage(10, 3, "a");
  std::string second = CrawledPage(13, 4, "b");
  std::string third = "{\"NextToken\":\"c\"," + CrawledPage(17, 2, "").substr(1);
  std::string fourth = CrawledPage(19, 1, "") + "\n";
  EXPECT_EQ(reader.Read(first, sink), "a");
  EXPECT_EQ(reader.Read(second, sink), "b");
  EXPECT_EQ(reader.Read(third, sink), "c");
  EXPECT_EQ(reader.Read(fourth, sink), "");
  ASSERT_EQ(sink.seen.size(), 10U);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(sink.seen[static_cast<std::size_t>(i)], CrawledView(10 + i));
  // The second page has the sizes 6, 7, 7 and 8.
  EXPECT_NE(sink.revisions[3].second, sink.revisions[4].second);
  EXPECT_EQ(sink.revisions[4], sink.revisions[5]);
  EXPECT_NE(sink.revisions[5].second, sink.revisions[6].second);
  EXPECT_EQ(sink.revisions[3].first, sink.revisions[6].first);
}

TEST(PartitionPage, WhatDoesNotFitIsParsed) {
  const std::string odd =
      R"({"Values":["\u00fc","1"],"StorageDescriptor":{"Location":"s3://\"q\"","InputFormat":"x"}})";
  const std::string whole = CrawledPage(13, 4, "b");
  const std::string middle = Crawled(15);
  std::string second = whole;
  second.replace(second.find(middle), middle.size(), odd);
  std::string third = CrawledPage(17, 2, "");
  PartitionPageReader reader;
  Collector sink;
  std::string first = CrawledPage(10, 3, "a");
  ASSERT_TRUE(reader.Read(first, sink));
  ASSERT_EQ(reader.Read(second, sink), "b");
  ASSERT_EQ(reader.Read(third, sink), "");
  EXPECT_THAT(sink.seen, ElementsAre(CrawledView(10), CrawledView(11), CrawledView(12),
                                     CrawledView(13), CrawledView(14), "\u00fc/1/@s3://\"q\" x - -",
                                     CrawledView(16), CrawledView(17), CrawledView(18)));
}

TEST(PartitionPage, TheSinkEndsAPageOfAKnownShape) {
  PartitionPageReader reader;
  Collector sink;
  sink.most = 4;
  std::string first = CrawledPage(10, 3, "a");
  std::string second = CrawledPage(13, 4, "b");
  ASSERT_TRUE(reader.Read(first, sink));
  const auto token = reader.Read(second, sink);
  ASSERT_FALSE(token);
  EXPECT_EQ(token.error().kind, ErrorKind::kLimitExceeded);
}

// Whatever stands in a page, what was read before it must make no difference.
TEST(PartitionPage, EveryDamagedPageReadsAsIfItWereTheFirst) {
  const std::string whole = CrawledPage(13, 3, "token");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char c : {'"', '\\', '{', '}', '[', ']', ',', ':', '0', 'x', ' ', '\n', '\x80'}) {
      std::string damaged = whole;
      damaged[at] = c;
      std::string same = damaged;
      PartitionPageReader fresh;
      Collector expected;
      const auto token = fresh.Read(damaged, expected);
      PartitionPageReader experienced;
      Collector sink;
      std::string first = CrawledPage(10, 2, "a");
      ASSERT_TRUE(experienced.Read(first, sink));
      sink.seen.clear();
      const auto again = experienced.Read(same, sink);
      if (token.has_value() != again.has_value()) {
        // A parser that skips does not see every fault.
        ASSERT_FALSE(JsonDocument::Parse(damaged)) << at << " " << c;
        continue;
      }
      if (!token) continue;
      ASSERT_EQ(*token, *again) << at << " " << c;
      ASSERT_EQ(expected.seen, sink.seen) << at << " " << c;
    }
  }
}

}  // namespace
}  // namespace gluecat::glue
