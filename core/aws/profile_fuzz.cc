// Any text as configuration and credentials files. The part before the first NUL
// is the config file, the rest is the credentials file.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/aws/profile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto split = text.find('\0');
  const auto credentials =
      split == std::string_view::npos ? std::string_view() : text.substr(split + 1);
  const auto profiles = gluecat::aws::ParseProfiles(text.substr(0, split), credentials);
  if (!profiles && profiles.error().kind != gluecat::ErrorKind::kInvalidData) std::abort();
  return 0;
}
