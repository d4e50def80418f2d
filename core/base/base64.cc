#include "core/base/base64.h"

#include <cstddef>
#include <cstdint>

namespace gluecat {
namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kBytes = 3;   // of a group
constexpr std::size_t kDigits = 4;  // that stand for them

}  // namespace

std::string Base64Encode(std::string_view bytes) {
  std::string result;
  for (std::size_t at = 0; at < bytes.size(); at += kBytes) {
    const std::string_view group = bytes.substr(at, kBytes);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kBytes; ++i) {
      bits = bits << 8U | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < kDigits; ++i) {
      result += i <= group.size() ? kBase64[bits >> 6U * (kDigits - 1 - i) & 0x3FU] : '=';
    }
  }
  return result;
}

std::optional<std::string> Base64Decode(std::string_view text) {
  if (text.size() % kDigits != 0) return std::nullopt;
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += kDigits) {
    std::string_view group = text.substr(at, kDigits);
    if (at + kDigits == text.size()) {
      if (group.ends_with('=')) group.remove_suffix(1);
      if (group.ends_with('=')) group.remove_suffix(1);
    }
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kDigits; ++i) {
      const std::size_t digit = i < group.size() ? kBase64.find(group[i]) : 0;
      if (digit == std::string_view::npos) return std::nullopt;
      bits = bits << 6U | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t i = 0; i + 1 < group.size(); ++i) {
      out += static_cast<char>(bits >> 8U * (kBytes - 1 - i) & 0xFFU);
    }
  }
  return out;
}

}  // namespace gluecat
