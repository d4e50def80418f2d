// Any body, as any operation: there is an answer, JSON or XML, and never status 500.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "server/service.h"
#include "server/sts.h"

namespace {

using namespace gluecat;

// The first line names the operation; "sts" takes the rest as a form.
server::Request RequestOf(std::string_view input) {
  const std::size_t line = input.find('\n');
  const std::string_view operation = input.substr(0, line);
  server::Request request;
  request.method = "POST";
  request.headers = {
      {"Authorization",
       std::string("AWS4-HMAC-SHA256 Credential=111111111111/20260101/eu-central-1/") +
           (operation == "sts" ? "sts" : "glue") +
           "/aws4_request, SignedHeaders=host, Signature=" + std::string(64, '0')}};
  if (operation != "sts")
    request.headers.emplace_back("X-Amz-Target", "AWSGlue." + std::string(operation));
  if (line != std::string_view::npos) request.body = input.substr(line + 1);
  return request;
}

server::Service& SharedService() {
  static auto& service = *[] {
    std::string pattern = (std::filesystem::temp_directory_path() / "gluecat-fuzz-XXXXXX").string();
    auto store = store::Store::Open(mkdtemp(pattern.data()), SystemClock());
    return server::Service::Make(*store, nullptr, SystemClock(), nullptr, nullptr)->release();
  }();
  return service;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto request = RequestOf({reinterpret_cast<const char*>(data), size});
  const auto answer = SharedService().Handle(request);
  if (answer.status >= 500) std::abort();
  const bool json = answer.content_type == "application/x-amz-json-1.1";
  if (json ? !JsonDocument::Parse(answer.body) : !answer.body.starts_with('<')) std::abort();
  return 0;
}
