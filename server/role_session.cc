#include "server/role_session.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "core/aws/time_format.h"
#include "core/base/json.h"
#include "server/policy.h"
#include "store/service_errors.h"

namespace gluecat::server {
namespace {

using store::ServiceError;

constexpr std::int64_t kMinDuration = 900;
constexpr std::int64_t kMaxDuration = 43200;
constexpr std::int64_t kDefaultDuration = 3600;
constexpr std::int64_t kMaxChainedDuration = 3600;
// A header line has 8 KiB in all.
constexpr std::size_t kMaxSessionToken = 7'168;

// The lists come as "Tags.member.1.Key".
constexpr std::string_view kUnsupported[] = {
    "PolicyArns",   "Tags",      "TransitiveTagKeys", "SourceIdentity",
    "SerialNumber", "TokenCode", "ProvidedContexts",
};

bool ValidSessionName(std::string_view name) {
  return name.size() >= 2 && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("_+=,.@-").find(c) != std::string_view::npos;
         });
}

Status RefuseUnsupported(const FormParameters& parameters) {
  for (const auto& [name, value] : parameters) {
    const std::string_view head = std::string_view(name).substr(0, name.find('.'));
    if (std::ranges::find(kUnsupported, head) == std::end(kUnsupported)) continue;
    return InvalidParameter(std::string(head) + " is not supported by this server.");
  }
  return {};
}

// The policy without white space; empty without one.
Result<std::string> ReadSessionPolicy(const std::string& text) {
  if (text.empty()) return std::string();
  const auto policy = ParseIdentityPolicy(text, kMaxSessionPolicy);
  if (!policy) {
    return ServiceError("MalformedPolicyDocument",
                        "The session policy is not valid: " + policy.error().message + ".");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(text));
  return document.root().Dump();
}

}  // namespace

std::string Parameter(const FormParameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string() : found->second;
}

std::unexpected<Error> InvalidParameter(std::string message) {
  return ServiceError("ValidationError", std::move(message));
}

Result<AssumedSession> ReadSession(const StsContext& context, const FormParameters& parameters) {
  AssumedSession session;
  session.role_arn = Parameter(parameters, "RoleArn");
  session.session_name = Parameter(parameters, "RoleSessionName");
  if (!AccountOfRole(session.role_arn)) {
    return InvalidParameter(session.role_arn.substr(0, 200) +
                            " is invalid: it is not the ARN of a role");
  }
  if (!ValidSessionName(session.session_name)) {
    return InvalidParameter(
        "1 validation error detected: Value at 'roleSessionName' failed to satisfy constraint: "
        "Member must satisfy regular expression pattern: [\\w+=,.@-]* and have length between 2 "
        "and 64");
  }
  if (context.accounts != nullptr) GLUECAT_RETURN_IF_ERROR(RefuseUnsupported(parameters));
  GLUECAT_ASSIGN_OR_RETURN(session.policy, ReadSessionPolicy(Parameter(parameters, "Policy")));
  return session;
}

Result<std::int64_t> ReadDuration(const FormParameters& parameters, const Role* role,
                                  bool chained) {
  const std::string text = Parameter(parameters, "DurationSeconds");
  const std::int64_t most = role == nullptr ? kMaxDuration : role->max_duration_seconds;
  if (text.empty()) return std::min(kDefaultDuration, most);
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) {
    return InvalidParameter("DurationSeconds must be a number of seconds");
  }
  if (seconds < kMinDuration || seconds > kMaxDuration) {
    return InvalidParameter(
        "1 validation error detected: Value '" + text +
        "' at 'durationSeconds' failed to satisfy constraint: Member must have value " +
        (seconds < kMinDuration ? "greater than or equal to 900" : "less than or equal to 43200"));
  }
  if (chained && seconds > kMaxChainedDuration) {
    return InvalidParameter(
        "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role "
        "chaining.");
  }
  if (seconds > most) {
    return InvalidParameter(
        "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.");
  }
  return seconds;
}

Result<std::string> OpenSession(const StsContext& context, AssumedSession session,
                                std::int64_t seconds) {
  session.expiration = std::chrono::time_point_cast<Timestamp::duration>(
      std::chrono::floor<std::chrono::seconds>(context.clock.Now()) +
      std::chrono::seconds(seconds));
  const auto credentials = context.temporary.Issue(session);
  if (credentials.session_token.size() > kMaxSessionToken) {
    return ServiceError("PackedPolicyTooLarge",
                        "The session policy is too long to be packed into a session token.");
  }
  return "<AssumedRoleUser>" + XmlElement("Arn", session.arn()) +
         XmlElement("AssumedRoleId", "AROA" + session.account() + ":" + session.session_name) +
         "</AssumedRoleUser><Credentials>" + XmlElement("AccessKeyId", credentials.access_key_id) +
         XmlElement("SecretAccessKey", credentials.secret_access_key) +
         XmlElement("SessionToken", credentials.session_token) +
         XmlElement("Expiration", aws::FormatIso8601(session.expiration)) + "</Credentials>";
}

}  // namespace gluecat::server
