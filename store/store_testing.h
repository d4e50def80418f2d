// A store in a directory of its own, with a clock that stands still. For tests.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "store/local_transport.h"
#include "store/store.h"

namespace gluecat::store {

class StillClock final : public Clock {
 public:
  Timestamp Now() const override { return now; }
  Deadline SteadyNow() const override { return {}; }
  bool Sleep(Duration duration, const CancellationToken&) override {
    usleep(static_cast<useconds_t>(duration.count() / 1000));  // of other processes' locks
    return true;
  }

  Timestamp now = Timestamp(std::chrono::milliseconds(1'700'000'000'250));
};

// In memory where there is such a place: tests commit often, and disks are slow to sync.
inline std::filesystem::path FastTemporaryDirectory() {
  const std::filesystem::path memory = "/dev/shm";
  return access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string pattern = (FastTemporaryDirectory() / "gluecat-store-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    clock_ = std::make_shared<StillClock>();
    store_ = Open();
  }
  ~StoreTest() override {
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  std::shared_ptr<Store> Open() {
    auto store = Store::Open(directory_, clock_);
    EXPECT_TRUE(store) << store.error().message;
    return store.value_or(nullptr);
  }

  static Principal Account(std::string_view access_key = "111111111111",
                           std::string region = "eu-central-1") {
    return PrincipalOfAccessKey(access_key, std::move(region));
  }

  Result<std::string> Execute(std::string_view operation, std::string_view body,
                              const Principal& principal = Account()) {
    return store_->Execute(principal, operation, body);
  }

  // The answer of a call that must succeed.
  std::string Ok(std::string_view operation, std::string_view body,
                 const Principal& principal = Account()) {
    auto answer = Execute(operation, body, principal);
    EXPECT_TRUE(answer) << operation << " " << body << ": " << answer.error().code << ": "
                        << answer.error().message;
    return answer.value_or("{}");
  }

  // The code of a call that must fail; its message goes to `message_`.
  std::string Code(std::string_view operation, std::string_view body,
                   const Principal& principal = Account()) {
    const auto answer = Execute(operation, body, principal);
    EXPECT_FALSE(answer) << operation << " " << body << ": " << answer.value_or("");
    if (answer) return "";
    message_ = answer.error().message;
    EXPECT_EQ(answer.error().http_status, 400) << message_;
    return answer.error().code;
  }

  // The texts at `member` of every element of the list `list`.
  static std::vector<std::string> Texts(std::string_view json, std::string_view list,
                                        std::string_view member) {
    std::vector<std::string> out;
    const auto document = JsonDocument::Parse(json);
    EXPECT_TRUE(document) << json;
    for (const auto& element : document->root()[list].Elements())
      out.push_back(element[member].StringOr("(none)"));
    return out;
  }

  static std::string Token(std::string_view json) {
    return JsonDocument::Parse(json)->root()["NextToken"].StringOr("");
  }

  void MakeTable(std::string_view name = "t",
                 std::string_view keys = R"([{"Name":"k","Type":"int"}])") {
    Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":")" + std::string(name) +
                          R"(","PartitionKeys":)" + std::string(keys) + "}}");
  }

  std::string directory_;
  std::shared_ptr<StillClock> clock_;
  std::shared_ptr<Store> store_;
  std::string message_;
};

}  // namespace gluecat::store
