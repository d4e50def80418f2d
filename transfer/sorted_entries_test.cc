#include "transfer/sorted_entries.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "transfer/entry_text.h"

namespace gluecat::transfer {
namespace {

using testing::ElementsAre;

std::vector<std::string> Sorted(std::size_t memory, const std::vector<std::string>& keys) {
  SortedEntries entries(memory);
  for (const auto& key : keys) EXPECT_TRUE(entries.Add({key, "text of " + key, "7"}));
  std::vector<std::string> sorted;
  while (true) {
    auto entry = entries.Next();
    EXPECT_TRUE(entry);
    if (!entry || !*entry) return sorted;
    EXPECT_EQ((*entry)->text, "text of " + (*entry)->key);
    EXPECT_EQ((*entry)->version, "7");
    sorted.push_back((*entry)->key);
  }
}

TEST(SortedEntriesTest, ComeOutByKey) {
  EXPECT_THAT(Sorted(SortedEntries::kMemory, {"b", "c", "a"}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Sorted(SortedEntries::kMemory, {}), ElementsAre());
}

TEST(SortedEntriesTest, TheSameThroughTheTemporaryFile) {
  // Every entry is a run of its own, and together they are larger than a reader's buffer.
  std::vector<std::string> keys;
  keys.reserve(50);
  for (int i = 0; i < 50; ++i) {
    keys.push_back(std::to_string((i * 37) % 50 + 100) + std::string(5000, 'x'));
  }
  const auto in_memory = Sorted(SortedEntries::kMemory, keys);
  EXPECT_EQ(in_memory.size(), 50U);
  EXPECT_EQ(Sorted(0, keys), in_memory);
  EXPECT_EQ(Sorted(30'000, keys), in_memory);
}

TEST(SortedEntriesTest, AKeyComesOutOnce) {
  for (const std::size_t memory : {std::size_t{0}, SortedEntries::kMemory}) {
    EXPECT_THAT(Sorted(memory, {"b", "a", "b", "", "c", "b", ""}), ElementsAre("", "a", "b", "c"));
  }
}

TEST(SortedEntriesTest, WithoutADirectoryForTemporaryFilesItSaysWhatToDo) {
  const char* const before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  setenv("TMPDIR", "/nonexistent", 1);
  SortedEntries entries(0);
  const Status status = entries.Add({"k", "", ""});
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", old.c_str(), 1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(status.error().message, testing::HasSubstr("TMPDIR"));
}

TEST(PartitionKeyTest, HasTheOrderOfTheValues) {
  const std::vector<std::vector<std::string>> ordered = {
      {"", "b"},   {"a", ""},   {"a", "b"}, {std::string("a\0b", 3), "a"},
      {"a ", "a"}, {"aa", "a"}, {"b", "a"}, {"\xc3\xa4", "a"}};
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    EXPECT_LT(PartitionKey(ordered[i - 1]), PartitionKey(ordered[i])) << i;
  }
}

}  // namespace
}  // namespace gluecat::transfer
