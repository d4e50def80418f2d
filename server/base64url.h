// base64url without padding, as JSON Web Tokens and Keys use it (RFC 7515, section 2).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gluecat::server {

// nullopt if `text` has other characters or a length that no text has; padding is refused.
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace gluecat::server
