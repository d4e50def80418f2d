// Base64 of RFC 4648, padded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gluecat {

std::string Base64Encode(std::string_view bytes);

// Nothing for a text that is not what encoding gives.
std::optional<std::string> Base64Decode(std::string_view text);

}  // namespace gluecat
