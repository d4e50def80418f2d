// Any text as the answer of a metadata service, or as what a process printed. What
// is accepted has a key and a secret; what is not is invalid data, and is not quoted.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/aws/credentials_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string_view token_member : {"Token", "SessionToken"}) {
    const auto credentials = gluecat::aws::ParseCredentialsJson(text, token_member);
    if (credentials) {
      if (credentials->access_key_id.empty() || credentials->secret_access_key.empty()) {
        std::abort();
      }
      continue;
    }
    const gluecat::Error& error = credentials.error();
    if (error.kind != gluecat::ErrorKind::kInvalidData || error.message.size() > 100) std::abort();
  }
  return 0;
}
