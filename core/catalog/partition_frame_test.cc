#include "core/catalog/partition_frame.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace gluecat::catalog {
namespace {

// Reads a frame the way docs/waist.md describes it, checking every bound.
class FrameReader {
 public:
  explicit FrameReader(const std::string& frame) : frame_(frame) {
    EXPECT_EQ(frame.substr(0, 4), "GCPF");
    EXPECT_EQ(Number(0), kFrameVersion);
    std::size_t at = 9 + (Number(8) + 3) / 4;
    strings_ = at;
    at += Number(4) + 1;
    maps_ = at;
    at += Number(5) + 1;
    pairs_ = at;
    at += Number(6) * 2;
    readers_ = at;
    at += Number(7) * 3;
    rows_ = at;
    blob_ = 40;
    EXPECT_EQ(4 + (at + Number(2) * (Number(3) + 3)) * 4, frame.size());
  }

  bool ascii() const { return Number(1) == 1; }
  std::uint32_t partitions() const { return Number(2); }
  std::uint32_t strings() const { return Number(4); }
  std::uint32_t maps() const { return Number(5); }
  std::uint32_t readers() const { return Number(7); }

  std::string Value(std::size_t row, std::size_t key) const { return Text(Cell(row, key)); }
  std::string Location(std::size_t row) const { return Text(Cell(row, Number(3))); }
  std::string Parameters(std::size_t row) const { return Map(Cell(row, Number(3) + 1)); }
  // "<none>" if it is the table's own.
  std::string Reader(std::size_t row) const {
    const std::uint32_t index = Cell(row, Number(3) + 2);
    if (index == kNone) return "<none>";
    const std::size_t reader = readers_ + index * 3;
    return Text(Number(reader)) + "|" + Map(Number(reader + 1)) + "|" + Text(Number(reader + 2));
  }

 private:
  std::uint32_t Number(std::size_t index) const {
    std::uint32_t number = 0;
    std::memcpy(&number, frame_.data() + 4 + index * 4, 4);
    return number;
  }
  std::uint32_t Cell(std::size_t row, std::size_t column) const {
    return Number(rows_ + row * (Number(3) + 3) + column);
  }
  std::string Text(std::uint32_t index) const {
    if (index == kNone) return "<none>";
    EXPECT_LT(index, strings());
    const std::uint32_t from = Number(strings_ + index);
    return frame_.substr(blob_ + from, Number(strings_ + index + 1) - from);
  }
  std::string Map(std::uint32_t index) const {
    EXPECT_LT(index, maps());
    std::string text;
    for (std::uint32_t i = Number(maps_ + index); i < Number(maps_ + index + 1); ++i) {
      text += Text(Number(pairs_ + i * 2)) + "=" + Text(Number(pairs_ + i * 2 + 1)) + ";";
    }
    return text;
  }

  const std::string& frame_;
  std::size_t strings_ = 0, maps_ = 0, pairs_ = 0, readers_ = 0, rows_ = 0, blob_ = 0;
};

std::string Bytes(PartitionFrame frame) {
  const PageArray<char> encoded = std::move(frame).Encode();
  return std::string(encoded.data(), encoded.size());
}

glue::PartitionView View(std::vector<std::string_view> values, std::string_view location) {
  glue::PartitionView view;
  view.values = std::move(values);
  view.location = location;
  view.parameters = {{"numRows", "7"}};
  return view;
}

entry::SerDeReader OrcByPosition() {
  entry::SerDeReader reader;
  reader.provider = "orc";
  reader.options = {{"orc.force.positional.evolution", "true"}};
  return reader;
}

TEST(PartitionFrame, HoldsWhatWasAdded) {
  PartitionFrame frame(2, nullptr);
  const std::uint32_t orc = frame.AddReader(OrcByPosition());
  entry::SerDeReader none;
  none.reason = " is of a kind";
  const std::uint32_t unknown = frame.AddReader(none);
  ASSERT_TRUE(frame.Add(View({"2026-06-01", "ü"}, "s3://b/1"), orc));
  glue::PartitionView bare;
  bare.values = {"", "2026-06-01"};
  ASSERT_TRUE(frame.Add(bare));
  ASSERT_TRUE(frame.Add(bare, unknown));
  const std::string bytes = Bytes(std::move(frame));
  const FrameReader reader(bytes);
  ASSERT_EQ(reader.partitions(), 3U);
  EXPECT_EQ(reader.Value(0, 0), "2026-06-01");
  EXPECT_EQ(reader.Value(0, 1), "ü");
  EXPECT_EQ(reader.Location(0), "s3://b/1");
  EXPECT_EQ(reader.Parameters(0), "numRows=7;");
  EXPECT_EQ(reader.Reader(0), "orc|orc.force.positional.evolution=true;|<none>");
  EXPECT_EQ(reader.Value(1, 0), "");
  EXPECT_EQ(reader.Value(1, 1), "2026-06-01");
  EXPECT_EQ(reader.Location(1), "<none>");
  EXPECT_EQ(reader.Reader(1), "<none>");
  EXPECT_EQ(reader.Reader(2), "<none>|| is of a kind");
}

TEST(PartitionFrame, StoresWhatRepeatsOnce) {
  constexpr std::uint32_t kCount = 5000;
  PartitionFrame frame(2, nullptr);
  std::vector<std::string> numbers;
  for (std::uint32_t i = 0; i < kCount; ++i) numbers.push_back(std::to_string(i));
  for (const auto& number : numbers) ASSERT_TRUE(frame.Add(View({"same", number}, number)));
  const std::string bytes = Bytes(std::move(frame));
  const FrameReader reader(bytes);
  EXPECT_EQ(reader.maps(), 1U);
  EXPECT_EQ(reader.readers(), 0U);
  // Values and locations differ; "same" and the two texts of the map are there once, and the value
  // "7" is also a parameter's.
  EXPECT_EQ(reader.strings(), 2 * kCount + 2);
  EXPECT_EQ(reader.Value(4999, 1), "4999");
  EXPECT_EQ(reader.Location(1234), "1234");
}

TEST(PartitionFrame, KeepsOnlyWhatTheFilterWants) {
  PartitionFrame frame(1, [](const auto& values) { return values[0] == "b"; });
  ASSERT_TRUE(frame.Add(View({"a"}, "1")));
  ASSERT_TRUE(frame.Add(View({"b"}, "2")));
  const std::string bytes = Bytes(std::move(frame));
  const FrameReader reader(bytes);
  ASSERT_EQ(reader.partitions(), 1U);
  EXPECT_EQ(reader.Location(0), "2");
}

TEST(PartitionFrame, AnotherNumberOfValuesIsAnError) {
  PartitionFrame frame(2, nullptr);
  const auto added = frame.Add(View({"a"}, "1"));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().kind, ErrorKind::kInvalidData);
}

