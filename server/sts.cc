#include "server/sts.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "core/aws/time_format.h"
#include "core/base/text.h"
#include "core/glue/errors.h"
#include "store/service_errors.h"

namespace gluecat::server {
namespace {

using store::ServiceError;

constexpr std::string_view kNamespace = "https://sts.amazonaws.com/doc/2011-06-15/";
constexpr std::int64_t kMinDuration = 900;
constexpr std::int64_t kMaxDuration = 43200;
constexpr std::int64_t kDefaultDuration = 3600;

std::string Parameter(const FormParameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string() : found->second;
}

std::unexpected<Error> Invalid(std::string message) {
  return ServiceError("ValidationError", std::move(message));
}

std::string Wrap(std::string_view action, const std::string& result,
                 const std::string& request_id) {
  const std::string name(action);
  return "<" + name + "Response xmlns=\"" + std::string(kNamespace) + "\"><" + name + "Result>" +
         result + "</" + name + "Result><ResponseMetadata><RequestId>" + request_id +
         "</RequestId></ResponseMetadata></" + name + "Response>";
}

std::string Element(std::string_view name, std::string_view text) {
  return "<" + std::string(name) + ">" + XmlEscape(text) + "</" + std::string(name) + ">";
}

bool ValidSessionName(std::string_view name) {
  return name.size() >= 2 && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("_+=,.@-").find(c) != std::string_view::npos;
         });
}

bool Trusts(const Trust& trust, const Caller& caller, const std::string& external_id) {
  const bool who =
      trust.principal == "*" || trust.principal == caller.account || trust.principal == caller.arn;
  return who && (!trust.external_id || *trust.external_id == external_id);
}

// AWS says the same whether the role is missing, does not trust the caller or
// wants another external id: nothing about it leaks.
Status CheckTrust(const StsContext& context, const Caller& caller, const std::string& role_arn,
                  const std::string& external_id) {
  if (context.accounts == nullptr) return {};
  const Role* const role = context.accounts->FindRole(role_arn);
  const bool trusted = role != nullptr &&
                       std::any_of(role->trust.begin(), role->trust.end(), [&](const Trust& trust) {
                         return Trusts(trust, caller, external_id);
                       });
  if (!trusted || !caller.MayCall("sts:AssumeRole", role_arn)) {
    return ServiceError("AccessDenied", "User: " + caller.arn + " is not authorized to perform: " +
                                            "sts:AssumeRole on resource: " + role_arn);
  }
  return {};
}

Result<std::int64_t> DurationOf(const StsContext& context, const FormParameters& parameters,
                                const std::string& role_arn) {
  const std::string text = Parameter(parameters, "DurationSeconds");
  if (text.empty()) return kDefaultDuration;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Invalid("DurationSeconds must be a number of seconds");
  }
  if (seconds < kMinDuration || seconds > kMaxDuration) {
    return Invalid(
        "1 validation error detected: Value '" + text +
        "' at 'durationSeconds' failed to satisfy constraint: Member must have value " +
        (seconds < kMinDuration ? "greater than or equal to 900" : "less than or equal to 43200"));
  }
  const Role* const role =
      context.accounts == nullptr ? nullptr : context.accounts->FindRole(role_arn);
  if (role != nullptr && seconds > role->max_duration_seconds) {
    return Invalid(
        "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.");
  }
  return seconds;
}

