#include "server/base64url.h"

#include <algorithm>
#include <cstddef>

#include "core/base/base64.h"

namespace gluecat::server {

std::optional<std::string> DecodeBase64Url(std::string_view text) {
  constexpr std::size_t kGroup = 4;
  if (text.find_first_of("+/=") != std::string_view::npos) return std::nullopt;
  if (text.size() % kGroup == 1) return std::nullopt;
  std::string padded(text);
  std::ranges::replace(padded, '-', '+');
  std::ranges::replace(padded, '_', '/');
  padded.append((kGroup - text.size() % kGroup) % kGroup, '=');
  return Base64Decode(padded);
}

}  // namespace gluecat::server
