#include "server/sts_protocol.h"

#include <optional>

#include "core/base/text.h"
#include "server/oidc_provider.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kNamespace = "https://sts.amazonaws.com/doc/2011-06-15/";

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
    {"IDPRejectedClaim", "IDPRejectedClaim", 403},
    {kExpiredWebIdentityToken, "ExpiredTokenException", 400},
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

std::string XmlElement(std::string_view name, std::string_view text) {
  return "<" + std::string(name) + ">" + XmlEscape(text) + "</" + std::string(name) + ">";
}

std::string StsAnswerXml(std::string_view action, const std::string& result,
                         const std::string& request_id) {
  const std::string name(action);
  return "<" + name + "Response xmlns=\"" + std::string(kNamespace) + "\"><" + name + "Result>" +
         result + "</" + name + "Result><ResponseMetadata><RequestId>" + request_id +
         "</RequestId></ResponseMetadata></" + name + "Response>";
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
         (status >= 500 ? "Receiver" : "Sender") + "</Type>" + XmlElement("Code", code) +
         XmlElement("Message", error.message) + "</Error>" + XmlElement("RequestId", request_id) +
         "</ErrorResponse>";
}

}  // namespace gluecat::server
