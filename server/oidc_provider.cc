#include "server/oidc_provider.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/aws/time_format.h"
#include "server/accounts_json.h"
#include "store/service_errors.h"

namespace gluecat::server {
namespace {

using store::ServiceError;

constexpr auto kMaxSkew = std::chrono::minutes(5);  // of the provider's clock, ahead of ours
constexpr std::string_view kKeyMembers[] = {"jwks", "jwks_file", "pem", "pem_file"};

Result<std::string> ReadKeyFile(JsonView json, std::string_view member, const Environment& files,
                                const std::string& directory) {
  const std::string name = json[member].StringOr("");
  if (name.empty()) return Fail(ErrorKind::kInvalidArgument, "it must be the name of a file");
  const std::string path =
      name.starts_with('/') || directory.empty() ? name : directory + "/" + name;
  auto text = files.ReadFile(path);
  if (!text) return Fail(WithContext(std::move(text).error(), path));
  return text;
}

Result<std::vector<PublicKey>> ParseSetText(std::string_view text) {
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(text));
  return PublicKey::ParseSet(document.root());
}

Result<std::vector<PublicKey>> ReadKeys(JsonView json, std::string_view member,
                                        const Environment& files, const std::string& directory) {
  if (member == "jwks") return PublicKey::ParseSet(json[member]);
  if (member == "pem") return PublicKey::ParsePem(json[member].StringOr(""));
  GLUECAT_ASSIGN_OR_RETURN(const auto text, ReadKeyFile(json, member, files, directory));
  return member == "jwks_file" ? ParseSetText(text) : PublicKey::ParsePem(text);
}

std::optional<PublicKey::Type> TypeFor(std::string_view algorithm) {
  if (algorithm == "RS256") return PublicKey::Type::kRsa;
  if (algorithm == "ES256") return PublicKey::Type::kP256;
  return std::nullopt;
}

std::unexpected<Error> InvalidToken(std::string message) {
  return ServiceError("InvalidIdentityToken", std::move(message));
}

Status CheckSignature(const OidcProvider& provider, const WebToken& token) {
  const auto type = TypeFor(token.algorithm);
  if (!type) return InvalidToken("The token must be signed with RS256 or ES256.");
  // A key without an id may be any of the token's; a token without one may be of any key.
  const bool verified = std::ranges::any_of(provider.keys, [&](const PublicKey& key) {
    const bool named = key.id().empty() || token.key_id.empty() || key.id() == token.key_id;
    return named && key.type() == *type && key.Verifies(token.signed_part, token.signature);
  });
  if (!verified) {
    return InvalidToken("The token's signature is not of a key of the provider " + provider.issuer +
                        ".");
  }
  return {};
}

Status CheckTimes(const WebToken& token, Timestamp now) {
  if (!token.expires || !token.issued) return InvalidToken("The token needs 'exp' and 'iat'.");
  if (now >= *token.expires) {
    return ServiceError(kExpiredWebIdentityToken, "Token expired: current date/time " +
                                                      aws::FormatIso8601(now) +
                                                      " must be before the expiration date/time " +
                                                      aws::FormatIso8601(*token.expires));
  }
  if (*token.issued > now + kMaxSkew || (token.not_before && *token.not_before > now + kMaxSkew)) {
    return ServiceError("IDPRejectedClaim", "The token is not valid yet.");
  }
  return {};
}

}  // namespace

Result<OidcProvider> ReadOidcProvider(JsonView json, const std::string& place,
                                      const Environment& files, const std::string& directory) {
  GLUECAT_RETURN_IF_ERROR(
      CheckMembers(json, place, {"issuer", "audiences", "jwks", "jwks_file", "pem", "pem_file"}));
  OidcProvider provider;
  GLUECAT_ASSIGN_OR_RETURN(provider.issuer, RequiredText(json, place, "issuer"));
  GLUECAT_ASSIGN_OR_RETURN(provider.audiences, TextList(json, place, "audiences"));
  if (provider.audiences.empty()) return InvalidAccounts(place, "needs the list 'audiences'");
  std::vector<std::string_view> given;
  for (const auto member : kKeyMembers) {
    if (!json[member].IsMissing()) given.push_back(member);
  }
  if (given.size() != 1) {
    return InvalidAccounts(place, "needs one of 'jwks', 'jwks_file', 'pem' and 'pem_file'");
  }
  auto keys = ReadKeys(json, given.front(), files, directory);
  if (!keys) {
    return InvalidAccounts(
        place, "has no usable '" + std::string(given.front()) + "': " + keys.error().message);
  }
  provider.keys = *std::move(keys);
  return provider;
}

Result<std::string> CheckWebToken(const OidcProvider& provider, const WebToken& token,
                                  Timestamp now) {
  GLUECAT_RETURN_IF_ERROR(CheckSignature(provider, token));
  GLUECAT_RETURN_IF_ERROR(CheckTimes(token, now));
  if (token.subject.empty()) return InvalidToken("The token needs a subject, 'sub'.");
  const auto known = std::ranges::find_first_of(token.audiences, provider.audiences);
  if (known == token.audiences.end()) return InvalidToken("Incorrect token audience");
  return *known;
}

}  // namespace gluecat::server
