#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/base/clock.h"
#include "core/base/environment.h"
#include "core/base/page_array.h"
#include "core/base/result.h"
#include "core/base/text.h"

namespace gluecat {
namespace {

Result<int> Half(int number) {
  if (number % 2 != 0) return Fail(ErrorKind::kInvalidArgument, "odd");
  return number / 2;
}

Result<int> Quarter(int number) {
  GLUECAT_ASSIGN_OR_RETURN(const int half, Half(number));
  return Half(half);
}

Status CheckQuarter(int number) {
  GLUECAT_RETURN_IF_ERROR(Quarter(number));
  return {};
}

TEST(Result, PassesValuesAndErrorsOn) {
  EXPECT_EQ(Quarter(12), 3);
  ASSERT_FALSE(Quarter(6));
  EXPECT_EQ(Quarter(6).error().message, "odd");
  EXPECT_TRUE(CheckQuarter(4));
  EXPECT_EQ(CheckQuarter(5).error().kind, ErrorKind::kInvalidArgument);
}

TEST(Error, EveryKindHasItsOwnName) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::kInternal); ++kind) {
    names.insert(ErrorKindName(static_cast<ErrorKind>(kind)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorKind::kInternal) + 1);
}

TEST(Error, ContextGoesInFront) {
  EXPECT_EQ(WithContext(MakeError(ErrorKind::kTimeout, "late"), "reading").message,
            "reading: late");
}

TEST(Cancellation, EndsAWaitFromAnotherThread) {
  CancellationSource source;
  std::thread canceller([&] { source.Cancel(); });
  EXPECT_FALSE(SystemClock()->Sleep(std::chrono::hours(1), source.token()));
  canceller.join();
  EXPECT_TRUE(source.token().IsCancelled());
  EXPECT_FALSE(CancellationToken().IsCancelled());
}

TEST(Environment, EmptyCountsAsUnset) {
  FixedEnvironment environment;
  environment.variables = {{"A", "x"}, {"B", ""}, {"C", "  "}};
  EXPECT_EQ(environment.Variable("A"), "x");
  EXPECT_EQ(environment.Variable("B"), std::nullopt);
  EXPECT_EQ(environment.Variable("C"), std::nullopt);
  EXPECT_EQ(environment.Variable("D"), std::nullopt);
}

TEST(Environment, TellsMissingFilesFromUnreadableOnes) {
  const auto environment = ProcessEnvironment();
  EXPECT_EQ(environment->ReadFile("/nonexistent/file").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(environment->ReadFile("/").error().kind, ErrorKind::kUnavailable);
}

TEST(Environment, ReplacesAFileForItsOwnerAlone) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::path(testing::TempDir()) / ("environment_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string path = folder / "file";
  const auto environment = ProcessEnvironment();
  for (const std::string content : {"first", "second, and longer"}) {
    EXPECT_TRUE(environment->ReplaceFile(path, content));
    EXPECT_EQ(environment->ReadFile(path), content);
  }
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1) << "no draft is left behind";
  fs::remove_all(folder);
  const Status missing = environment->ReplaceFile(path, "x");
  EXPECT_EQ(missing.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(missing.error().message.find(path), std::string::npos);
}

TEST(Text, FoldsAsciiOnly) {
  EXPECT_EQ(ToLowerAscii("MixedÄ_9"), "mixedÄ_9");
  EXPECT_TRUE(EqualsIgnoreCase("Delta", "DELTA"));
  EXPECT_FALSE(EqualsIgnoreCase("delta", "deltas"));
}

TEST(Text, TrimsSplitsAndEncodes) {
  EXPECT_EQ(Trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(Trim("   "), "");
  EXPECT_EQ(Split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(Split("", ',').size(), 1U);
  EXPECT_EQ(Join({"a", "b"}, "/"), "a/b");
  EXPECT_EQ(PercentEncode("a b/~é"), "a%20b%2F~%C3%A9");
  EXPECT_EQ(PercentEncode("a/b", true), "a/b");
  EXPECT_EQ(HexEncode(std::string_view("\x00\xff", 2)), "00ff");
}

TEST(Text, HexadecimalBothWays) {
  const std::string bytes("\0az\xFF", 4);
  EXPECT_EQ(HexEncode(bytes), "00617aff");
  EXPECT_EQ(HexDecode("00617aff"), bytes);
  EXPECT_EQ(HexDecode(""), "");
  for (const auto* text : {"0", "0g", "FF", "0x", " 0"}) EXPECT_EQ(HexDecode(text), std::nullopt);
}

TEST(PageArray, KeepsWhatItHasWhenItGrows) {
  PageArray<std::uint32_t> numbers;
  EXPECT_EQ(numbers.size(), 0U);
  constexpr std::uint32_t kCount = 20'000'000;  // beyond the second size
  std::vector<std::uint32_t> block(1000);
  for (std::uint32_t i = 0; i < kCount / 1000; ++i) {
    std::iota(block.begin(), block.end(), i * 1000);
    numbers.append(block);
  }
  numbers.push_back(kCount);
  ASSERT_EQ(numbers.size(), kCount + 1);
  for (std::uint32_t i = 0; i <= kCount; ++i) ASSERT_EQ(numbers[i], i);
}

TEST(PageArray, MovesItsMemory) {
  PageArray<char> text;
  text.append(std::string_view("some text"));
  const char* const where = text.data();
  PageArray<char> other = std::move(text);
  EXPECT_EQ(other.data(), where);
  PageArray<char> third;
  third = std::move(other);
  EXPECT_EQ(std::string_view(third.data(), third.size()), "some text");
}

}  // namespace
}  // namespace gluecat
