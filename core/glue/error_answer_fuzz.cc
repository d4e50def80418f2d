// Any bytes as Glue's error answer. The first byte chooses the status.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/base/json.h"
#include "core/glue/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  gluecat::aws::HttpResponse response;
  response.status = 300 + data[0] % 4 * 100 + data[0] % 16;
  response.body.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto error = gluecat::glue::ErrorFromAnswer(response, "host:1");
  if (error.message.empty() || error.message.size() > 5000 || error.code.size() > 128) std::abort();
  // Its message goes into JSON further up and must be valid text.
  gluecat::JsonWriter writer;
  writer.BeginObject().Member("message", error.message).EndObject();
  const auto document = gluecat::JsonDocument::Parse(writer.text());
  if (!document || document->root()["message"].StringOr("") != error.message) std::abort();
  return 0;
}
