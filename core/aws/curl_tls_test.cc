// Whom the HTTP client trusts, with certificates made on the spot.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): signal sets are POSIX's
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "core/aws/crypto.h"
#include "core/aws/curl_http_client.h"
#include "core/aws/loopback_server_testing.h"
#include "core/base/environment.h"

namespace gluecat::aws {
namespace {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;

// A certificate for the address 127.0.0.1 that is its own authority.
struct Identity {
  Key key{EVP_EC_gen("P-256")};
  Certificate certificate{X509_new()};

  Identity() {
    X509* x509 = certificate.get();
    X509_set_version(x509, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
    X509_gmtime_adj(X509_getm_notBefore(x509), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
    X509_set_pubkey(x509, key.get());
    X509_NAME* name = X509_get_subject_name(x509);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(x509, name);
    for (const auto& [nid, value] : {std::pair(NID_subject_alt_name, "IP:127.0.0.1"),
                                     std::pair(NID_basic_constraints, "critical,CA:TRUE")}) {
      X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value);
      X509_add_ext(x509, extension, -1);
      X509_EXTENSION_free(extension);
    }
    X509_sign(x509, key.get(), EVP_sha256());
  }

  void WriteTo(const std::filesystem::path& path) const {
    std::unique_ptr<FILE, Freed<std::fclose>> file(std::fopen(path.c_str(), "w"));
    ASSERT_NE(file, nullptr);
    PEM_write_X509(file.get(), certificate.get());
  }
};

// Answers every request on every connection with "ok".
class TlsServer {
 public:
  explicit TlsServer(const Identity& identity) : context_(SSL_CTX_new(TLS_server_method())) {
    SSL_CTX_use_certificate(context_.get(), identity.certificate.get());
    SSL_CTX_use_PrivateKey(context_.get(), identity.key.get());
    const LoopbackListener listener = ListenOnLoopback(8);
    listener_ = listener.socket;
    port_ = listener.port;
    thread_ = std::thread([this] { Accept(); });
  }

  ~TlsServer() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }

  Endpoint endpoint(const std::string& host = "127.0.0.1") const {
    return {"https", host, port_, ""};
  }

 private:
  void Accept() {
    // OpenSSL's own socket writes raise SIGPIPE; in this thread only, so that the
    // client's would still end the test.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    while (!stopping_) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) continue;
      std::unique_ptr<SSL, Freed<SSL_free>> tls(SSL_new(context_.get()));
      SSL_set_fd(tls.get(), socket);
      char buffer[4096];
      if (SSL_accept(tls.get()) == 1 && SSL_read(tls.get(), buffer, sizeof buffer) > 0) {
        constexpr std::string_view kAnswer =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
        SSL_write(tls.get(), kAnswer.data(), static_cast<int>(kAnswer.size()));
        SSL_shutdown(tls.get());
      }
      ::close(socket);
    }
  }

  std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>> context_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

class CurlTlsTest : public testing::Test {
 protected:
  CurlTlsTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("gluecat-tls-" + std::to_string(::getpid()))) {
    InitializeCrypto();
    std::filesystem::create_directories(folder_);
  }
  ~CurlTlsTest() override { std::filesystem::remove_all(folder_); }

  Status Send(const Endpoint& endpoint, const std::filesystem::path& bundle) {
    HttpClientOptions options;
    options.ca_bundle = bundle;
    HttpRequest request;
    request.endpoint = endpoint;
    request.headers = {{"Host", endpoint.HostHeader()}};
    return CurlHttpClient(options, std::make_shared<FixedEnvironment>())
        .Send(request, {}, response_);
  }

  const std::filesystem::path folder_;
  HttpResponse response_;
};

TEST_F(CurlTlsTest, TrustsWhatTheBundleHolds) {
  const Identity identity;
  const TlsServer server(identity);
  identity.WriteTo(folder_ / "ca.pem");
  const auto status = Send(server.endpoint(), folder_ / "ca.pem");
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(response_.body, "ok");
}

TEST_F(CurlTlsTest, RefusesOtherCertificatesForGood) {
  const TlsServer server{Identity()};
  const Identity another;
  another.WriteTo(folder_ / "ca.pem");
  const auto status = Send(server.endpoint(), folder_ / "ca.pem");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  EXPECT_FALSE(status.error().retryable);
  for (const auto& part : {server.endpoint().Authority(), std::string("AWS_CA_BUNDLE"),
                           (folder_ / "ca.pem").string()}) {
    EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
  }
  EXPECT_EQ(response_.times_sent, 0);
}

TEST_F(CurlTlsTest, RefusesACertificateOfAnotherHost) {
  const Identity identity;
  const TlsServer server(identity);
  identity.WriteTo(folder_ / "ca.pem");
  const auto status = Send(server.endpoint("localhost"), folder_ / "ca.pem");
  ASSERT_FALSE(status);
  EXPECT_EQ(response_.times_sent, 0);
}

TEST_F(CurlTlsTest, ABundleThatCannotBeReadIsTheCallersFault) {
  const TlsServer server{Identity()};
  const auto status = Send(server.endpoint(), folder_ / "missing.pem");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kInvalidArgument);
  EXPECT_NE(status.error().message.find("missing.pem"), std::string::npos);
}

}  // namespace
}  // namespace gluecat::aws
