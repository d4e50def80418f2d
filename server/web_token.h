// JSON Web Tokens as OpenID Connect providers give them out (RFC 7519), before anybody trusts them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"

namespace gluecat::server {

inline constexpr std::size_t kMaxWebToken = 20'000;  // characters, AWS's limit

struct WebToken {
  std::string algorithm;  // "RS256"
  std::string key_id;     // empty if it names none
  std::string signed_part;
  std::string signature;

  std::string issuer;
  std::string subject;
  std::vector<std::string> audiences;
  std::optional<Timestamp> expires;
  std::optional<Timestamp> not_before;
  std::optional<Timestamp> issued;
};

// nullopt if `text` is no signed token with a header and claims, or too long.
std::optional<WebToken> ParseWebToken(std::string_view text);

}  // namespace gluecat::server
