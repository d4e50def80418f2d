#include "core/aws/proxy.h"

#include <string_view>
#include <utility>

#include "core/base/text.h"

namespace gluecat::aws {
namespace {

// A proxy setting; its origin is named in errors, its text is not, for it may
// hold a password.
Result<Proxy> ParseProxy(std::string_view setting, std::string_view origin) {
  auto text = Trim(setting);
  const auto scheme_end = text.find("://");
  std::string scheme = "http";
  if (scheme_end != std::string_view::npos) {
    scheme = ToLowerAscii(text.substr(0, scheme_end));
    text.remove_prefix(scheme_end + 3);
  }
  Proxy proxy;
  const auto at = text.rfind('@');
  if (at != std::string_view::npos) {
    const auto user = text.substr(0, at);
    const auto colon = user.find(':');
    proxy.user = PercentDecode(user.substr(0, colon));
    if (colon != std::string_view::npos) proxy.password = PercentDecode(user.substr(colon + 1));
    text.remove_prefix(at + 1);
  }
  auto endpoint = ParseEndpoint(scheme + "://" + std::string(text));
  if (!endpoint) {
    return Fail(ErrorKind::kInvalidArgument,
                std::string(origin) + " is not a proxy URL (http://host:port)");
  }
  proxy.endpoint = *std::move(endpoint);
  proxy.endpoint.path.clear();
  return proxy;
}

bool IsLoopback(std::string_view host) {
  return host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") ||
         host == "[::1]";
}

// Java's nonProxyHosts: names separated by '|', with '*' at either end.
bool MatchesNonProxyHosts(std::string_view patterns, std::string_view host) {
  for (const auto part : Split(patterns, '|')) {
    const std::string pattern = ToLowerAscii(Trim(part));
    if (pattern.empty()) continue;
    if (pattern == "*") return true;
    const bool open_start = pattern.front() == '*';
    const bool open_end = pattern.back() == '*';
    const auto core = std::string_view(pattern).substr(
        open_start ? 1 : 0, pattern.size() - (open_start ? 1 : 0) - (open_end ? 1 : 0));
    if (open_start && open_end ? host.find(core) != std::string_view::npos
        : open_start           ? host.ends_with(core)
        : open_end             ? host.starts_with(core)
                               : host == core) {
      return true;
    }
  }
  return false;
}

// NO_PROXY: names separated by commas; each stands for itself and what is below
// it, with or without a dot in front; a port limits it to that port.
bool MatchesNoProxy(std::string_view list, const Endpoint& target) {
  const std::string_view host = target.host;
  for (const auto part : Split(list, ',')) {
    std::string name = ToLowerAscii(Trim(part));
    if (name == "*") return true;
    const auto colon = name.rfind(':');
    if (colon != std::string::npos && name.find(']', colon) == std::string::npos &&
        name.find(':') == colon) {
      if (name.substr(colon + 1) != std::to_string(target.port)) continue;
      name.resize(colon);
    }
    if (name.starts_with("*.")) name.erase(0, 1);
    if (name.starts_with('.')) name.erase(0, 1);
    if (name.empty()) continue;
    if (host == name || host == "[" + name + "]" || host.ends_with("." + name)) return true;
  }
  return false;
}

Result<std::optional<Proxy>> FromSystemProperties(const Endpoint& target,
                                                  const Environment& environment) {
  const std::string prefix = target.scheme + ".";
  const auto host = environment.SystemProperty(prefix + "proxyHost");
  if (!host) return std::optional<Proxy>();
  // Java reads http.nonProxyHosts for both schemes.
  if (const auto excluded = environment.SystemProperty("http.nonProxyHosts");
      excluded && MatchesNonProxyHosts(*excluded, target.host)) {
    return std::optional<Proxy>();
  }
  const auto port = environment.SystemProperty(prefix + "proxyPort")
                        .value_or(target.scheme == "https" ? "443" : "80");
  GLUECAT_ASSIGN_OR_RETURN(
      Proxy proxy, ParseProxy("http://" + std::string(Trim(*host)) + ":" + std::string(Trim(port)),
                              "system property " + prefix + "proxyHost"));
  proxy.user = environment.SystemProperty(prefix + "proxyUser").value_or("");
  proxy.password = environment.SystemProperty(prefix + "proxyPassword").value_or("");
  return std::optional(std::move(proxy));
}

Result<std::optional<Proxy>> FromEnvironment(const Endpoint& target,
                                             const Environment& environment) {
  for (const char* name : {"no_proxy", "NO_PROXY"}) {
    if (const auto list = environment.Variable(name)) {
      if (MatchesNoProxy(*list, target)) return std::optional<Proxy>();
      break;
    }
  }
  const bool https = target.scheme == "https";
  for (const char* name : {https ? "https_proxy" : "http_proxy",
                           https ? "HTTPS_PROXY" : "HTTP_PROXY", "all_proxy", "ALL_PROXY"}) {
    if (const auto url = environment.Variable(name)) {
      GLUECAT_ASSIGN_OR_RETURN(Proxy proxy, ParseProxy(*url, name));
      return std::optional(std::move(proxy));
    }
  }
  return std::optional<Proxy>();
}

}  // namespace

Result<std::optional<Proxy>> ProxyFor(const Endpoint& target, const ProxyOptions& options,
                                      const Environment& environment) {
  if (options.endpoint) {
    GLUECAT_ASSIGN_OR_RETURN(
        Proxy proxy, ParseProxy(*options.endpoint, "the option http-client.proxy-endpoint"));
    return std::optional(std::move(proxy));
  }
  if (IsLoopback(target.host)) return std::optional<Proxy>();
  if (options.use_system_properties) {
    GLUECAT_ASSIGN_OR_RETURN(auto proxy, FromSystemProperties(target, environment));
    if (proxy) return proxy;
  }
  if (options.use_environment_variables) return FromEnvironment(target, environment);
  return std::optional<Proxy>();
}

}  // namespace gluecat::aws
