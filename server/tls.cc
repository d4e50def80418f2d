#include "server/tls.h"

#include <fstream>
#include <utility>

#include <httplib.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "core/aws/crypto.h"

namespace gluecat::server {
namespace {

std::unexpected<Error> Invalid(const std::string& what, const std::string& why) {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  const std::string detail = reason == nullptr ? "" : std::string(" (") + reason + ")";
  ERR_clear_error();
  return Fail(ErrorKind::kInvalidArgument, what + " " + why + detail);
}

Status CheckReadable(const std::string& what, const std::string& path) {
  std::ifstream file(path);
  if (file.good() && file.peek() != std::ifstream::traits_type::eof()) return {};
  ERR_clear_error();
  return Invalid(what, "cannot be read, or is empty");
}

// Nobody is there to type a pass phrase.
int NoPassPhrase(char*, int, int, void*) { return 0; }

Status Prepare(SSL_CTX* context, const TlsFiles& files) {
  const std::string certificate = "the TLS certificate " + files.certificate;
  const std::string key = "the TLS key " + files.key;
  GLUECAT_RETURN_IF_ERROR(CheckReadable(certificate, files.certificate));
  GLUECAT_RETURN_IF_ERROR(CheckReadable(key, files.key));
  ERR_clear_error();
  SSL_CTX_set_default_passwd_cb(context, NoPassPhrase);
  if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) {
    return Invalid("TLS 1.2", "is not there");
  }
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1) {
    return Invalid(certificate, "is no chain of certificates in PEM form");
  }
  // A key that does not belong to the certificate fails here too.
  if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Invalid(key, "is no private key in PEM form without a pass phrase, or not the key of " +
                            files.certificate);
  }
  if (SSL_CTX_check_private_key(context) != 1) {
    return Invalid(key, "is not the key of " + files.certificate);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<httplib::Server>> MakeTlsServer(const TlsFiles& files) {
  aws::InitializeCrypto();
  Status prepared;
  auto server = std::make_unique<httplib::SSLServer>([&](httplib::tls::ctx_t context) {
    prepared = Prepare(static_cast<SSL_CTX*>(context), files);
    return prepared.has_value();
  });
  if (!prepared) return Fail(std::move(prepared).error());
  if (!server->is_valid()) return Invalid("TLS", "cannot be set up");
  return server;
}

}  // namespace gluecat::server
