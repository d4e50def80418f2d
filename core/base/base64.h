// Base64 of RFC 4648, padded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gluecat {

std::string Base64Encode(std::string_view bytes);

// Nothing for a text of other characters, or of another length, than encoding gives. Bits of the
// last digit that belong to no byte may be any.
std::optional<std::string> Base64Decode(std::string_view text);

}  // namespace gluecat
