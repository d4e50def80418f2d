#include "server/temporary_credentials.h"

#include <array>
#include <chrono>

#include "core/aws/crypto.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "server/account_id.h"
#include "server/random.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kKeyPrefix = "ASIA";
constexpr std::size_t kSealHex = 64;

std::string HexOf(std::string_view key, std::string_view text) {
  return HexEncode(aws::HmacSha256(key, text));
}

}  // namespace

std::optional<std::string> AccountOfRole(std::string_view role_arn) {
  const auto parts = Split(role_arn, ':');
  if (parts.size() != 6 || parts[0] != "arn" || parts[2] != "iam" || !IsAccountId(parts[4]) ||
      !parts[5].starts_with("role/") || parts[5].size() == 5) {
    return std::nullopt;
  }
  return std::string(parts[4]);
}

std::optional<std::string> AccountOfTemporaryKey(std::string_view access_key_id) {
  if (!access_key_id.starts_with(kKeyPrefix)) return std::nullopt;
  const auto account = access_key_id.substr(kKeyPrefix.size(), kAccountDigits);
  if (!IsAccountId(account)) return std::nullopt;
  return std::string(account);
}

std::string AssumedSession::account() const { return AccountOfRole(role_arn).value_or(""); }

std::string AssumedSession::arn() const {
  const std::string name = role_arn.substr(role_arn.rfind('/') + 1);
  return "arn:aws:sts::" + account() + ":assumed-role/" + name + "/" + session_name;
}

aws::Credentials TemporaryCredentials::Issue(const AssumedSession& session) const {
  aws::Credentials credentials;
  credentials.access_key_id =
      std::string(kKeyPrefix) + session.account() + ToUpperHex(RandomBytes(4));
  credentials.secret_access_key = SecretOf(credentials.access_key_id);
  credentials.expiration = session.expiration;
  credentials.account_id = session.account();
  JsonWriter writer;
  writer.BeginObject().Member("role", session.role_arn).Member("session", session.session_name);
  writer.Member("expires", std::int64_t{std::chrono::duration_cast<std::chrono::seconds>(
                                            session.expiration.time_since_epoch())
                                            .count()});
  if (!session.policy.empty()) writer.Member("policy", session.policy);
  const std::string payload = writer.EndObject().Take();
  credentials.session_token =
      HexOf(key_, "token:" + credentials.access_key_id + ":" + payload) + HexEncode(payload);
  return credentials;
}

std::optional<AssumedSession> TemporaryCredentials::Open(std::string_view access_key_id,
                                                         std::string_view session_token) const {
  if (session_token.size() <= kSealHex) return std::nullopt;
  const auto payload = HexDecode(session_token.substr(kSealHex));
  if (!payload) return std::nullopt;
  const std::string seal = HexOf(key_, "token:" + std::string(access_key_id) + ":" + *payload);
  if (!aws::EqualInConstantTime(seal, session_token.substr(0, kSealHex))) return std::nullopt;
  const auto document = JsonDocument::Parse(*payload);
  if (!document) return std::nullopt;
  const JsonView root = document->root();
  AssumedSession session;
  session.role_arn = root["role"].StringOr("");
  session.session_name = root["session"].StringOr("");
  session.policy = root["policy"].StringOr("");
  session.expiration = Timestamp(std::chrono::seconds(root["expires"].IntOr(0)));
  return session;
}

std::string TemporaryCredentials::SecretOf(std::string_view access_key_id) const {
  return HexOf(key_, "secret:" + std::string(access_key_id)).substr(0, 40);
}

}  // namespace gluecat::server
