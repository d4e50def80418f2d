#include "core/glue/partition_listing.h"

#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gluecat::glue
