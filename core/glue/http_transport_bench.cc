// The path of bytes through HttpTransport, against a server on loopback in the
// same process (whose threads' time is not counted).
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "core/aws/curl_http_client.h"
#include "core/aws/fakes_testing.h"
#include "core/aws/loopback_server_testing.h"
#include "core/glue/http_transport.h"

namespace gluecat::glue {
namespace {

std::unique_ptr<HttpTransport> Connect(const aws::LoopbackServer& server) {
  return std::make_unique<HttpTransport>(
      HttpTransportOptions{.endpoint = server.endpoint(), .region = "us-east-1"},
      std::make_shared<aws::CurlHttpClient>(aws::HttpClientOptions(),
                                            std::make_shared<FixedEnvironment>()),
      std::make_shared<aws::FakeProvider>([](int) -> Result<aws::Credentials> {
        return aws::Credentials{.access_key_id = "A", .secret_access_key = "S"};
      }),
      std::make_shared<aws::RetryPolicy>(aws::RetryOptions(), SystemClock()));
}

void Calls(benchmark::State& state, std::size_t bytes, int calls) {
  const auto reply = aws::HttpReply(200, "{" + std::string(bytes, ' ') + "}");
  const aws::LoopbackServer server(
      [&reply](const aws::LoopbackRequest&) { return aws::LoopbackReply(reply); });
  const auto transport = Connect(server);
  while (state.KeepRunning()) {
    for (int i = 0; i < calls; ++i) {
      auto answer = transport->Call("GetPartitions", "{}", {});
      if (!answer) state.SkipWithError(answer.error().message.c_str());
      benchmark::DoNotOptimize(answer);
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * calls * state.iterations());
}

// 85 MB: 100,000 partitions without column schemas in pages of 1,000.
void BM_HundredPages(benchmark::State& state) { Calls(state, 850'000, 100); }
BENCHMARK(BM_HundredPages)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_SmallCall(benchmark::State& state) { Calls(state, 3'000, 1); }
BENCHMARK(BM_SmallCall)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace gluecat::glue
