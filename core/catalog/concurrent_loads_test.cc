// Threads that load one table at once: how many requests they make, and that none of them
// sees less than what was written before.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/gate_testing.h"
#include "core/catalog/catalog_over_store_testing.h"

namespace gluecat::catalog {
namespace {

class ConcurrentLoadsTest : public CatalogOverStoreTest {
 protected:
  ConcurrentLoadsTest() : ConcurrentLoadsTest(std::make_shared<CountingClock>()) {}

  void SetUp() override {
    CatalogOverStoreTest::SetUp();
    context_.deadline = Deadline(std::chrono::hours(1));
    Run("create_table", R"({"namespace": "sales", "table": "orders", "spec": {
        "provider": "parquet", "location": "s3://b/sales/orders", "schema": {"type": "struct",
        "fields": [{"name": "id", "type": "long", "nullable": true, "metadata": {}}]}}})");
    transport_->Clear();
  }

  // A load whose request stays on its way until `gate` opens.
  std::thread HeldLoad(Gate& sent, Gate& gate) {
    transport_->BeforeNext("GetTable", [&] {
      sent.Open();
      gate.Pass();
    });
    return std::thread([this] { EXPECT_TRUE(catalog_->LoadTable("sales", "orders", context_)); });
  }
  // The property p of the table, as a load by `catalog` shows it.
  std::string Loaded(Catalog& catalog) {
    const auto table = catalog.LoadTable("sales", "orders", context_);
    EXPECT_TRUE(table) << (table ? "" : table.error().message);
    if (!table || !table->properties.contains("p")) return "none";
    return table->properties.at("p");
  }
  void SetProperty(Catalog& catalog, const std::string& value) {
    EXPECT_TRUE(catalog.AlterTable("sales", "orders", {entry::SetProperty{"p", value}}, context_));
  }
  std::size_t Loads() const {
    return static_cast<std::size_t>(std::ranges::count(transport_->operations(), "GetTable"));
  }

  const std::shared_ptr<CountingClock> clock_;

 private:
  explicit ConcurrentLoadsTest(const std::shared_ptr<CountingClock>& clock)
      : CatalogOverStoreTest(clock), clock_(clock) {}
};

// Run under ThreadSanitizer too.
TEST_F(ConcurrentLoadsTest, SixtyFourAtOnceMakeOneRequest) {
  Gate sent;
  Gate gate;
  std::thread first = HeldLoad(sent, gate);
  sent.Pass();
  std::vector<std::thread> others;
  others.reserve(63);
  for (int i = 0; i < 63; ++i) {
    others.emplace_back([this] { EXPECT_EQ(Loaded(*catalog_), "none"); });
  }
  clock_->AwaitOthers(63);
  gate.Open();
  first.join();
  for (auto& other : others) other.join();
  EXPECT_EQ(transport_->operations(), std::vector<std::string>{"GetTable"});
}

TEST_F(ConcurrentLoadsTest, ALoadAfterAWriteNeverTakesAnOlderAnswer) {
  Gate sent;
  Gate gate;
  std::thread first = HeldLoad(sent, gate);
  sent.Pass();
  SetProperty(*catalog_, "1");
  const std::size_t before = Loads();
  EXPECT_EQ(Loaded(*catalog_), "1");
  EXPECT_EQ(Loads(), before + 1) << "while the first is still under way";
  gate.Open();
  first.join();
}

// As another session of the same driver does, or a catalog with a role that may write.
TEST_F(ConcurrentLoadsTest, NorAfterAWriteOfAnotherCatalogOfTheProcess) {
  Gate sent;
  Gate gate;
  std::thread first = HeldLoad(sent, gate);
  sent.Pass();
  SetProperty(*MakeCatalog({}), "1");
  EXPECT_EQ(Loaded(*catalog_), "1");
  gate.Open();
  first.join();
}

// What was sent may have been carried out.
TEST_F(ConcurrentLoadsTest, NorAfterAWriteWhoseAnswerWasLost) {
  Gate sent;
  Gate gate;
  std::thread first = HeldLoad(sent, gate);
  sent.Pass();
  Error lost;
  lost.kind = ErrorKind::kUnavailable;
  transport_->AnswerNext("DeleteTable", std::unexpected(lost));
  EXPECT_FALSE(catalog_->DropTable("sales", "orders", context_));
  const std::size_t before = Loads();
  EXPECT_EQ(Loaded(*catalog_), "none");
  EXPECT_EQ(Loads(), before + 1);
  gate.Open();
  first.join();
}

}  // namespace
}  // namespace gluecat::catalog
