#include "server/ip_network.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace gluecat::server {
namespace {

constexpr int kBits = 128;
constexpr int kV4Bits = 32;

}  // namespace

std::optional<IpNetwork::Bytes> IpNetwork::ParseAddress(std::string_view text, bool& is_v4) {
  Bytes bytes{};
  const std::string name(text);
  if (name.find('\0') != std::string::npos) return std::nullopt;
  is_v4 = inet_pton(AF_INET, name.c_str(), bytes.data() + 12) == 1;
  if (is_v4) {
    bytes[10] = bytes[11] = 0xFF;
    return bytes;
  }
  if (inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1) return bytes;
  return std::nullopt;
}

std::optional<IpNetwork> IpNetwork::Parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  IpNetwork network;
  bool is_v4 = false;
  const auto address = ParseAddress(text.substr(0, slash), is_v4);
  if (!address) return std::nullopt;
  network.address_ = *address;
  network.prefix_ = kBits;
  if (slash == std::string_view::npos) return network;
  const std::string_view bits = text.substr(slash + 1);
  int prefix = 0;
  const auto [end, error] = std::from_chars(bits.data(), bits.data() + bits.size(), prefix);
  const int most = is_v4 ? kV4Bits : kBits;
  if (error != std::errc() || end != bits.data() + bits.size() || prefix < 0 || prefix > most) {
    return std::nullopt;
  }
  network.prefix_ = prefix + kBits - most;
  return network;
}

bool IpNetwork::Contains(std::string_view address) const {
  bool is_v4 = false;
  const auto bytes = ParseAddress(address, is_v4);
  if (!bytes) return false;
  for (int bit = 0; bit < prefix_; bit += 8) {
    const auto index = static_cast<std::size_t>(bit) / 8;
    const int in_byte = std::min(prefix_ - bit, 8);
    const auto mask = static_cast<std::uint8_t>(0xFFU << (8 - in_byte));
    if ((address_[index] & mask) != ((*bytes)[index] & mask)) return false;
  }
  return true;
}

}  // namespace gluecat::server
