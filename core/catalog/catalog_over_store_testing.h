// A catalog over the real store, through a transport that counts calls and can make Glue misbehave.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "core/catalog/catalog.h"
#include "core/catalog/operations.h"
#include "core/glue/recording_transport.h"
#include "store/local_transport.h"
#include "store/store.h"

namespace gluecat::catalog {

// Account 111111111111 with the database sales, in a directory of the test's own.
class CatalogOverStoreTest : public testing::Test {
 protected:
  explicit CatalogOverStoreTest(std::shared_ptr<Clock> clock) : time_(std::move(clock)) {}

  void SetUp() override {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::path(testing::TempDir()) /
                 (std::string(test->test_suite_name()) + "_" + std::to_string(::getpid()) + "_" +
                  test->name());
    std::filesystem::remove_all(directory_);
    auto store = store::Store::Open(directory_.string(), time_);
    ASSERT_TRUE(store) << store.error().message;
    transport_ = std::make_shared<glue::RecordingTransport>(std::make_shared<store::LocalTransport>(
        *store, store::PrincipalOfAccessKey("111111111111", "eu-central-1"), time_));
    catalog_ = MakeCatalog({});
    Run("create_namespace",
        R"({"namespace": "sales", "properties": {"location": "s3://b/sales"}})");
    transport_->Clear();
  }

  void TearDown() override { std::filesystem::remove_all(directory_); }

  // Over `transport`, or the one that counts.
  std::unique_ptr<Catalog> MakeCatalog(std::map<std::string, std::string> options,
                                       std::shared_ptr<glue::Transport> transport = nullptr) {
    OpenRequest request;
    request.catalog = "acct_a";
    request.options = std::move(options);
    request.options.emplace("glue.id", "111111111111");
    auto settings = ParseSettings(request);
    EXPECT_TRUE(settings);
    if (transport == nullptr) transport = transport_;
    return std::make_unique<Catalog>(*std::move(settings), "4.1.1", std::move(transport), time_);
  }

  // What an operation of the waist answers; fails the test on an error.
  std::string Run(std::string_view operation, const std::string& request) {
    const auto answer = RunOperation(*catalog_, operation, request, context_);
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().error.message);
    return answer ? std::string(BytesOf(*answer)) : "";
  }

  Error Failure(std::string_view operation, const std::string& request) {
    const auto answer = RunOperation(*catalog_, operation, request, context_);
    EXPECT_FALSE(answer) << (answer ? BytesOf(*answer) : "");
    return answer ? Error() : answer.error().error;
  }

  std::shared_ptr<glue::RecordingTransport> transport_;
  std::unique_ptr<Catalog> catalog_;
  glue::CallContext context_;

 private:
  const std::shared_ptr<Clock> time_;
  std::filesystem::path directory_;
};

}  // namespace gluecat::catalog
