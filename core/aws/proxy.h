// Which proxy a request goes through.
#pragma once

#include <optional>
#include <string>

#include "core/aws/endpoint.h"
#include "core/base/environment.h"
#include "core/base/result.h"

namespace gluecat::aws {

struct Proxy {
  Endpoint endpoint;
  std::string user;      // empty: no authentication
  std::string password;  // never in messages

  bool operator==(const Proxy&) const = default;
};

struct ProxyOptions {
  // "http://user:password@proxy:3128"; used for every request if given.
  std::optional<std::string> endpoint;
  // https.proxyHost, https.proxyPort, http.nonProxyHosts, … of the JVM.
  bool use_system_properties = true;
  // https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY, all_proxy, no_proxy, NO_PROXY.
  bool use_environment_variables = true;
};

// The proxy for requests to `target`; nullopt for none. In order: the option,
// system properties, environment variables. The latter two never apply to
// loopback addresses, where a proxy would reach another machine.
// Errors: kInvalidArgument if the setting in effect is not a proxy URL.
Result<std::optional<Proxy>> ProxyFor(const Endpoint& target, const ProxyOptions& options,
                                      const Environment& environment);

}  // namespace gluecat::aws
