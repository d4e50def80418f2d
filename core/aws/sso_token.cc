#include "core/aws/sso_token.h"

#include <chrono>
#include <optional>
#include <utility>

#include "core/aws/crypto.h"
#include "core/aws/endpoint.h"
#include "core/aws/time_format.h"
#include "core/aws/unsigned_request.h"
#include "core/base/json.h"

namespace gluecat::aws {
namespace {

constexpr auto kRenewBefore = std::chrono::minutes(5);

// What the file holds.
struct CachedToken {
  std::string path;
  JsonDocument document;
  std::string access_token;
  Timestamp expiration;

  // True if it can be renewed without a person.
  bool Renewable(Timestamp now) const {
    const JsonView root = document.root();
    for (const char* member : {"refreshToken", "clientId", "clientSecret"}) {
      if (root[member].StringOr("").empty()) return false;
    }
    const auto registered = ParseIso8601(root["registrationExpiresAt"].StringOr(""));
    return registered && now < *registered;
  }
};

Result<CachedToken> ReadToken(const SsoLogin& login, const Environment& environment) {
  const auto home = environment.Variable("HOME");
  if (!home) return Fail(ErrorKind::kUnauthenticated, "HOME, where the SSO token lies, is not set");
  const std::string path = *home + "/.aws/sso/cache/" + Sha1Hex(login.cache_key) + ".json";
  const auto text = environment.ReadFile(path);
  if (!text) {
    return Fail(ErrorKind::kUnauthenticated, "profile '" + login.profile + "' has no SSO token: " +
                                                 text.error().message + login.Advice());
  }
  auto document = JsonDocument::Parse(*text);
  if (!document) {
    return Fail(ErrorKind::kUnauthenticated,
                "the SSO token in " + path + " is not JSON" + login.Advice());
  }
  std::string token = document->root()["accessToken"].StringOr("");
  const auto expiration = ParseIso8601(document->root()["expiresAt"].StringOr(""));
  if (token.empty() || !expiration || token.find_first_of("\r\n") != std::string::npos) {
    return Fail(ErrorKind::kUnauthenticated,
                "the file " + path + " holds no SSO token" + login.Advice());
  }
  return CachedToken{path, *std::move(document), std::move(token), *expiration};
}

// The file's content with what `answer` says in place of what it said; what else is in
// it stays.
std::string Rewritten(JsonView file, JsonView answer, Timestamp expiration) {
  const std::string refresh_token =
      answer["refreshToken"].StringOr(file["refreshToken"].StringOr(""));
  JsonWriter writer;
  writer.BeginObject();
  for (const auto& [name, value] : file.Members()) {
    if (name == "accessToken" || name == "expiresAt" || name == "refreshToken") continue;
    writer.Key(name).Raw(value.Dump());
  }
  writer.Member("accessToken", answer["accessToken"].StringOr(""));
  writer.Member("expiresAt", FormatIso8601(expiration));
  writer.Member("refreshToken", refresh_token);
  writer.EndObject();
  return writer.Take();
}

// Asks for a token in place of `old`, and puts it into the file.
Result<std::string> Renew(const CachedToken& old, const SsoLogin& login,
                          const ClientRuntime& runtime, const CallLimits& limits) {
  const JsonView file = old.document.root();
  UnsignedRequest request;
  GLUECAT_ASSIGN_OR_RETURN(
      request.endpoint,
      ResolveEndpoint("oidc", login.region, std::nullopt, runtime.variants, *runtime.environment));
  request.method = "POST";
  request.path = "/token";
  request.headers = {{"Content-Type", "application/json"}};
  request.bypass_proxy = false;
  JsonWriter body;
  body.BeginObject();
  for (const char* member : {"clientId", "clientSecret", "refreshToken"}) {
    body.Member(member, file[member].StringOr(""));
  }
  body.Member("grantType", "refresh_token").EndObject();
  request.body = body.text();
  GLUECAT_ASSIGN_OR_RETURN(const HttpResponse response, SendUnsigned(runtime, request, limits));
  const auto document = JsonDocument::Parse(response.body);
  const JsonView answer = document ? document->root() : JsonView();
  const std::string label = request.endpoint.Authority();
  if (response.status != 200) {
    const std::string reason =
        answer["error_description"].StringOr(answer["error"].StringOr("it gives no reason"));
    return Fail(response.status >= 500 ? ErrorKind::kUnavailable : ErrorKind::kUnauthenticated,
                label + " answered with HTTP status " + std::to_string(response.status) + ": " +
                    reason.substr(0, 1024));
  }
  std::string token = answer["accessToken"].StringOr("");
  const auto seconds = answer["expiresIn"].AsInt();
  if (token.empty() || !seconds || token.find_first_of("\r\n") != std::string::npos) {
    return Fail(ErrorKind::kUnauthenticated, label + " answered with what is no token");
  }
  const Timestamp expiration = runtime.retry->clock().Now() + std::chrono::seconds(*seconds);
  if (const auto written =
          runtime.environment->ReplaceFile(old.path, Rewritten(file, answer, expiration));
      !written) {
    runtime.warnings->Warn("the SSO token of profile '" + login.profile +
                           "' was renewed but cannot be kept: " + written.error().message +
                           "; the next renewal may need `aws sso login`");
  }
  return token;
}

}  // namespace

Result<std::string> SsoAccessToken(const SsoLogin& login, const ClientRuntime& runtime,
                                   const CallLimits& limits) {
  const Clock& clock = runtime.retry->clock();
  GLUECAT_ASSIGN_OR_RETURN(const CachedToken token, ReadToken(login, *runtime.environment));
  if (clock.Now() < token.expiration - kRenewBefore) return token.access_token;
  const std::string name = "the SSO token of profile '" + login.profile + "' ";
  const std::string end = FormatIso8601(token.expiration);
  if (!token.Renewable(clock.Now())) {
    if (clock.Now() < token.expiration) return token.access_token;
    return Fail(ErrorKind::kUnauthenticated, name + "expired at " + end + login.Advice());
  }
  auto renewed = Renew(token, login, runtime, limits);
  if (renewed || renewed.error().kind == ErrorKind::kCancelled) return renewed;
  // Another process, or another catalog, may have been quicker.
  if (const auto now = ReadToken(login, *runtime.environment);
      now && now->access_token != token.access_token && clock.Now() < now->expiration) {
    return now->access_token;
  }
  Error error = std::move(renewed).error();
  if (clock.Now() < token.expiration) {
    runtime.warnings->Warn(name + "expires at " + end +
                           " and could not be renewed yet: " + error.message + login.Advice());
    return token.access_token;
  }
  error.message =
      name + "expired at " + end + " and could not be renewed: " + error.message + login.Advice();
  return Fail(std::move(error));
}

}  // namespace gluecat::aws
