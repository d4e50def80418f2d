// Ranges of IP addresses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gluecat::server {

class IpNetwork {
 public:
  // "192.0.2.0/24", "2001:db8::/32", or one address. nullopt if it is none of them.
  static std::optional<IpNetwork> Parse(std::string_view text);

  // False also for what is no address. An IPv4 address may be written inside IPv6
  // ("::ffff:192.0.2.1"), as dual-stack sockets name their peers.
  bool Contains(std::string_view address) const;

 private:
  using Bytes = std::array<std::uint8_t, 16>;
  // IPv4 as ::ffff:a.b.c.d.
  static std::optional<Bytes> ParseAddress(std::string_view text, bool& is_v4);

  Bytes address_{};
  int prefix_ = 0;  // of the 128 bits
};

}  // namespace gluecat::server
