// For tests: keys of OpenID Connect providers, as JSON Web Keys and PEM, and tokens they sign.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "core/aws/crypto.h"

namespace gluecat::server {

inline std::string EncodeBase64Url(std::string_view bytes) {
  std::string text(bytes.size() * 4 / 3 + 8, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return text;
}

class SigningKey {
 public:
  static SigningKey Rsa(unsigned bits = 2048) {
    aws::InitializeCrypto();
    return SigningKey(EVP_RSA_gen(bits));
  }
  static SigningKey Ec(const char* curve = "P-256") {
    aws::InitializeCrypto();
    return SigningKey(EVP_EC_gen(curve));
  }

  // A JSON Web Key.
  std::string Jwk(std::string_view id) const {
    const std::string head = R"({"kid":")" + std::string(id) + R"(","use":"sig",)";
    if (EVP_PKEY_is_a(key_.get(), "RSA") == 1) {
      return head + R"("kty":"RSA","alg":"RS256","n":")" + EncodeBase64Url(Number("n")) +
             R"(","e":")" + EncodeBase64Url(Number("e")) + R"("})";
    }
    return head + R"("kty":"EC","crv":"P-256","x":")" + EncodeBase64Url(Padded(Number("qx"))) +
           R"(","y":")" + EncodeBase64Url(Padded(Number("qy"))) + R"("})";
  }

  std::string Pem() const {
    const std::unique_ptr<BIO, int (*)(BIO*)> bio(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_PUBKEY(bio.get(), key_.get());
    char* text = nullptr;
    const auto size = BIO_get_mem_data(bio.get(), &text);
    return {text, static_cast<std::size_t>(size)};
  }

  // A token of these claims; `header` is JSON too.
  std::string Token(std::string_view header, std::string_view claims) const {
    const std::string signed_part = EncodeBase64Url(header) + "." + EncodeBase64Url(claims);
    return signed_part + "." + EncodeBase64Url(Sign(signed_part));
  }

 private:
  explicit SigningKey(EVP_PKEY* key) : key_(key, EVP_PKEY_free) {}

  static std::string Padded(const std::string& bytes) {
    return std::string(32 - bytes.size(), '\0') + bytes;
  }

  std::string Number(const char* name) const {
    BIGNUM* number = nullptr;
    EVP_PKEY_get_bn_param(key_.get(), name, &number);
    std::string bytes(static_cast<std::size_t>(BN_num_bytes(number)), '\0');
    BN_bn2bin(number, reinterpret_cast<unsigned char*>(bytes.data()));
    BN_free(number);
    return bytes;
  }

  std::string Sign(std::string_view text) const {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                     EVP_MD_CTX_free);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size());
    std::string signature(size, '\0');
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                   text.size());
    signature.resize(size);
    return EVP_PKEY_is_a(key_.get(), "EC") == 1 ? TwoNumbers(signature) : signature;
  }

  static std::string TwoNumbers(std::string_view der) {
    const auto* at = reinterpret_cast<const unsigned char*>(der.data());
    ECDSA_SIG* const pair = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
    std::string bytes(64, '\0');
    auto* const out = reinterpret_cast<unsigned char*>(bytes.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(pair), out, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair), out + 32, 32);
    ECDSA_SIG_free(pair);
    return bytes;
  }

  std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace gluecat::server
