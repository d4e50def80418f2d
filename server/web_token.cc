#include "server/web_token.h"

#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "server/base64url.h"

namespace gluecat::server {
namespace {

// Seconds since 1970, also with a fraction. nullopt if it is none of the years that times here
// have.
std::optional<Timestamp> TimeOf(JsonView json) {
  constexpr double kYear9999 = 253'402'300'799;
  const auto seconds = json.AsDouble();
  if (!seconds || !(*seconds >= 0 && *seconds <= kYear9999)) return std::nullopt;
  return Timestamp(std::chrono::seconds(static_cast<std::int64_t>(*seconds)));
}

std::optional<JsonDocument> ParsePart(std::string_view part) {
  const auto text = DecodeBase64Url(part);
  if (!text) return std::nullopt;
  auto document = JsonDocument::Parse(*text);
  if (!document || !document->root().IsObject()) return std::nullopt;
  return *std::move(document);
}

}  // namespace

std::optional<WebToken> ParseWebToken(std::string_view text) {
  constexpr std::size_t kParts = 3;
  if (text.size() > kMaxWebToken) return std::nullopt;
  const auto parts = Split(text, '.');
  if (parts.size() != kParts) return std::nullopt;
  const auto header = ParsePart(parts[0]);
  const auto claims = ParsePart(parts[1]);
  auto signature = DecodeBase64Url(parts[2]);
  if (!header || !claims || !signature) return std::nullopt;

  WebToken token;
  token.algorithm = header->root()["alg"].StringOr("");
  token.key_id = header->root()["kid"].StringOr("");
  token.signed_part = text.substr(0, text.rfind('.'));
  token.signature = *std::move(signature);
  const JsonView root = claims->root();
  token.issuer = root["iss"].StringOr("");
  token.subject = root["sub"].StringOr("");
  if (const auto audience = root["aud"].AsString()) token.audiences.emplace_back(*audience);
  for (const auto& audience : root["aud"].Elements()) {
    if (const auto name = audience.AsString()) token.audiences.emplace_back(*name);
  }
  // A time that is there and cannot be read is not the same as none.
  const std::pair<std::string_view, std::optional<Timestamp>*> times[] = {
      {"exp", &token.expires}, {"nbf", &token.not_before}, {"iat", &token.issued}};
  for (const auto& [name, time] : times) {
    *time = TimeOf(root[name]);
    if (!*time && !root[name].IsMissing()) return std::nullopt;
  }
  return token;
}

}  // namespace gluecat::server
