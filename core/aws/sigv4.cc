#include "core/aws/sigv4.h"

#include <algorithm>
#include <array>

#include "core/aws/crypto.h"
#include "core/aws/time_format.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

// Headers that something between us and the service may add or change.
constexpr std::array<std::string_view, 8> kUnsignedHeaders = {
    "authorization", "connection",        "expect",  "proxy-authorization",
    "user-agent",    "transfer-encoding", "upgrade", "x-amzn-trace-id"};

// RFC 3986 §5.2.4, and empty segments go as well.
std::string NormalizePath(std::string_view path) {
  std::vector<std::string_view> kept;
  for (const auto segment : Split(path, '/')) {
    if (segment.empty() || segment == ".") continue;
    if (segment == "..") {
      if (!kept.empty()) kept.pop_back();
      continue;
    }
    kept.push_back(segment);
  }
  std::string result = "/";
  for (const auto segment : kept) {
    if (result.size() > 1) result += '/';
    result += segment;
  }
  const bool folder = path.ends_with('/') || path.ends_with("/.") || path.ends_with("/..");
  if (folder && result.size() > 1) result += '/';
  return result;
}

std::string CanonicalQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const auto pair : Split(query, '&')) {
    if (pair.empty()) continue;
    const auto at = pair.find('=');
    const auto value = at == std::string_view::npos ? std::string_view() : pair.substr(at + 1);
    parameters.emplace_back(PercentEncode(PercentDecode(pair.substr(0, at))),
                            PercentEncode(PercentDecode(value)));
  }
  std::sort(parameters.begin(), parameters.end());
  std::string result;
  for (const auto& [name, value] : parameters) {
    if (!result.empty()) result += '&';
    result.append(name).append(1, '=').append(value);
  }
  return result;
}

// Without space at the ends, and runs of space as one.
std::string CollapseSpace(std::string_view text) {
  std::string result;
  bool space = false;
  for (const char c : Trim(text)) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      space = true;
      continue;
    }
    if (space) result += ' ';
    space = false;
    result += c;
  }
  return result;
}

std::string ScopeText(std::string_view date, const SigningScope& scope) {
  std::string text(date);
  text.append(1, '/').append(scope.region).append(1, '/').append(scope.service);
  return text.append("/aws4_request");
}

const std::string* FindHeader(const HeaderList& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (EqualsIgnoreCase(key, name)) return &value;
  }
  return nullptr;
}

