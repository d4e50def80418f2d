// http-client.*: Iceberg's names for the settings of an HTTP client.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/option_reader.h"

namespace gluecat::catalog {

// nullopt: the HTTP client's own default.
struct HttpSettings {
  std::optional<std::int64_t> connection_timeout_ms;
  std::optional<std::int64_t> socket_timeout_ms;
  std::optional<std::int64_t> acquisition_timeout_ms;
  std::optional<std::int64_t> max_idle_time_ms;
  std::optional<std::int64_t> time_to_live_ms;  // 0: no limit
  std::optional<std::int64_t> max_connections;
  bool expect_continue = false;
  bool tcp_keep_alive = false;
  std::optional<std::string> proxy_endpoint;  // may hold a password
  bool proxy_from_system_properties = true;
  bool proxy_from_environment = true;
  std::optional<std::string> ca_bundle;  // a PEM file
  bool operator==(const HttpSettings&) const = default;
};

// There is one HTTP client, and http-client.type only says whose keys count: those
// below http-client.apache. or those below http-client.urlconnection. Without a
// type it is the one that has keys; keys of both need a type. Keys of the other
// one, and those that mean nothing to the client, are ignored with a warning.
HttpSettings ReadHttpSettings(OptionReader& options, std::vector<std::string>& warnings);

}  // namespace gluecat::catalog
