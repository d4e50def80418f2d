// The keys that OpenID Connect providers sign their tokens with: RSA and the curve P-256.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

struct evp_pkey_st;  // OpenSSL's EVP_PKEY

namespace gluecat::server {

class PublicKey {
 public:
  enum class Type : std::uint8_t { kRsa, kP256 };

  // The keys of a JSON Web Key Set (RFC 7517). Keys that are not for signatures, or of a type that
  // is not known here, are left out; one that is broken is an error.
  // Errors: kInvalidArgument, also if no key is left.
  static Result<std::vector<PublicKey>> ParseSet(JsonView json);

  // The PUBLIC KEY blocks of a PEM text. Errors: kInvalidArgument, also if there is none.
  static Result<std::vector<PublicKey>> ParsePem(std::string_view text);

  const std::string& id() const { return id_; }  // "kid"; empty for keys of a PEM text
  Type type() const { return type_; }

  // Whether `signature` is this key's over `message`: RS256 or ES256 of RFC 7518, by the key's
  // type.
  bool Verifies(std::string_view message, std::string_view signature) const;

 private:
  PublicKey(std::string id, Type type, std::shared_ptr<evp_pkey_st> key)
      : id_(std::move(id)), type_(type), key_(std::move(key)) {}

  static Result<PublicKey> Make(std::string id, std::shared_ptr<evp_pkey_st> key);
  static Result<PublicKey> ParseRsa(JsonView json);
  static Result<PublicKey> ParseP256(JsonView json);

  std::string id_;
  Type type_;
  std::shared_ptr<evp_pkey_st> key_;
};

}  // namespace gluecat::server
