#include "server/random.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <openssl/rand.h>

#include "core/aws/crypto.h"
#include "core/base/text.h"

namespace gluecat::server {

std::string RandomBytes(std::size_t count) {
  aws::InitializeCrypto();
  std::string bytes(count, '\0');
  // Without randomness there is nothing safe to hand out.
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1)
    std::abort();
  return bytes;
}

std::string ToUpperHex(std::string_view bytes) {
  std::string hex = HexEncode(bytes);
  for (char& c : hex) {
    if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 'a' + 'A');
  }
  return hex;
}

std::string RandomUuid() {
  // It names a request and guards nothing: the system's generator would take a twentieth of the
  // time of a GetTable.
  thread_local std::mt19937_64 generator = [] {
    std::array<std::uint32_t, 8> seed = {};
    const std::string bytes = RandomBytes(sizeof(seed));
    std::memcpy(seed.data(), bytes.data(), sizeof(seed));
    std::seed_seq sequence(seed.begin(), seed.end());
    return std::mt19937_64(sequence);
  }();
  constexpr std::uint64_t kVersion4 = 0x4000, kVariant = std::uint64_t{1} << 63U;
  const std::uint64_t high = (generator() & ~std::uint64_t{0xF000}) | kVersion4;
  const std::uint64_t low = (generator() & ~(std::uint64_t{1} << 62U)) | kVariant;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32U, (high >> 16U) & 0xFFFFU,
                     high & 0xFFFFU, low >> 48U, low & 0xFFFF'FFFF'FFFFU);
}

}  // namespace gluecat::server
