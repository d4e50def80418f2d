#include "core/catalog/http_settings.h"

#include <limits>
#include <string_view>

namespace gluecat::catalog {
namespace {

constexpr std::string_view kApache = "http-client.apache.";
constexpr std::string_view kUrlConnection = "http-client.urlconnection.";
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

bool IsType(std::string_view type) { return type == "apache" || type == "urlconnection"; }

}  // namespace

HttpSettings ReadHttpSettings(OptionReader& options, std::vector<std::string>& warnings) {
  const auto type = options.Checked("http-client.type", IsType, "apache or urlconnection");
  const bool has_url_connection = options.HasAnyBelow(kUrlConnection);
  if (!type && has_url_connection && options.HasAnyBelow(kApache)) {
    options.Wrong(
        "there are options below http-client.apache. and below http-client.urlconnection.: set "
        "http-client.type to apache or urlconnection, or remove those of one");
  }
  const bool url_connection = type ? *type == "urlconnection" : has_url_connection;
  const std::string_view other = url_connection ? kApache : kUrlConnection;
  for (const auto& [key, value] : options.values()) {
    if (key.starts_with(other)) {
      warnings.push_back("option '" + key + "' is ignored: http-client.type is " +
                         (url_connection ? "urlconnection" : "apache"));
    }
  }
  const std::string prefix(url_connection ? kUrlConnection : kApache);
  const auto number = [&](const char* name, std::int64_t least = 1) {
    return options.Integer(prefix + name, least, kMost);
  };
  HttpSettings http;
  http.connection_timeout_ms = number("connection-timeout-ms");
  http.socket_timeout_ms = number("socket-timeout-ms");
  if (!url_connection) {
    http.acquisition_timeout_ms = number("connection-acquisition-timeout-ms");
    http.max_idle_time_ms = number("connection-max-idle-time-ms");
    http.time_to_live_ms = number("connection-time-to-live-ms", 0);
    http.max_connections = number("max-connections");
    http.expect_continue = options.Flag(prefix + "expect-continue-enabled", false);
    http.tcp_keep_alive = options.Flag(prefix + "tcp-keep-alive-enabled", false);
    const std::string reaper = prefix + "use-idle-connection-reaper-enabled";
    if (options.Flag(reaper)) {
      warnings.push_back("option '" + reaper +
                         "' has no effect: an idle connection that has become too old is closed "
                         "when the next request finds it");
    }
  }
  http.proxy_endpoint = options.Text("http-client.proxy-endpoint");
  http.proxy_from_system_properties =
      options.Flag("http-client.proxy-use-system-property-values", true);
  http.proxy_from_environment =
      options.Flag("http-client.proxy-use-environment-variable-values", true);
  http.ca_bundle = options.Text("http-client.ca-bundle");
  return http;
}

}  // namespace gluecat::catalog
