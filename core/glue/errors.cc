#include "core/glue/errors.h"

#include <array>
#include <optional>
#include <utility>

#include "core/aws/retry.h"
#include "core/aws/service_error.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/glue/transport.h"

namespace gluecat::glue {
namespace {

using Entry = std::pair<std::string_view, ErrorKind>;

// Glue API 2017-03-31, the errors of its catalog operations.
constexpr std::array kGlueCodes = std::to_array<Entry>({
    {"EntityNotFoundException", ErrorKind::kNotFound},
    {"AlreadyExistsException", ErrorKind::kAlreadyExists},
    {"FederatedResourceAlreadyExistsException", ErrorKind::kAlreadyExists},
    {"PermissionTypeMismatchException", ErrorKind::kAccessDenied},
    {"ConcurrentModificationException", ErrorKind::kConflict},
    {"ConflictException", ErrorKind::kConflict},
    {"VersionMismatchException", ErrorKind::kConflict},
    {"ResourceNumberLimitExceededException", ErrorKind::kLimitExceeded},
    {"ConcurrentRunsExceededException", ErrorKind::kLimitExceeded},
    {"InvalidInputException", ErrorKind::kInvalidArgument},
    {"IllegalSessionStateException", ErrorKind::kInvalidArgument},
    // GetPartitions: a stored value is not of its key's type.
    {"InvalidStateException", ErrorKind::kInvalidData},
    {"OperationNotSupportedException", ErrorKind::kUnsupported},
    {"GlueEncryptionException", ErrorKind::kUnavailable},
    {"InternalServiceException", ErrorKind::kUnavailable},
    {"ResourceNotReadyException", ErrorKind::kUnavailable},
    {"FederationSourceException", ErrorKind::kUnavailable},
    {"FederationSourceRetryableException", ErrorKind::kUnavailable},
    {"OperationTimeoutException", ErrorKind::kTimeout},
});

constexpr std::array<std::string_view, 4> kGlueRetryable = {
    "InternalServiceException", "OperationTimeoutException", "ResourceNotReadyException",
    "FederationSourceRetryableException"};

// Retrying these does not help, whatever their status is.
constexpr std::array<std::string_view, 2> kGlueFinal = {"GlueEncryptionException",
                                                        "FederationSourceException"};

template <typename List>
bool Contains(const List& list, std::string_view code) {
  for (const auto item : list) {
    if (item == code) return true;
  }
  return false;
}

// "aws.glue#EntityNotFoundException:http://…" is EntityNotFoundException. What
// does not look like a code is none.
std::string_view BareCode(std::string_view text) {
  constexpr std::size_t kLongest = 128;
  text = Trim(text.substr(0, text.find(':')));
  if (const auto hash = text.rfind('#'); hash != std::string_view::npos) {
    text.remove_prefix(hash + 1);
  }
  if (text.size() > kLongest) return {};
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '_' || c == '-';
    if (!plain) return {};
  }
  return text;
}

// The length of the valid UTF-8 character at the front of `text`; 0 if there is none.
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) {
    return 0;
  }
  return length;
}

}  // namespace

ErrorKind KindOfCode(std::string_view code, int http_status) {
  for (const auto& [name, kind] : kGlueCodes) {
    if (name == code) return kind;
  }
  return aws::KindOfCommonCode(code).value_or(aws::KindOfStatus(http_status, !code.empty()));
}

bool IsRetryable(std::string_view code, int http_status) {
  if (Contains(kGlueFinal, code)) return false;
  return Contains(kGlueRetryable, code) ||
         aws::ClassifyAnswer(code, http_status) != aws::FailureClass::kFinal;
}

bool LeavesOutcomeUnknown(std::string_view code, int http_status) {
  if (aws::ClassifyAnswer(code, 0) == aws::FailureClass::kThrottling) return false;
  return code == "OperationTimeoutException" || code == "InternalServiceException" ||
         http_status >= 500;
}

std::string Excerpt(std::string_view text, std::size_t limit) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = CharacterLength(text.substr(i));
    if (result.size() + length > limit) return result + "…";
    if (length == 0) {
      result += '?';
    } else if (length == 1 && (text[i] < ' ' || text[i] == '\x7f')) {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else {
      result += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return result;
}

Error ErrorFromCode(std::string_view code, std::string_view message, int http_status,
                    std::string_view request_id) {
  Error error;
  error.kind = KindOfCode(code, http_status);
  error.message = message;
  error.code = code;
  error.http_status = http_status;
  error.request_id = request_id;
  error.retryable = IsRetryable(code, http_status);
  return error;
}

Error ErrorFromAnswer(const aws::HttpResponse& response, std::string_view place) {
  constexpr std::size_t kLongestMessage = 4096;
  std::string code(BareCode(response.Header("x-amzn-errortype")));
  std::string message;
  if (const auto document = JsonDocument::Parse(response.body)) {
    const JsonView root = document->root();
    for (const char* key : {"__type", "code", "Code"}) {
      if (!code.empty()) break;
      code = BareCode(root[key].AsString().value_or(""));
    }
    for (const char* key : {"message", "Message", "errorMessage"}) {
      if (!message.empty()) break;
      message = Excerpt(root[key].AsString().value_or(""), kLongestMessage);
    }
  }
  if (message.empty() && code.empty()) {
    message = std::string(place) + " answered with HTTP status " + std::to_string(response.status);
    const auto body = Excerpt(Trim(response.body));
    if (!body.empty()) message += ": " + body;
  } else if (message.empty()) {
    message = code + " (HTTP status " + std::to_string(response.status) + ")";
  }
  auto request_id = response.Header("x-amzn-requestid");
  if (request_id.empty()) request_id = response.Header("x-amz-request-id");
  return ErrorFromCode(code, message, response.status, Excerpt(request_id, 64));
}

}  // namespace gluecat::glue
