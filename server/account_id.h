// The ids of AWS accounts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace gluecat::server {

inline constexpr std::size_t kAccountDigits = 12;

inline bool IsAccountId(std::string_view text) {
  return text.size() == kAccountDigits &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace gluecat::server
