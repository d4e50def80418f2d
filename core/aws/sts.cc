#include "core/aws/sts.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "core/aws/service_error.h"
#include "core/aws/sigv4.h"
#include "core/aws/time_format.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

void AppendUtf8(std::string& text, std::uint32_t code) {
  const auto tail = [&](unsigned shift) {
    text += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

// "amp", "#38", "#x26"; false if it is none of what XML predefines.
bool AppendEntity(std::string& text, std::string_view entity) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, character] : kNamed) {
    if (entity == name) {
      text += character;
      return true;
    }
  }
  if (!entity.starts_with('#')) return false;
  entity.remove_prefix(1);
  const bool hex = entity.starts_with('x');
  if (hex) entity.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(entity.data(), entity.data() + entity.size(), code, hex ? 16 : 10);
  const bool valid = !entity.empty() && error == std::errc() &&
                     end == entity.data() + entity.size() && code != 0 && code < 0x110000 &&
                     (code < 0xD800 || code > 0xDFFF);
  if (valid) AppendUtf8(text, code);
  return valid;
}

std::string DecodeEntities(std::string_view text) {
  constexpr std::size_t kLongestEntity = 10;
  std::string result;
  while (!text.empty()) {
    const auto at = text.find('&');
    result += text.substr(0, at);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + 1);
    const auto end = text.substr(0, kLongestEntity).find(';');
    if (end != std::string_view::npos && AppendEntity(result, text.substr(0, end))) {
      text.remove_prefix(end + 1);
    } else {
      result += '&';
    }
  }
  return result;
}

// For messages: one line, and not endless.
std::string Excerpt(std::string_view text) {
  constexpr std::size_t kLimit = 1024;
  std::string result(Trim(text).substr(0, kLimit));
  std::replace_if(
      result.begin(), result.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  return result;
}

}  // namespace

std::optional<std::string> XmlElementText(std::string_view xml, std::string_view name) {
  const std::string open = "<" + std::string(name);
  const std::string close = "</" + std::string(name);
  for (std::size_t at = xml.find(open); at != std::string_view::npos; at = xml.find(open, at + 1)) {
    const auto after_name = at + open.size();
    if (after_name >= xml.size()) return std::nullopt;
    const char next = xml[after_name];
    if (next != '>' && next != ' ' && next != '\t' && next != '\r' && next != '\n') continue;
    const auto start = xml.find('>', after_name);
    if (start == std::string_view::npos) return std::nullopt;
    const auto end = xml.find('<', start);
    if (end == std::string_view::npos) return std::nullopt;
    if (!xml.substr(end).starts_with(close)) continue;
    return DecodeEntities(Trim(xml.substr(start + 1, end - start - 1)));
  }
  return std::nullopt;
}

std::string AssumeRoleBody(const AssumeRoleRequest& request) {
  std::string body = "Action=AssumeRole&Version=2011-06-15";
  body += "&RoleArn=" + PercentEncode(request.role_arn);
  body += "&RoleSessionName=" + PercentEncode(request.session_name);
  body += "&DurationSeconds=" + std::to_string(request.duration.count());
  if (request.external_id) body += "&ExternalId=" + PercentEncode(*request.external_id);
  return body;
}

std::string WebIdentityBody(const WebIdentityRequest& request) {
  std::string body = "Action=AssumeRoleWithWebIdentity&Version=2011-06-15";
  body += "&RoleArn=" + PercentEncode(request.role_arn);
  body += "&RoleSessionName=" + PercentEncode(request.session_name);
  body += "&WebIdentityToken=" + PercentEncode(request.token);
  if (request.duration) body += "&DurationSeconds=" + std::to_string(request.duration->count());
  return body;
}

Result<Credentials> ParseAssumeRoleAnswer(std::string_view xml) {
  const auto key = XmlElementText(xml, "AccessKeyId");
  const auto secret = XmlElementText(xml, "SecretAccessKey");
  const auto token = XmlElementText(xml, "SessionToken");
  const auto expiration = ParseIso8601(XmlElementText(xml, "Expiration").value_or(""));
  if (!key || !secret || !token || key->empty() || secret->empty() || !expiration) {
    return Fail(ErrorKind::kInvalidData, "the answer of STS holds no credentials");
  }
  Credentials credentials{.access_key_id = *key,
                          .secret_access_key = *secret,
                          .session_token = *token,
                          .expiration = expiration};
  // arn:aws:sts::123456789012:assumed-role/name/session
  const auto arn = XmlElementText(xml, "Arn").value_or("");
  if (const auto parts = Split(arn, ':'); parts.size() > 4) credentials.account_id = parts[4];
  return credentials;
}

