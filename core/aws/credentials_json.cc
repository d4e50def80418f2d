#include "core/aws/credentials_json.h"

#include "core/aws/time_format.h"
#include "core/base/json.h"

namespace gluecat::aws {

Result<Credentials> ParseCredentialsJson(std::string_view json, std::string_view token_member) {
  const auto document = JsonDocument::Parse(json);
  // The parser's reason is left out: it may quote what it read.
  if (!document || !document->root().IsObject()) {
    return Fail(ErrorKind::kInvalidData, "the answer is not a JSON object");
  }
  const JsonView root = document->root();
  Credentials credentials{.access_key_id = root["AccessKeyId"].StringOr(""),
                          .secret_access_key = root["SecretAccessKey"].StringOr(""),
                          .session_token = root[token_member].StringOr("")};
  credentials.account_id = root["AccountId"].StringOr("");
  for (const auto& [member, value] :
       {std::pair<std::string_view, const std::string&>{"AccessKeyId", credentials.access_key_id},
        {"SecretAccessKey", credentials.secret_access_key}}) {
    if (value.empty()) {
      return Fail(ErrorKind::kInvalidData, "the answer has no " + std::string(member));
    }
  }
  if (const JsonView expiration = root["Expiration"]; !expiration.IsNull()) {
    credentials.expiration = ParseIso8601(expiration.StringOr(""));
    if (!credentials.expiration) {
      return Fail(ErrorKind::kInvalidData,
                  "Expiration of the answer is not a time such as 2026-01-01T00:00:00Z");
    }
  }
  return credentials;
}

}  // namespace gluecat::aws
