// For tests: two catalogs of one store, every call of either remembered, and a database to move.
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/glue/client.h"
#include "core/glue/recording_transport.h"
#include "store/local_transport.h"
#include "store/store_testing.h"
#include "transfer/apply.h"
#include "transfer/catalog_source.h"
#include "transfer/export_file.h"
#include "transfer/plan.h"

namespace gluecat::transfer {

class TransferTest : public store::StoreTest {
 protected:
  static store::Principal Target() { return Account("222222222222"); }

  std::shared_ptr<glue::RecordingTransport> Record(const store::Principal& account) {
    return std::make_shared<glue::RecordingTransport>(
        std::make_shared<store::LocalTransport>(store_, account, clock_));
  }

  // Database d: a function, a table of 250 partitions with an index and statistics, a plain
  // one with members nobody knows, a view and a resource link.
  void MakeDatabase() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d","Description":"of the test",
        "LocationUri":"s3://old/d","Parameters":{"b":"2","a":"1"}}})");
    Ok("CreateUserDefinedFunction", R"({"DatabaseName":"d","FunctionInput":{"FunctionName":"f",
        "ClassName":"a.B","OwnerName":"me","OwnerType":"USER",
        "ResourceUris":[{"ResourceType":"JAR","Uri":"s3://old/f.jar"}]}})");
    Ok("CreateTable", R"({"DatabaseName":"d","PartitionIndexes":[{"IndexName":"i","Keys":["k"]}],
        "TableInput":{"Name":"parts","PartitionKeys":[{"Name":"k","Type":"string"}],
        "StorageDescriptor":{"Columns":[{"Name":"a","Type":"int"}],"Location":"s3://old/parts"}}})");
    Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"plain","Zeta":{"b":1,"a":[2]},
        "Owner":"me","StorageDescriptor":{"Location":"s3://older/plain",
        "SerdeInfo":{"Parameters":{"path":"s3://old/plain"}}}}})");
    Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"view",
        "TableType":"VIRTUAL_VIEW","ViewOriginalText":"/* x */ SELECT 1"}})");
    Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"link",
        "TargetTable":{"CatalogId":"111111111111","DatabaseName":"e","Name":"t"}}})");
    Ok("UpdateColumnStatisticsForTable", StatisticsOf("", 3));
    std::string inputs;
    for (int i = 0; i < 250; ++i) {
      inputs += (inputs.empty() ? "" : ",") + Partition(std::to_string(i), "s3://old/parts/");
      if (i % 100 == 99 || i == 249) {
        Ok("BatchCreatePartition", R"({"DatabaseName":"d","TableName":"parts",)"
                                   R"("PartitionInputList":[)" +
                                       inputs + "]}");
        inputs.clear();
      }
    }
    source_->Clear();
  }

  static std::string Partition(const std::string& value, const std::string& location) {
    return R"({"Values":[")" + value + R"("],"StorageDescriptor":{"Columns":[{"Name":"a",)" +
           R"("Type":"int"}],"Location":")" + location + value + R"("}})";
  }

  // The request for statistics of column a of table parts, or of one partition of it.
  static std::string StatisticsOf(const std::string& value, int distinct) {
    const std::string values = value.empty() ? "" : R"("PartitionValues":[")" + value + R"("],)";
    return R"({"DatabaseName":"d","TableName":"parts",)" + values +
           R"("ColumnStatisticsList":[{"ColumnName":"a","ColumnType":"int","AnalyzedTime":1,)"
           R"("StatisticsData":{"Type":"LONG","LongColumnStatisticsData":{"NumberOfNulls":0,)"
           R"("NumberOfDistinctValues":)" +
           std::to_string(distinct) + "}}}]}";
  }

  // The file that database d of `client` makes.
  std::string Export(const glue::Client& client, Statistics statistics = Statistics::kTables) {
    std::ostringstream out;
    ExportWriter writer(out);
    const Status status = ReadCatalog(client, "d", statistics, writer);
    EXPECT_TRUE(status) << status.error().message;
    return out.str();
  }

  // Plans to bring database d of the source into the target; `report_` says what came of it.
  Status Plan(PlanOptions options = {}, Statistics statistics = Statistics::kTables) {
    report_ = Report();
    auto work = WorkList::Create();
    EXPECT_TRUE(work);
    work_ = std::make_unique<WorkList>(*std::move(work));
    Planner planner(target_client_, std::move(options), *work_, report_, progress_);
    return ReadCatalog(source_client_, "d", statistics, planner);
  }

  // The same, and writes.
  Status Copy(const PlanOptions& options = {}, Statistics statistics = Statistics::kTables) {
    GLUECAT_RETURN_IF_ERROR(Plan(options, statistics));
    return Apply(*work_, target_client_, report_, progress_);
  }

  std::uint64_t Created(Kind kind) { return report_.Last(kind).created; }

  std::shared_ptr<glue::RecordingTransport> source_ = Record(Account());
  std::shared_ptr<glue::RecordingTransport> target_ = Record(Target());
  glue::Client source_client_{source_, std::nullopt, true};
  glue::Client target_client_{target_, std::nullopt, true};
  NoProgress progress_;
  Report report_;
  std::unique_ptr<WorkList> work_;
};

}  // namespace gluecat::transfer