Result<std::string> AssumeRole(const StsContext& context, const Caller& caller,
                               const FormParameters& parameters) {
  AssumedSession session;
  session.role_arn = Parameter(parameters, "RoleArn");
  session.session_name = Parameter(parameters, "RoleSessionName");
  if (!AccountOfRole(session.role_arn)) {
    return Invalid(session.role_arn.substr(0, 200) + " is invalid: it is not the ARN of a role");
  }
  if (!ValidSessionName(session.session_name)) {
    return Invalid(
        "1 validation error detected: Value at 'roleSessionName' failed to satisfy constraint: "
        "Member must satisfy regular expression pattern: [\\w+=,.@-]* and have length between 2 "
        "and 64");
  }
  GLUECAT_RETURN_IF_ERROR(
      CheckTrust(context, caller, session.role_arn, Parameter(parameters, "ExternalId")));
  GLUECAT_ASSIGN_OR_RETURN(const auto duration, DurationOf(context, parameters, session.role_arn));
  session.expiration = std::chrono::time_point_cast<Timestamp::duration>(
      std::chrono::floor<std::chrono::seconds>(context.clock.Now()) +
      std::chrono::seconds(duration));
  const auto credentials = context.temporary.Issue(session);
  return Wrap(
      "AssumeRole",
      "<AssumedRoleUser>" + Element("Arn", session.arn()) +
          Element("AssumedRoleId", "AROA" + session.account() + ":" + session.session_name) +
          "</AssumedRoleUser><Credentials>" + Element("AccessKeyId", credentials.access_key_id) +
          Element("SecretAccessKey", credentials.secret_access_key) +
          Element("SessionToken", credentials.session_token) +
          Element("Expiration", aws::FormatIso8601(session.expiration)) + "</Credentials>",
      context.request_id);
}

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::string FormDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const auto high = HexDigit(text[i + 1]);
      const auto low = HexDigit(text[i + 2]);
      if (high && low) {
        out += static_cast<char>(*high * 16 + *low);
        i += 2;
        continue;
      }
    }
    out += text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

// STS has its own names for what every AWS service refuses.
struct StsError {
  std::string_view glue_code;
  std::string_view code;
  int status;
};
constexpr StsError kErrors[] = {
    {"MissingAuthenticationTokenException", "MissingAuthenticationToken", 403},
    {"IncompleteSignatureException", "IncompleteSignature", 400},
    {"UnrecognizedClientException", "InvalidClientTokenId", 403},
    {"InvalidSignatureException", "SignatureDoesNotMatch", 403},
    {"ExpiredTokenException", "ExpiredToken", 403},
    {"AccessDenied", "AccessDenied", 403},
    {"InternalServiceException", "InternalFailure", 500},
};

}  // namespace

FormParameters ParseForm(std::string_view text) {
  FormParameters parameters;
  for (const auto pair : Split(text, '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const auto value =
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    parameters[FormDecode(pair.substr(0, equals))] = FormDecode(value);
  }
  return parameters;
}

std::string XmlEscape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // Other control characters cannot be written in XML 1.0 at all.
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return out;
}

bool IsKnownStsOperation(std::string_view operation) {
  return operation == "AssumeRole" || operation == "GetCallerIdentity";
}

Result<std::string> CallSts(const StsContext& context, const Caller& caller,
                            const FormParameters& parameters) {
  const std::string action = glue::Excerpt(Parameter(parameters, "Action"), 128);
  if (action == "AssumeRole") return AssumeRole(context, caller, parameters);
  if (action == "GetCallerIdentity") {
    return Wrap("GetCallerIdentity",
                Element("Arn", caller.arn) + Element("UserId", caller.user_id) +
                    Element("Account", caller.account),
                context.request_id);
  }
  return ServiceError("InvalidAction",
                      "Could not find operation " + action + " for version 2011-06-15");
}

std::string StsErrorXml(const Error& error, std::string_view request_id, int& status) {
  std::string code = error.code.empty() ? "InternalFailure" : error.code;
  status = error.http_status == 0 ? 500 : error.http_status;
  for (const auto& known : kErrors) {
    if (known.glue_code != error.code) continue;
    code = known.code;
    status = known.status;
  }
  return "<ErrorResponse xmlns=\"" + std::string(kNamespace) + "\"><Error><Type>" +
         (status >= 500 ? "Receiver" : "Sender") + "</Type>" + Element("Code", code) +
         Element("Message", error.message) + "</Error>" + Element("RequestId", request_id) +
         "</ErrorResponse>";
}

}  // namespace gluecat::server
