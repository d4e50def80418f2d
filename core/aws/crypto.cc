#include "core/aws/crypto.h"

#include <mutex>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include "core/base/text.h"

namespace gluecat::aws {
namespace {

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

void InitializeCrypto() {
  static std::once_flag once;
  std::call_once(once, [] {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  });
}

std::string Sha256(std::string_view data) {
  InitializeCrypto();
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(Bytes(data), data.size(), reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

std::string HmacSha256(std::string_view key, std::string_view data) {
  InitializeCrypto();
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Bytes(data), data.size(),
       reinterpret_cast<unsigned char*>(digest.data()), &size);
  return digest;
}

std::string Sha256Hex(std::string_view data) { return HexEncode(Sha256(data)); }

std::string Sha1Hex(std::string_view data) {
  InitializeCrypto();
  std::string digest(SHA_DIGEST_LENGTH, '\0');
  SHA1(Bytes(data), data.size(), reinterpret_cast<unsigned char*>(digest.data()));
  return HexEncode(digest);
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace gluecat::aws
