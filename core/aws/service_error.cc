#include "core/aws/service_error.h"

#include <array>
#include <utility>

#include "core/aws/retry.h"

namespace gluecat::aws {
namespace {

using Entry = std::pair<std::string_view, ErrorKind>;

constexpr std::array kCommonCodes = std::to_array<Entry>({
    {"AccessDenied", ErrorKind::kAccessDenied},
    {"AccessDeniedException", ErrorKind::kAccessDenied},
    {"NotAuthorized", ErrorKind::kAccessDenied},
    {"UnauthorizedOperation", ErrorKind::kAccessDenied},
    {"ExpiredToken", ErrorKind::kUnauthenticated},
    {"ExpiredTokenException", ErrorKind::kUnauthenticated},
    {"IncompleteSignature", ErrorKind::kUnauthenticated},
    {"IncompleteSignatureException", ErrorKind::kUnauthenticated},
    {"InvalidAccessKeyId", ErrorKind::kUnauthenticated},
    {"InvalidClientTokenId", ErrorKind::kUnauthenticated},
    {"InvalidSignatureException", ErrorKind::kUnauthenticated},
    {"MissingAuthenticationToken", ErrorKind::kUnauthenticated},
    {"MissingAuthenticationTokenException", ErrorKind::kUnauthenticated},
    {"OptInRequired", ErrorKind::kUnauthenticated},
    {"RequestExpired", ErrorKind::kUnauthenticated},
    {"RequestInTheFuture", ErrorKind::kUnauthenticated},
    {"RequestTimeTooSkewed", ErrorKind::kUnauthenticated},
    {"SignatureDoesNotMatch", ErrorKind::kUnauthenticated},
    {"UnrecognizedClientException", ErrorKind::kUnauthenticated},
    {"InternalFailure", ErrorKind::kUnavailable},
    {"InternalServerError", ErrorKind::kUnavailable},
    {"ServiceUnavailable", ErrorKind::kUnavailable},
    {"ServiceUnavailableException", ErrorKind::kUnavailable},
    {"InvalidAction", ErrorKind::kUnsupported},
    {"NotImplemented", ErrorKind::kUnsupported},
    {"UnknownOperationException", ErrorKind::kUnsupported},
    {"SerializationException", ErrorKind::kInvalidArgument},
    {"ValidationError", ErrorKind::kInvalidArgument},
    {"ValidationException", ErrorKind::kInvalidArgument},
    {"RequestTimeout", ErrorKind::kTimeout},
    {"RequestTimeoutException", ErrorKind::kTimeout},
});

}  // namespace

std::optional<ErrorKind> KindOfCommonCode(std::string_view code) {
  for (const auto& [name, kind] : kCommonCodes) {
    if (name == code) return kind;
  }
  if (ClassifyAnswer(code, 0) == FailureClass::kThrottling) return ErrorKind::kThrottled;
  return std::nullopt;
}

ErrorKind KindOfStatus(int http_status, bool has_code) {
  switch (http_status) {
    case 401:
      return ErrorKind::kUnauthenticated;
    case 403:
      return ErrorKind::kAccessDenied;
    case 408:
      return ErrorKind::kTimeout;
    case 409:
      return ErrorKind::kConflict;
    case 413:
      return ErrorKind::kInvalidArgument;
    case 429:
      return ErrorKind::kThrottled;
    case 501:
      return ErrorKind::kUnsupported;
    default:
      break;
  }
  if (http_status >= 500) return ErrorKind::kUnavailable;
  if (http_status >= 400 && has_code) return ErrorKind::kInvalidArgument;
  return ErrorKind::kInvalidData;
}

bool IsExpiredCredentialsCode(std::string_view code) {
  return code == "ExpiredToken" || code == "ExpiredTokenException";
}

}  // namespace gluecat::aws
