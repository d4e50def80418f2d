#include "server/public_key.h"

#include <optional>
#include <utility>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include "core/aws/crypto.h"
#include "server/base64url.h"

namespace gluecat::server {
namespace {

constexpr int kMinRsaBits = 2048;
constexpr std::size_t kCoordinate = 32;  // bytes of a number of P-256

template <auto kFree>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
template <typename T, auto kFree>
using Owned = std::unique_ptr<T, Freer<kFree>>;

using Bio = Owned<BIO, BIO_free_all>;
using BigNumber = Owned<BIGNUM, BN_free>;
using Builder = Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using Parameters = Owned<OSSL_PARAM, OSSL_PARAM_free>;
using KeyContext = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using DigestContext = Owned<EVP_MD_CTX, EVP_MD_CTX_free>;
using EcdsaSignature = Owned<ECDSA_SIG, ECDSA_SIG_free>;

std::unexpected<Error> Invalid(std::string message) {
  ERR_clear_error();
  return Fail(ErrorKind::kInvalidArgument, std::move(message));
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

BigNumber NumberOf(std::string_view bytes) {
  return BigNumber(BN_bin2bn(Bytes(bytes), static_cast<int>(bytes.size()), nullptr));
}

std::optional<std::string> Decoded(JsonView json, std::string_view member) {
  const auto text = json[member].AsString();
  if (!text || text->empty()) return std::nullopt;
  return DecodeBase64Url(*text);
}

std::shared_ptr<EVP_PKEY> Shared(EVP_PKEY* key) {
  return key == nullptr ? nullptr : std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free);
}

std::shared_ptr<EVP_PKEY> KeyOf(const char* type, OSSL_PARAM_BLD* builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (parameters == nullptr || context == nullptr || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return nullptr;
  }
  return Shared(key);
}

// r and s one behind the other, as JSON Web Signatures have them, in the form of OpenSSL.
std::optional<std::string> ToDer(std::string_view signature) {
  if (signature.size() != 2 * kCoordinate) return std::nullopt;
  const EcdsaSignature pair(ECDSA_SIG_new());
  BigNumber r = NumberOf(signature.substr(0, kCoordinate));
  BigNumber s = NumberOf(signature.substr(kCoordinate));
  if (pair == nullptr || r == nullptr || s == nullptr ||
      ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1) {
    return std::nullopt;
  }
  [[maybe_unused]] const BIGNUM* const taken_r = r.release();  // the pair's now
  [[maybe_unused]] const BIGNUM* const taken_s = s.release();
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return std::nullopt;
  std::string text(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

}  // namespace

Result<PublicKey> PublicKey::Make(std::string id, std::shared_ptr<EVP_PKEY> key) {
  const std::string name = id.empty() ? std::string("the key") : "the key '" + id + "'";
  if (key == nullptr) return Invalid(name + " is not valid");
  if (EVP_PKEY_is_a(key.get(), "RSA") == 1) {
    if (EVP_PKEY_get_bits(key.get()) < kMinRsaBits) {
      return Invalid(name + " is an RSA key of less than 2048 bits");
    }
    return PublicKey(std::move(id), Type::kRsa, std::move(key));
  }
  char group[64] = {};
  std::size_t size = 0;
  if (EVP_PKEY_is_a(key.get(), "EC") == 1 &&
      EVP_PKEY_get_group_name(key.get(), group, sizeof(group), &size) == 1 &&
      std::string_view(group, size) == "prime256v1") {
    return PublicKey(std::move(id), Type::kP256, std::move(key));
  }
  return Invalid(name + " is neither an RSA key nor one of the curve P-256");
}

Result<PublicKey> PublicKey::ParseRsa(JsonView json) {
  const auto modulus = Decoded(json, "n");
  const auto exponent = Decoded(json, "e");
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!modulus || !exponent || builder == nullptr) return Make(json["kid"].StringOr(""), nullptr);
  const BigNumber n = NumberOf(*modulus);
  const BigNumber e = NumberOf(*exponent);
  if (n == nullptr || e == nullptr ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1) {
    return Make(json["kid"].StringOr(""), nullptr);
  }
  return Make(json["kid"].StringOr(""), KeyOf("RSA", builder.get()));
}

Result<PublicKey> PublicKey::ParseP256(JsonView json) {
  const auto x = Decoded(json, "x");
  const auto y = Decoded(json, "y");
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!x || !y || x->size() != kCoordinate || y->size() != kCoordinate || builder == nullptr) {
    return Make(json["kid"].StringOr(""), nullptr);
  }
  const std::string point = "\x04" + *x + *y;
  if (OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) !=
          1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    return Make(json["kid"].StringOr(""), nullptr);
  }
  return Make(json["kid"].StringOr(""), KeyOf("EC", builder.get()));
}

Result<std::vector<PublicKey>> PublicKey::ParseSet(JsonView json) {
  aws::InitializeCrypto();
  if (!json["keys"].IsArray()) return Invalid("the key set has no list 'keys'");
  std::vector<PublicKey> keys;
  for (const auto& key : json["keys"].Elements()) {
    if (key["use"].StringOr("sig") != "sig") continue;
    const std::string type = key["kty"].StringOr("");
    const std::string algorithm = key["alg"].StringOr("");
    if (type == "RSA" && (algorithm.empty() || algorithm == "RS256")) {
      GLUECAT_ASSIGN_OR_RETURN(auto parsed, ParseRsa(key));
      keys.push_back(std::move(parsed));
    } else if (type == "EC" && key["crv"].AsString() == "P-256") {
      GLUECAT_ASSIGN_OR_RETURN(auto parsed, ParseP256(key));
      keys.push_back(std::move(parsed));
    }
  }
  if (keys.empty()) return Invalid("the key set has no RSA or P-256 key for signatures");
  return keys;
}

Result<std::vector<PublicKey>> PublicKey::ParsePem(std::string_view text) {
  aws::InitializeCrypto();
  const Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  std::vector<PublicKey> keys;
  while (bio != nullptr) {
    auto key = Shared(PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
    if (key == nullptr) break;
    GLUECAT_ASSIGN_OR_RETURN(auto made, Make("", std::move(key)));
    keys.push_back(std::move(made));
  }
  ERR_clear_error();  // the end of the text counts as an error there
  if (keys.empty()) return Invalid("there is no 'BEGIN PUBLIC KEY' block that can be read");
  return keys;
}

bool PublicKey::Verifies(std::string_view message, std::string_view signature) const {
  const auto der = type_ == Type::kP256 ? ToDer(signature) : std::string(signature);
  const DigestContext context(EVP_MD_CTX_new());
  if (!der || context == nullptr) return false;
  const bool good =
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
      EVP_DigestVerify(context.get(), Bytes(*der), der->size(), Bytes(message), message.size()) ==
          1;
  ERR_clear_error();
  return good;
}

}  // namespace gluecat::server
