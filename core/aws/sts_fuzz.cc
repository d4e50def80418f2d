// Any bytes as STS's answer, as a success and as a failure.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/aws/sts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto credentials = gluecat::aws::ParseAssumeRoleAnswer(text);
  if (credentials && credentials->access_key_id.empty()) std::abort();
  gluecat::aws::HttpResponse response;
  response.status = 400;
  response.body = text;
  if (gluecat::aws::ParseStsError(response, "host:1").message.empty()) std::abort();
  return 0;
}
