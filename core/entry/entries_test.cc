// Every entry of tests/data/entries against what it is expected to mean
// (tests/data/descriptions). GLUECAT_UPDATE_GOLDEN=1 writes the expectations
// anew; read the difference before committing it.
#include <algorithm>
#include <cstdlib>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/entry/description.h"
#include "core/entry/sample_entries.h"

namespace gluecat::entry {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

// JSON with one member a line, so that differences can be read.
void AppendPretty(JsonView json, const std::string& indent, std::string& out) {
  const std::string inner = indent + "  ";
  std::string separator;
  if (json.IsObject() && !json.Members().empty()) {
    out += '{';
    for (const auto& [name, value] : json.Members()) {
      out += separator + "\n" + inner + JsonWriter().String(name).Take() + ": ";
      AppendPretty(value, inner, out);
      separator = ",";
    }
    out += "\n" + indent + "}";
  } else if (json.IsArray() && !json.Elements().empty()) {
    out += '[';
    for (const auto& item : json.Elements()) {
      out += separator + "\n" + inner;
      // A column's field, or a name, is short enough for a line.
      out += item.Dump();
      separator = ",";
    }
    out += "\n" + indent + "]";
  } else {
    out += json.Dump();
  }
}

std::string Pretty(const TableDescription& description) {
  JsonWriter writer;
  writer.BeginObject();
  WriteDescription(description, writer);
  writer.EndObject();
  const auto document = JsonDocument::Parse(writer.text());
  EXPECT_TRUE(document);
  std::string text;
  AppendPretty(document->root(), "", text);
  return text + "\n";
}

class Entries : public ::testing::TestWithParam<std::string> {
 protected:
  bool IsDatabase() const { return !ParseSample(GetParam()).root()["Database"].IsMissing(); }
};

TEST_P(Entries, MeanWhatIsExpected) {
  if (IsDatabase()) {
    const auto document = ParseSample(GetParam());
    const auto database = glue::DecodeDatabase(document.root()["Database"]);
    ASSERT_TRUE(database) << database.error().message;
    return;
  }
  const glue::Table table = SampleTable(GetParam());
  const TableDescription description = DescribeTable(table);
  EXPECT_EQ(KindOf(table), description.kind);
  const bool read_natively =
      description.kind == TableKind::kHiveSerDe && !description.provider.empty();
  EXPECT_EQ(description.kind == TableKind::kDelta || description.kind == TableKind::kDataSource ||
                read_natively,
            description.reason.empty());
  const auto path = SampleFolder() / "descriptions" / (GetParam() + ".json");
  const std::string text = Pretty(description);
  if (std::getenv("GLUECAT_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  EXPECT_EQ(text, ReadText(path));
}

// A change of one property changes that property and nothing else, whatever
// the entry is and whoever wrote it.
TEST_P(Entries, KeepEverythingButWhatIsChanged) {
  if (IsDatabase()) return;
  const glue::Table before = SampleTable(GetParam());
  glue::Table table = before;
  const auto applied = ApplyChanges(table, {SetProperty{"reviewed", "yes"}}, {"4.1.1", 9});
  if (before.target_table || before.is_multi_dialect_view) {
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().kind, ErrorKind::kUnsupported);
    return;
  }
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(table.parameters->at("reviewed"), "yes");
  glue::Table expected = before;
  if (!expected.parameters) expected.parameters.emplace();
  expected.parameters->emplace("reviewed", "yes");
  EXPECT_EQ(table, expected);
  EXPECT_EQ(Encoded(table), Encoded(expected));

  ASSERT_TRUE(ApplyChanges(table, {RemoveProperty{"reviewed"}}, {"4.1.1", 9}));
  expected.parameters->erase("reviewed");
  EXPECT_EQ(table, expected);
}

TEST_P(Entries, StayAsTheyAreWithoutChanges) {
  if (IsDatabase()) return;
  const glue::Table before = SampleTable(GetParam());
  if (before.target_table || before.is_multi_dialect_view) return;
  glue::Table table = before;
  const TableDescription description = DescribeTable(table);
  std::vector<TableChange> changes;
  if (description.comment) changes.push_back(SetComment{description.comment});
  if (description.kind == TableKind::kDataSource || description.kind == TableKind::kDelta) {
    changes.push_back(SetLocation{*description.location});
  }
  // The schema that is there, written again in full.
  if (description.kind == TableKind::kDataSource && !description.schema.fields.empty()) {
    changes.push_back(SetSchema{description.schema, description.partition_columns});
  }
  ASSERT_TRUE(ApplyChanges(table, changes, {"4.1.1", 9}));
  EXPECT_EQ(table, before);
}

// No entry, however broken, makes reading it fail.
TEST_P(Entries, SurviveMissingParts) {
  if (IsDatabase()) return;
  const glue::Table whole = SampleTable(GetParam());
  const auto check = [](const glue::Table& table) {
    const TableDescription description = DescribeTable(table);
    if (description.kind != TableKind::kUnsupported) return;
    EXPECT_THAT(description.reason, Not(IsEmpty()));
  };
  glue::Table table = whole;
  table.parameters.reset();
  check(table);
  table = whole;
  table.storage_descriptor.reset();
  check(table);
  table = whole;
  table.partition_keys.reset();
  check(table);
  table = whole;
  table.table_type.reset();
  check(table);
  if (!whole.storage_descriptor) return;
  table = whole;
  table.storage_descriptor->serde_info.reset();
  check(table);
  table = whole;
  table.storage_descriptor->columns.reset();
  check(table);
  table = whole;
  table.storage_descriptor->location.reset();
  check(table);
}

INSTANTIATE_TEST_SUITE_P(All, Entries, ::testing::ValuesIn(SampleNames()),
                         [](const auto& test) { return test.param; });

TEST(EntriesAsAWhole, EveryKindIsThere) {
  std::set<TableKind> kinds;
  for (const auto& name : SampleNames()) {
    if (ParseSample(name).root()["Table"].IsMissing()) continue;
    kinds.insert(KindOf(SampleTable(name)));
  }
  EXPECT_EQ(kinds.size(), 8U);
  EXPECT_GE(SampleNames().size(), 88U);
}

TEST(EntriesAsAWhole, HaveNoExpectationLeftOver) {
  const auto names = SampleNames();
  for (const auto& file : std::filesystem::directory_iterator(SampleFolder() / "descriptions")) {
    EXPECT_TRUE(std::ranges::binary_search(names, file.path().stem().string())) << file.path();
  }
}

}  // namespace
}  // namespace gluecat::entry
