// HTTP/1.1 over libcurl, with pooled connections.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/aws/http_client.h"
#include "core/aws/proxy.h"

namespace gluecat::aws {

// What the catalog's http-client.* options set; the defaults are those of the
// AWS SDK for Java where it has the setting.
struct HttpClientOptions {
  // Name look-up, TCP and TLS together. Three attempts at an unreachable
  // endpoint end within ten seconds.
  Duration connect_timeout = std::chrono::seconds(3);
  // The longest time without a byte in either direction.
  Duration socket_timeout = std::chrono::seconds(30);
  // The longest wait for one of `max_connections` to become free.
  Duration acquire_timeout = std::chrono::seconds(10);
  // Idle connections older than this are not used again.
  Duration max_idle_time = std::chrono::seconds(60);
  std::optional<Duration> max_lifetime;  // nullopt: no limit
  std::size_t max_connections = 50;
  bool tcp_keep_alive = false;
  bool expect_continue = false;  // "Expect: 100-continue" on large bodies
  ProxyOptions proxy;
  // PEM file with the trusted certificates. Otherwise AWS_CA_BUNDLE,
  // SSL_CERT_FILE, or the first of the usual places that exists.
  std::optional<std::string> ca_bundle;
  std::size_t max_response_bytes = std::size_t{256} << 20U;
};

// Where the machine keeps its trusted certificates; nullopt if nowhere known.
std::optional<std::string> FindCaBundle(const HttpClientOptions& options,
                                        const Environment& environment);

class CurlHttpClient final : public HttpClient {
 public:
  CurlHttpClient(HttpClientOptions options, std::shared_ptr<const Environment> environment);
  ~CurlHttpClient() override;

  Status Send(const HttpRequest& request, const CallLimits& limits,
              HttpResponse& response) override;

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace gluecat::aws
