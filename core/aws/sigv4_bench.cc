#include <benchmark/benchmark.h>

#include "core/aws/sigv4.h"
#include "core/aws/time_format.h"

namespace gluecat::aws {
namespace {

void BM_SignRequest(benchmark::State& state) {
  SignableRequest request;
  request.method = "POST";
  request.body = R"({"CatalogId":"111111111111","DatabaseName":"sales","Name":"orders"})";
  request.headers = {{"Host", "glue.eu-central-1.amazonaws.com"},
                     {"Content-Type", "application/x-amz-json-1.1"},
                     {"X-Amz-Target", "AWSGlue.GetTable"}};
  const Credentials credentials{
      .access_key_id = "A", .secret_access_key = "secret", .session_token = std::string(800, 't')};
  const Timestamp time = *ParseAmzDate("20260102T030405Z");
  for (auto _ : state) {
    auto added = SignRequest(request, credentials, {"eu-central-1", "glue"}, time);
    benchmark::DoNotOptimize(added);
  }
}
BENCHMARK(BM_SignRequest)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace gluecat::aws