std::vector<std::string> HeadersToSign(const HeaderList& headers) {
  std::vector<std::string> names;
  for (const auto& [key, value] : headers) {
    auto name = ToLowerAscii(key);
    if (std::find(kUnsignedHeaders.begin(), kUnsignedHeaders.end(), name) ==
        kUnsignedHeaders.end()) {
      names.push_back(std::move(name));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::unexpected<Error> Refuse(std::string message) {
  return Fail(ErrorKind::kUnauthenticated, std::move(message));
}

}  // namespace

std::string CanonicalRequest(const SignableRequest& request,
                             std::vector<std::string> signed_headers,
                             std::string_view payload_sha256_hex, bool normalize_path) {
  std::sort(signed_headers.begin(), signed_headers.end());
  std::string text = request.method;
  text += '\n';
  const std::string path = request.path.empty() ? "/" : request.path;
  text += PercentEncode(normalize_path ? NormalizePath(path) : path, /*keep_slash=*/true);
  text += '\n';
  text += CanonicalQuery(request.query);
  text += '\n';
  for (const auto& name : signed_headers) {
    text.append(name).append(1, ':');
    bool first = true;
    for (const auto& [key, value] : request.headers) {
      if (!EqualsIgnoreCase(key, name)) continue;
      if (!first) text += ',';
      first = false;
      text += CollapseSpace(value);
    }
    text += '\n';
  }
  text += '\n';
  text += Join(signed_headers, ";");
  text += '\n';
  text += payload_sha256_hex;
  return text;
}

std::string StringToSign(std::string_view amz_date, const SigningScope& scope,
                         std::string_view canonical_request) {
  std::string text(kAlgorithm);
  text.append(1, '\n').append(amz_date).append(1, '\n');
  text.append(ScopeText(amz_date.substr(0, 8), scope)).append(1, '\n');
  return text.append(Sha256Hex(canonical_request));
}

std::string DeriveSigningKey(std::string_view secret_access_key, std::string_view date,
                             const SigningScope& scope) {
  const std::string secret = "AWS4" + std::string(secret_access_key);
  return HmacSha256(HmacSha256(HmacSha256(HmacSha256(secret, date), scope.region), scope.service),
                    "aws4_request");
}

std::string ComputeSignature(std::string_view signing_key, std::string_view string_to_sign) {
  return HexEncode(HmacSha256(signing_key, string_to_sign));
}

HeaderList SignRequest(const SignableRequest& request, const Credentials& credentials,
                       const SigningScope& scope, Timestamp time, const SigningOptions& options) {
  const std::string amz_date = FormatAmzDate(time);
  const std::string payload = Sha256Hex(request.body);
  HeaderList added;
  added.emplace_back("X-Amz-Date", amz_date);
  if (options.content_sha256_header) added.emplace_back("X-Amz-Content-Sha256", payload);
  const bool token = !credentials.session_token.empty();
  if (token && options.sign_session_token) {
    added.emplace_back("X-Amz-Security-Token", credentials.session_token);
  }

  SignableRequest complete = request;
  complete.headers.insert(complete.headers.end(), added.begin(), added.end());
  const auto names = HeadersToSign(complete.headers);
  const std::string date = amz_date.substr(0, 8);
  const std::string signature = ComputeSignature(
      DeriveSigningKey(credentials.secret_access_key, date, scope),
      StringToSign(amz_date, scope,
                   CanonicalRequest(complete, names, payload, options.normalize_path)));

  if (token && !options.sign_session_token) {
    added.emplace_back("X-Amz-Security-Token", credentials.session_token);
  }
  std::string authorization(kAlgorithm);
  authorization.append(" Credential=").append(credentials.access_key_id).append(1, '/');
  authorization.append(ScopeText(date, scope));
  authorization.append(", SignedHeaders=").append(Join(names, ";"));
  authorization.append(", Signature=").append(signature);
  added.emplace_back("Authorization", std::move(authorization));
  return added;
}

Result<Authorization> ParseAuthorization(std::string_view header) {
  header = Trim(header);
  if (!header.starts_with(kAlgorithm)) {
    return Refuse("the Authorization header is not of the form AWS4-HMAC-SHA256");
  }
  header.remove_prefix(kAlgorithm.size());
  std::string_view credential, names, signature;
  for (auto part : Split(header, ',')) {
    part = Trim(part);
    const auto at = part.find('=');
    if (at == std::string_view::npos) continue;
    const auto key = part.substr(0, at);
    const auto value = part.substr(at + 1);
    if (key == "Credential") credential = value;
    if (key == "SignedHeaders") names = value;
    if (key == "Signature") signature = value;
  }
  // An access key id may hold slashes; the scope's four parts are the last ones.
  auto parts = Split(credential, '/');
  if (parts.size() < 5 || parts.back() != "aws4_request" || names.empty() || signature.empty()) {
    return Refuse("the Authorization header lacks Credential, SignedHeaders or Signature");
  }
  Authorization result;
  const auto count = parts.size();
  result.date = parts[count - 4];
  result.scope = {std::string(parts[count - 3]), std::string(parts[count - 2])};
  const auto scope_size = result.date.size() + result.scope.region.size() +
                          result.scope.service.size() + parts.back().size() + 4;
  result.access_key_id = credential.substr(0, credential.size() - scope_size);
  for (const auto name : Split(names, ';')) result.signed_headers.push_back(ToLowerAscii(name));
  result.signature = signature;
  return result;
}

Result<std::string> ExpectedSignature(const SignableRequest& request,
                                      const Authorization& authorization,
                                      std::string_view secret_access_key) {
  const std::string* amz_date = FindHeader(request.headers, "x-amz-date");
  if (amz_date == nullptr || !ParseAmzDate(*amz_date)) {
    return Refuse("the request has no X-Amz-Date header with a time");
  }
  if (!amz_date->starts_with(authorization.date) || authorization.date.size() != 8) {
    return Refuse("the date of the credential is not that of the X-Amz-Date header");
  }
  bool host_signed = false;
  for (const auto& name : authorization.signed_headers) {
    host_signed = host_signed || name == "host";
    if (FindHeader(request.headers, name) == nullptr) {
      return Refuse("the signed header '" + name + "' is not in the request");
    }
  }
  if (!host_signed) return Refuse("the Host header is not signed");
  const auto canonical =
      CanonicalRequest(request, authorization.signed_headers, Sha256Hex(request.body));
  return ComputeSignature(
      DeriveSigningKey(secret_access_key, authorization.date, authorization.scope),
      StringToSign(*amz_date, authorization.scope, canonical));
}

}  // namespace gluecat::aws
