#include "abi/gluecat.h"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using ::testing::HasSubstr;

struct Outcome {
  int status;
  std::string answer;
};

Outcome Call(gluecat_handle handle, const char* operation, std::string_view request) {
  gluecat_bytes bytes;
  const int status =
      gluecat_call(handle, 0, operation, reinterpret_cast<const std::uint8_t*>(request.data()),
                   request.size(), &bytes);
  Outcome outcome{status, std::string(reinterpret_cast<const char*>(bytes.data), bytes.size)};
  gluecat_free(&bytes);
  EXPECT_EQ(bytes.data, nullptr);
  return outcome;
}

Outcome Open(std::string_view request, gluecat_handle& handle) {
  gluecat_bytes bytes;
  const int status = gluecat_open(reinterpret_cast<const std::uint8_t*>(request.data()),
                                  request.size(), &handle, &bytes);
  Outcome outcome{status, bytes.data == nullptr
                              ? ""
                              : std::string(reinterpret_cast<const char*>(bytes.data), bytes.size)};
  gluecat_free(&bytes);
  return outcome;
}

class AbiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::path(::testing::TempDir()) /
                 ("abi_test_" + std::to_string(::getpid()) + "_" +
                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string OpenJson() const {
    return R"({"catalog": "a", "options": {"glue.id": "111111111111", "glue.endpoint": "local:)" +
           directory_.string() + R"("}, "spark_version": "4.1.1"})";
  }

  std::filesystem::path directory_;
};

TEST_F(AbiTest, VersionsAreThere) {
  EXPECT_EQ(gluecat_abi_version(), static_cast<std::uint32_t>(GLUECAT_ABI_VERSION));
  EXPECT_THAT(gluecat_version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST_F(AbiTest, OpensCallsAndCloses) {
  gluecat_handle handle = 0;
  ASSERT_EQ(Open(OpenJson(), handle).status, GLUECAT_OK);
  EXPECT_NE(handle, 0U);
  EXPECT_EQ(Call(handle, "create_namespace", R"({"namespace": "n", "properties": {}})").answer,
            "{}");
  const Outcome listed = Call(handle, "list_namespaces", "{}");
  EXPECT_EQ(listed.status, GLUECAT_OK);
  EXPECT_EQ(listed.answer, R"({"namespaces":["n"]})");
  gluecat_close(handle);
  const Outcome closed = Call(handle, "list_namespaces", "{}");
  EXPECT_EQ(closed.status, GLUECAT_ERROR);
  EXPECT_THAT(closed.answer, HasSubstr("closed"));
}

TEST_F(AbiTest, AHandleIsNotReusedByItsSuccessor) {
  gluecat_handle first = 0;
  gluecat_handle second = 0;
  ASSERT_EQ(Open(OpenJson(), first).status, GLUECAT_OK);
  gluecat_close(first);
  ASSERT_EQ(Open(OpenJson(), second).status, GLUECAT_OK);
  EXPECT_NE(first, second);
  EXPECT_EQ(Call(first, "list_namespaces", "{}").status, GLUECAT_ERROR);
  EXPECT_EQ(Call(second, "list_namespaces", "{}").status, GLUECAT_OK);
  gluecat_close(first);  // closing twice does not close the successor
  EXPECT_EQ(Call(second, "list_namespaces", "{}").status, GLUECAT_OK);
  gluecat_close(second);
}

TEST_F(AbiTest, ErrorsAreAnswers) {
  gluecat_handle handle = 7;
  const Outcome bad = Open(R"({"catalog": "a", "options": {"glue.endpoint": "x"}})", handle);
  EXPECT_EQ(bad.status, GLUECAT_ERROR);
  EXPECT_EQ(handle, 0U);
  EXPECT_THAT(bad.answer, HasSubstr(R"("kind":"invalid_argument")"));
  EXPECT_THAT(bad.answer, HasSubstr("glue.endpoint"));
  EXPECT_EQ(Open("", handle).status, GLUECAT_ERROR);

  ASSERT_EQ(Open(OpenJson(), handle).status, GLUECAT_OK);
  const Outcome missing = Call(handle, "load_table", R"({"namespace": "n", "table": "t"})");
  EXPECT_EQ(missing.status, GLUECAT_ERROR);
  for (const char* part : {R"("kind":"not_found")", R"("catalog":"a")",
                           R"("glue_id":"111111111111")", R"("object":"n.t")"}) {
    EXPECT_THAT(missing.answer, HasSubstr(part));
  }
  gluecat_close(handle);
}

TEST_F(AbiTest, UnknownHandlesAndCancelsDoNothing) {
  EXPECT_EQ(Call(0, "list_namespaces", "{}").status, GLUECAT_ERROR);
  EXPECT_EQ(Call(~0ULL, "list_namespaces", "{}").status, GLUECAT_ERROR);
  gluecat_cancel(12345, 1);
  gluecat_close(12345);
}

TEST_F(AbiTest, ManyThreadsShareAHandle) {
  gluecat_handle handle = 0;
  ASSERT_EQ(Open(OpenJson(), handle).status, GLUECAT_OK);
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const std::string name = "n" + std::to_string(i);
      EXPECT_EQ(Call(handle, "create_namespace", R"({"namespace": ")" + name + "\"}").status,
                GLUECAT_OK);
      EXPECT_EQ(Call(handle, "load_namespace", R"({"namespace": ")" + name + "\"}").status,
                GLUECAT_OK);
    });
  }
  for (auto& thread : threads) thread.join();
  gluecat_close(handle);
}

}  // namespace
