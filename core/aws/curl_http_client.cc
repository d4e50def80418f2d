#include "core/aws/curl_http_client.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include <curl/curl.h>

#include "core/aws/crypto.h"
#include "core/aws/curl_transfer.h"

namespace gluecat::aws {
namespace {

// A waiting thread looks this often whether its caller gave up.
constexpr auto kWaitSlice = std::chrono::milliseconds(20);

Status CheckHeaders(const HeaderList& headers) {
  constexpr std::string_view kForbidden("\r\n\0", 3);
  for (const auto& [name, value] : headers) {
    if (name.empty() || name.find_first_of(": \t") != std::string::npos ||
        name.find_first_of(kForbidden) != std::string::npos ||
        value.find_first_of(kForbidden) != std::string::npos) {
      return Fail(ErrorKind::kInvalidArgument, "an HTTP header is not valid");
    }
  }
  return {};
}

}  // namespace

std::optional<std::string> FindCaBundle(const HttpClientOptions& options,
                                        const Environment& environment) {
  if (options.ca_bundle) return options.ca_bundle;
  for (const char* name : {"AWS_CA_BUNDLE", "SSL_CERT_FILE"}) {
    if (auto path = environment.Variable(name)) return path;
  }
  for (const char* path : {
           "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Alpine
           "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Amazon Linux, RHEL
           "/etc/pki/tls/certs/ca-bundle.crt",                   // older of these
           "/etc/ssl/ca-bundle.pem",                             // SUSE
           "/etc/ssl/cert.pem",                                  // Alpine, BSD
       }) {
    if (::access(path, R_OK) == 0) return path;
  }
  return std::nullopt;
}

// Transfers that are not running, the last used one on top: its connection is
// the one most likely still open.
class CurlHttpClient::Pool {
 public:
  Pool(HttpClientOptions options, std::shared_ptr<const Environment> environment)
      : options_(std::move(options)),
        environment_(std::move(environment)),
        ca_bundle_(FindCaBundle(options_, *environment_)) {}

  // Blocks until fewer than max_connections are in use.
  // Errors: kTimeout, kCancelled.
  Result<std::unique_ptr<CurlTransfer>> Acquire(const CallLimits& limits) {
    auto give_up = std::chrono::steady_clock::now() + options_.acquire_timeout;
    if (limits.deadline) give_up = std::min(give_up, *limits.deadline);
    std::unique_lock lock(mutex_);
    while (in_use_ >= options_.max_connections) {
      if (limits.cancellation.IsCancelled()) return Fail(ErrorKind::kCancelled, "cancelled");
      const auto now = std::chrono::steady_clock::now();
      if (now >= give_up) {
        return Fail(ErrorKind::kTimeout, "all " + std::to_string(options_.max_connections) +
                                             " HTTP connections of this catalog are in use (raise "
                                             "http-client.apache.max-connections)");
      }
      returned_.wait_until(lock, std::min(give_up, now + kWaitSlice));
    }
    ++in_use_;
    if (idle_.empty()) return std::make_unique<CurlTransfer>(options_, ca_bundle_);
    auto transfer = std::move(idle_.back());
    idle_.pop_back();
    return transfer;
  }

  void Release(std::unique_ptr<CurlTransfer> transfer) {
    {
      const std::lock_guard lock(mutex_);
      --in_use_;
      idle_.push_back(std::move(transfer));
    }
    returned_.notify_one();
  }

  const HttpClientOptions& options() const { return options_; }
  const Environment& environment() const { return *environment_; }

 private:
  const HttpClientOptions options_;
  const std::shared_ptr<const Environment> environment_;
  const std::optional<std::string> ca_bundle_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::size_t in_use_ = 0;
  std::vector<std::unique_ptr<CurlTransfer>> idle_;
};

CurlHttpClient::CurlHttpClient(HttpClientOptions options,
                               std::shared_ptr<const Environment> environment) {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeCrypto();
    curl_global_init(CURL_GLOBAL_DEFAULT);
  });
  pool_ = std::make_unique<Pool>(std::move(options), std::move(environment));
}

CurlHttpClient::~CurlHttpClient() = default;

Status CurlHttpClient::Send(const HttpRequest& request, const CallLimits& limits,
                            HttpResponse& response) {
  response.Clear();
  GLUECAT_RETURN_IF_ERROR(CheckHeaders(request.headers));
  std::optional<Proxy> proxy;
  if (!request.bypass_proxy) {
    GLUECAT_ASSIGN_OR_RETURN(
        proxy, ProxyFor(request.endpoint, pool_->options().proxy, pool_->environment()));
  }
  GLUECAT_ASSIGN_OR_RETURN(auto transfer, pool_->Acquire(limits));
  auto status = transfer->Perform(request, proxy, limits, response);
  pool_->Release(std::move(transfer));
  return status;
}

}  // namespace gluecat::aws
