#include "store/page_token.h"

#include <cstdint>

#include "core/base/text.h"
#include "store/fnv.h"
#include "store/service_errors.h"

namespace gluecat::store {
namespace {

constexpr std::size_t kChecksumBytes = 8;

}  // namespace

std::string PageTokens::Checksum(std::string_view listing, std::string_view position) const {
  // The checksum tells tokens apart; it guards nothing: a forged token gives its forger no more
  // than another page of what he may list anyway.
  std::uint64_t sum = Fnv().Add(secret_).Add(listing).Add(position).value();
  std::string out;
  for (std::size_t i = 0; i < kChecksumBytes; ++i, sum >>= 8U)
    out += static_cast<char>(sum & 0xFFU);
  return out;
}

std::string PageTokens::Seal(std::string_view listing, std::string_view position) const {
  return HexEncode(Checksum(listing, position) + std::string(position));
}

Result<std::string> PageTokens::Open(std::string_view listing, std::string_view token) const {
  if (token.empty()) return std::string();
  const auto bytes = HexDecode(token);
  if (bytes && bytes->size() > kChecksumBytes) {
    std::string position = bytes->substr(kChecksumBytes);
    if (Checksum(listing, position) == bytes->substr(0, kChecksumBytes)) return position;
  }
  return InvalidInput(
      "The NextToken is not valid for this request: it is malformed, expired, or of another one");
}

}  // namespace gluecat::store