Result<CallerIdentity> ParseCallerIdentityAnswer(std::string_view xml) {
  CallerIdentity identity{.account = XmlElementText(xml, "Account").value_or(""),
                          .arn = XmlElementText(xml, "Arn").value_or(""),
                          .user_id = XmlElementText(xml, "UserId").value_or("")};
  if (identity.account.empty() || identity.arn.empty()) {
    return Fail(ErrorKind::kInvalidData, "the answer to GetCallerIdentity holds no identity");
  }
  return identity;
}

Error ParseStsError(const HttpResponse& response, std::string_view place) {
  const std::string code = Excerpt(XmlElementText(response.body, "Code").value_or(""));
  Error error;
  error.code = code.substr(0, 128);
  error.http_status = response.status;
  error.message = Excerpt(XmlElementText(response.body, "Message").value_or(""));
  if (error.message.empty()) {
    error.message = code.empty() ? std::string(place) + " answered with HTTP status " +
                                       std::to_string(response.status)
                                 : code;
  }
  error.request_id = Excerpt(XmlElementText(response.body, "RequestId").value_or(""));
  if (error.request_id.empty()) error.request_id = response.Header("x-amzn-requestid");
  if (code == "RegionDisabledException") {
    error.kind = ErrorKind::kAccessDenied;
  } else if (code == "IDPCommunicationError") {
    error.kind = ErrorKind::kUnavailable;
  } else if (code == "InvalidIdentityToken" || code == "IDPRejectedClaim") {
    error.kind = ErrorKind::kUnauthenticated;
  } else {
    error.kind = KindOfCommonCode(code).value_or(KindOfStatus(response.status, !code.empty()));
  }
  error.retryable = code == "IDPCommunicationError" ||
                    ClassifyAnswer(code, response.status) != FailureClass::kFinal;
  return error;
}

StsClient::StsClient(ClientRuntime runtime, Endpoint endpoint, std::string region)
    : runtime_(std::move(runtime)), endpoint_(std::move(endpoint)), region_(std::move(region)) {}

Result<HttpResponse> StsClient::Call(const std::string& body, const Credentials* identity,
                                     const CallLimits& limits) {
  RetryingCall call(*runtime_.retry);
  const Clock& clock = runtime_.retry->clock();
  HttpResponse response;
  for (;;) {
    SignableRequest signable;
    signable.method = "POST";
    signable.path = endpoint_.path + "/";
    signable.body = body;
    signable.headers = {{"Host", endpoint_.HostHeader()},
                        {"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}};
    const Timestamp sent = clock.Now();
    const Timestamp signing_time = skew_.Correct(sent);
    HeaderList added;
    if (identity != nullptr) {
      added = SignRequest(signable, *identity, {region_, "sts"}, signing_time);
    }
    HttpRequest request;
    request.endpoint = endpoint_;
    request.path = signable.path;
    request.headers = std::move(signable.headers);
    std::move(added.begin(), added.end(), std::back_inserter(request.headers));
    request.body = body;

    Error error;
    FailureClass failure = FailureClass::kFinal;
    if (const Status status = runtime_.http->Send(request, limits, response); !status) {
      error = status.error();
      failure = ClassifySendError(error);
    } else {
      skew_.Learn(response, sent, clock.Now());
      if (response.status >= 200 && response.status < 300) {
        call.Succeeded();
        return response;
      }
      error = ParseStsError(response, endpoint_.Authority());
      failure = ClassifyAnswer(error.code, response.status);
      if (error.retryable && failure == FailureClass::kFinal) failure = FailureClass::kTransient;
      if (skew_.ExplainsFailure(error.code, response, signing_time, clock.Now())) {
        if (call.RetryNow()) continue;
        error.message += ClockAdvice(skew_.value());
      }
    }
    if (call.WaitToRetry(failure, RequestedWait(response), limits)) continue;
    if (limits.cancellation.IsCancelled()) return Fail(ErrorKind::kCancelled, "cancelled");
    return Fail(std::move(error));
  }
}

Result<Credentials> StsClient::AssumeRole(const AssumeRoleRequest& request,
                                          const Credentials& identity, const CallLimits& limits) {
  GLUECAT_ASSIGN_OR_RETURN(const HttpResponse response,
                           Call(AssumeRoleBody(request), &identity, limits));
  return ParseAssumeRoleAnswer(response.body);
}

Result<Credentials> StsClient::AssumeRoleWithWebIdentity(const WebIdentityRequest& request,
                                                         const CallLimits& limits) {
  GLUECAT_ASSIGN_OR_RETURN(const HttpResponse response,
                           Call(WebIdentityBody(request), nullptr, limits));
  return ParseAssumeRoleAnswer(response.body);
}

Result<CallerIdentity> StsClient::GetCallerIdentity(const Credentials& identity,
                                                    const CallLimits& limits) {
  GLUECAT_ASSIGN_OR_RETURN(const HttpResponse response,
                           Call("Action=GetCallerIdentity&Version=2011-06-15", &identity, limits));
  return ParseCallerIdentityAnswer(response.body);
}

}  // namespace gluecat::aws
