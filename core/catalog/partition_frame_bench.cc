// From the pages of a listing to the frame that crosses to the JVM, without the
// network: 100,000 partitions of three keys in pages of 1,000.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/catalog/partition_frame.h"
#include "core/glue/partition_page.h"

namespace gluecat::catalog {
namespace {

constexpr int kPages = 100;
constexpr int kPartitionsPerPage = 1000;

std::string Partition(int number) {
  const std::string month = std::to_string(10 + number % 3);
  const std::string day = std::to_string(10 + number % 19);
  const std::string date = "2026-" + month + "-" + day;
  const std::string hour = std::to_string(number % 24);
  const std::string last = std::to_string(number);
  return R"({"Values":[")" + date + R"(",")" + hour + R"(",")" + last +
         R"("],"DatabaseName":"db","TableName":"t","CreationTime":1.7E9,"LastAccessTime":0.0,)"
         R"("StorageDescriptor":{"Location":"s3://bucket/warehouse/db/t/dt=)" +
         date + "/hour=" + hour + "/n=" + last +
         R"(","InputFormat":"org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",)"
         R"("OutputFormat":"org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",)"
         R"("Compressed":false,"NumberOfBuckets":-1,"SerdeInfo":{"SerializationLibrary":)"
         R"("org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe","Parameters":)"
         R"({"serialization.format":"1"}},"Parameters":{},"SkewedInfo":{"SkewedColumnNames":[],)"
         R"("SkewedColumnValues":[],"SkewedColumnValueLocationMaps":{}},)"
         R"("StoredAsSubDirectories":false},"Parameters":{"transient_lastDdlTime":"1700000000"},)"
         R"("CatalogId":"111111111111"})";
}

std::vector<std::string> Pages() {
  std::vector<std::string> pages;
  for (int page = 0; page < kPages; ++page) {
    std::string text = R"({"Partitions":[)";
    for (int i = 0; i < kPartitionsPerPage; ++i) {
      if (i > 0) text += ',';
      text += Partition(page * kPartitionsPerPage + i);
    }
    pages.push_back(text + R"(],"NextToken":"t"})");
  }
  return pages;
}

void BM_PagesToFrame(benchmark::State& state) {
  std::vector<std::string> pages = Pages();
  std::size_t bytes = 0;
  for (const auto& page : pages) bytes += page.size();
  for (auto _ : state) {
    PartitionFrame frame(3, nullptr);
    glue::PartitionPageReader reader;
    for (std::string& page : pages) {
      auto token = reader.Read(page, frame);
      if (!token) state.SkipWithError(token.error().message.c_str());
    }
    benchmark::DoNotOptimize(std::move(frame).Encode());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}
BENCHMARK(BM_PagesToFrame)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gluecat::catalog
