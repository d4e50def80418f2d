#include "core/base/error.h"

#include <utility>

namespace gluecat {

std::string_view ErrorKindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalidArgument:
      return "invalid_argument";
    case ErrorKind::kNotFound:
      return "not_found";
    case ErrorKind::kAlreadyExists:
      return "already_exists";
    case ErrorKind::kNotEmpty:
      return "not_empty";
    case ErrorKind::kAccessDenied:
      return "access_denied";
    case ErrorKind::kUnauthenticated:
      return "unauthenticated";
    case ErrorKind::kThrottled:
      return "throttled";
    case ErrorKind::kConflict:
      return "conflict";
    case ErrorKind::kLimitExceeded:
      return "limit_exceeded";
    case ErrorKind::kUnsupported:
      return "unsupported";
    case ErrorKind::kInvalidData:
      return "invalid_data";
    case ErrorKind::kUnavailable:
      return "unavailable";
    case ErrorKind::kTimeout:
      return "timeout";
    case ErrorKind::kCancelled:
      return "cancelled";
    case ErrorKind::kInternal:
      return "internal";
  }
  return "internal";
}

Error MakeError(ErrorKind kind, std::string message) {
  Error error;
  error.kind = kind;
  error.message = std::move(message);
  return error;
}

Error WithContext(Error error, std::string_view context) {
  error.message.insert(0, ": ");
  error.message.insert(0, context);
  return error;
}

}  // namespace gluecat
