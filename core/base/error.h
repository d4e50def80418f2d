// What can go wrong, as a value.
//
// Every fallible function of gluecat returns a Result<T> (see result.h) whose
// error side is this type. The kind is what callers decide on; everything else
// is for the person who reads the message. "Absent", "denied" and "throttled"
// are different kinds and must never be turned into one another: an existence
// check that reports "absent" because it was throttled loses data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gluecat {

// The kinds a caller can act on. The names are stable: they cross the C ABI as
// text (see ErrorKindName) and the JVM side maps them to Spark's exceptions.
enum class ErrorKind : std::uint8_t {
  kInvalidArgument,  // the request, a name or an option cannot be accepted
  kNotFound,         // the object does not exist
  kAlreadyExists,    // the object exists already
  kNotEmpty,         // a database that still holds tables was to be dropped
  kAccessDenied,     // the identity is known and not allowed
  kUnauthenticated,  // no credentials, or credentials that were refused
  kThrottled,        // the service asked to slow down, and retries are used up
  kConflict,         // somebody else changed the object in between
  kLimitExceeded,    // a quota of the service
  kUnsupported,      // valid, but not something gluecat can do; says why
  kInvalidData,      // an answer, a file or an entry that cannot be understood
  kUnavailable,      // the service could not be reached or failed (5xx)
  kTimeout,          // the deadline passed
  kCancelled,        // the caller asked to stop
  kInternal,         // a defect of gluecat itself
};

// The stable text form of `kind`, for example "not_found".
std::string_view ErrorKindName(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  // What happened, to which object, and what to do next. Never holds a secret.
  std::string message;
  // The service's own error code ("EntityNotFoundException"); empty if the
  // error did not come from a service.
  std::string code;
  // HTTP status of the answer; 0 without one.
  int http_status = 0;
  // The service's request id; empty if unknown.
  std::string request_id;
  // True if repeating the same call unchanged may succeed.
  bool retryable = false;

  bool operator==(const Error&) const = default;
};

// Makes an error that did not come from a service.
Error MakeError(ErrorKind kind, std::string message);

// The same error with `context` and ": " in front of its message.
Error WithContext(Error error, std::string_view context);

}  // namespace gluecat
