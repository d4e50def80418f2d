#include "server/random.h"

#include <cstdlib>

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
  std::string bytes = RandomBytes(16);
  bytes[6] = static_cast<char>((static_cast<unsigned char>(bytes[6]) & 0x0FU) | 0x40U);
  bytes[8] = static_cast<char>((static_cast<unsigned char>(bytes[8]) & 0x3FU) | 0x80U);
  std::string out = HexEncode(bytes);
  for (const std::size_t at : {8U, 13U, 18U, 23U}) out.insert(at, 1, '-');
  return out;
}

}  // namespace gluecat::server
