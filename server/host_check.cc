#include "server/host_check.h"

#include "core/base/text.h"

namespace gluecat::server {

bool IsLoopbackHost(std::string_view host) {
  if (EqualsIgnoreCase(host, "localhost") || host == "::1") return true;
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos;
}

bool IsLoopbackPeer(std::string_view address) {
  constexpr std::string_view kMapped = "::ffff:";
  if (address.starts_with(kMapped)) address.remove_prefix(kMapped.size());
  return address != "localhost" && IsLoopbackHost(address);
}

std::string_view HostOfAuthority(std::string_view authority) {
  const std::size_t bracket = authority.find(']');
  const bool bracketed = authority.starts_with('[') && bracket != std::string_view::npos;
  const std::size_t colon = authority.find(':', bracketed ? bracket : 0);
  const std::string_view host = authority.substr(0, colon);
  if (colon != std::string_view::npos &&
      authority.find_first_not_of("0123456789", colon + 1) != std::string_view::npos) {
    return {};
  }
  if (!bracketed) return host;
  return host.ends_with(']') ? host.substr(1, host.size() - 2) : std::string_view();
}

bool IsSameOrigin(std::string_view origin, std::string_view authority) {
  if (origin.empty()) return true;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) {
      return EqualsIgnoreCase(origin.substr(scheme.size()), authority);
    }
  }
  return false;
}

}  // namespace gluecat::server