TEST(PartitionFrame, MayBeEmpty) {
  const std::string bytes = Bytes(PartitionFrame(1, nullptr));
  EXPECT_EQ(FrameReader(bytes).partitions(), 0U);
}

// The JVM's decoder reads the same file (spark/test). GLUECAT_UPDATE_GOLDEN=1 writes it anew.
TEST(PartitionFrame, IsTheGoldenFile) {
  PartitionFrame frame(2, nullptr);
  ASSERT_TRUE(frame.Add(View({"2026-06-01", "ü"}, "s3://b/1")));
  ASSERT_TRUE(frame.Add(View({"2026-06-02", "ü"}, "s3://b/2"), frame.AddReader(OrcByPosition())));
  entry::SerDeReader none;
  none.reason = " has a SerDe that nobody knows";
  glue::PartitionView unknown = View({"2026-06-03", "ü"}, "s3://b/3");
  ASSERT_TRUE(frame.Add(unknown, frame.AddReader(none)));
  glue::PartitionView bare;
  bare.values = {"", "__HIVE_DEFAULT_PARTITION__"};
  ASSERT_TRUE(frame.Add(bare));
  const std::string bytes = Bytes(std::move(frame));

  const std::string path = GLUECAT_SOURCE_DIR "/tests/data/frame/partitions.bin";
  if (std::getenv("GLUECAT_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path;
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(golden == bytes) << "the frame's bytes differ from " << path;
}

TEST(PartitionFrame, KeysThatHardlyRepeatStayRight) {
  constexpr int kPartitions = 20'000;
  PartitionFrame frame(2, {});
  std::string text;
  for (int i = 0; i < kPartitions; ++i) {
    // The second key repeats only towards the end.
    text = std::to_string(i < 19'000 ? i : 7);
    ASSERT_TRUE(frame.Add(View({i % 2 == 0 ? "even" : "odd", text}, "s3://b")));
  }
  const std::string encoded = Bytes(std::move(frame));
  const FrameReader reader(encoded);
  ASSERT_EQ(reader.partitions(), kPartitions);
  for (int i = 0; i < kPartitions; ++i) {
    ASSERT_EQ(reader.Value(i, 0), i % 2 == 0 ? "even" : "odd");
    ASSERT_EQ(reader.Value(i, 1), std::to_string(i < 19'000 ? i : 7));
  }
}

TEST(PartitionFrame, SaysWhetherAllTextsAreAscii) {
  PartitionFrame plain(1, nullptr);
  ASSERT_TRUE(plain.Add(View({"1"}, "s3://b/1")));
  const std::string ascii = Bytes(std::move(plain));
  EXPECT_TRUE(FrameReader(ascii).ascii());
  PartitionFrame mixed(1, nullptr);
  ASSERT_TRUE(mixed.Add(View({"1"}, "s3://b/1")));
  ASSERT_TRUE(mixed.Add(View({"\u00fc"}, "s3://b/2")));
  const std::string other = Bytes(std::move(mixed));
  EXPECT_FALSE(FrameReader(other).ascii());
}

TEST(PartitionFrame, RevisionsSpareLookUpsAndNothingElse) {
  PartitionFrame frame(1, [](const auto& values) { return values[0] != "left out"; });
  glue::PartitionView view = View({"1"}, "s3://b/1");
  view.parameters = {{"a", "1"}};
  view.parameters_revision = 1;
  ASSERT_TRUE(frame.Add(view));
  view.values = {"left out"};
  view.parameters = {{"a", "2"}};
  view.parameters_revision = 3;
  ASSERT_TRUE(frame.Add(view));
  view.values = {"2"};
  ASSERT_TRUE(frame.Add(view));
  const std::string encoded = Bytes(std::move(frame));
  const FrameReader reader(encoded);
  ASSERT_EQ(reader.partitions(), 2U);
  EXPECT_EQ(reader.Parameters(0), "a=1;");
  EXPECT_EQ(reader.Parameters(1), "a=2;");
}

}  // namespace
}  // namespace gluecat::catalog
