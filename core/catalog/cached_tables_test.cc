#include "core/catalog/cached_tables.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalog/catalog_over_store_testing.h"

namespace gluecat::catalog {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

class SteppedClock final : public Clock {
 public:
  Timestamp Now() const override { return {}; }
  Deadline SteadyNow() const override { return Deadline(milliseconds(steady_ms_.load())); }
  bool Sleep(Duration /*duration*/, const CancellationToken& /*cancellation*/) override {
    return true;
  }
  void Advance(milliseconds by) { steady_ms_ += by.count(); }

 private:
  std::atomic<std::int64_t> steady_ms_{0};
};

glue::Table Named(const std::string& name) {
  glue::Table table;
  table.name = name;
  return table;
}

TEST(CachedTablesTest, KeepsAnEntryUntilItIsTooOld) {
  const auto clock = std::make_shared<SteppedClock>();
  CachedTables cached(clock, milliseconds(100));
  cached.Put("db.t", Named("t"), 7);
  clock->Advance(milliseconds(99));
  ASSERT_TRUE(cached.Get("db.t", 7));
  EXPECT_EQ(cached.Get("db.t", 7)->name, "t");
  EXPECT_FALSE(cached.Get("db.u", 7));
  clock->Advance(milliseconds(1));
  EXPECT_FALSE(cached.Get("db.t", 7));
}

TEST(CachedTablesTest, AWriteSinceMakesItWorthless) {
  CachedTables cached(std::make_shared<SteppedClock>(), milliseconds(100));
  cached.Put("db.t", Named("t"), 7);
  EXPECT_FALSE(cached.Get("db.t", 8));
  EXPECT_FALSE(cached.Get("db.t", 7));
}

TEST(CachedTablesTest, WithoutAnAgeNothingIsKept) {
  CachedTables cached(std::make_shared<SteppedClock>(), milliseconds(0));
  cached.Put("db.t", Named("t"), 7);
  EXPECT_FALSE(cached.Get("db.t", 7));
}

TEST(CachedTablesTest, TheOldestMakesRoom) {
  const auto clock = std::make_shared<SteppedClock>();
  CachedTables cached(clock, std::chrono::hours(1));
  for (int i = 0; i <= 1000; ++i) {
    cached.Put("db.t" + std::to_string(i), Named("t"), 0);
    clock->Advance(milliseconds(1));
  }
  EXPECT_FALSE(cached.Get("db.t0", 0));
  EXPECT_TRUE(cached.Get("db.t1", 0));
  EXPECT_TRUE(cached.Get("db.t1000", 0));
}

class CachedLoadsTest : public CatalogOverStoreTest {
 protected:
  CachedLoadsTest() : CachedLoadsTest(std::make_shared<SteppedClock>()) {}

  void SetUp() override {
    CatalogOverStoreTest::SetUp();
    for (const std::string table : {"orders", "returns"}) {
      Run("create_table", R"({"namespace": "sales", "table": ")" + table + R"(", "spec": {
          "provider": "parquet", "location": "s3://b/x", "schema": {"type": "struct",
          "fields": [{"name": "id", "type": "long", "nullable": true, "metadata": {}}]}}})");
    }
    other_ = MakeCatalog({});
    catalog_ = MakeCatalog({{"cache.expiration-interval-ms", "100"}});
    transport_->Clear();
  }

  std::vector<std::string> RequestsOfLoad() {
    transport_->Clear();
    EXPECT_TRUE(catalog_->LoadTable("Sales", "Orders", context_));
    return transport_->operations();
  }

  std::shared_ptr<SteppedClock> clock_;
  std::unique_ptr<Catalog> other_;

 private:
  explicit CachedLoadsTest(std::shared_ptr<SteppedClock> clock)
      : CatalogOverStoreTest(clock), clock_(std::move(clock)) {}
};

TEST_F(CachedLoadsTest, OneRequestForManyLoads) {
  EXPECT_THAT(RequestsOfLoad(), ElementsAre("GetTable"));
  EXPECT_THAT(RequestsOfLoad(), IsEmpty());
  clock_->Advance(milliseconds(100));
  EXPECT_THAT(RequestsOfLoad(), ElementsAre("GetTable"));
}

TEST_F(CachedLoadsTest, ByDefaultEveryLoadAsks) {
  catalog_ = MakeCatalog({});
  EXPECT_THAT(RequestsOfLoad(), ElementsAre("GetTable"));
  EXPECT_THAT(RequestsOfLoad(), ElementsAre("GetTable"));
}

TEST_F(CachedLoadsTest, WhatAnotherCatalogOfTheProcessWritesIsSeen) {
  RequestsOfLoad();
  ASSERT_TRUE(other_->AlterTable("sales", "orders", {entry::SetProperty{"p", "1"}}, context_));
  const auto table = catalog_->LoadTable("sales", "orders", context_);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->properties.at("p"), "1");
}

TEST_F(CachedLoadsTest, AForgottenTableIsAskedFor) {
  RequestsOfLoad();
  Run("forget_table", R"({"namespace": "SALES", "table": "ORDERS"})");
  EXPECT_THAT(RequestsOfLoad(), ElementsAre("GetTable"));
}

TEST_F(CachedLoadsTest, AChangeOfARememberedEntryThatOthersHaveChangedGoesOnTopOfTheirs) {
  RequestsOfLoad();
  // Not a write of this process, as far as the catalog knows.
  ASSERT_TRUE(transport_->Call("UpdateTable",
                               R"({"DatabaseName": "sales", "TableInput": {"Name": "orders",
          "StorageDescriptor": {"Columns": [{"Name": "id", "Type": "bigint"}],
          "Location": "s3://b/x"}, "TableType": "EXTERNAL_TABLE", "Parameters": {
          "EXTERNAL": "TRUE", "spark.sql.sources.provider": "parquet", "theirs": "1",
          "spark.sql.sources.schema": "{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}}]}"}}})",
                               context_));
  EXPECT_THAT(RequestsOfLoad(), IsEmpty());
  ASSERT_TRUE(catalog_->AlterTable("sales", "orders", {entry::SetProperty{"ours", "1"}}, context_));
  const auto table = other_->LoadTable("sales", "orders", context_);
  ASSERT_TRUE(table);
  EXPECT_TRUE(table->properties.contains("theirs"));
  EXPECT_TRUE(table->properties.contains("ours"));
}

}  // namespace
}  // namespace gluecat::catalog
