// Result<T>: a value or an Error. Exceptions are not used for what can fail.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace gluecat {

template <typename T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

// The error side of a Result, from parts.
inline std::unexpected<Error> Fail(ErrorKind kind, std::string message) {
  return std::unexpected(MakeError(kind, std::move(message)));
}

inline std::unexpected<Error> Fail(Error error) { return std::unexpected(std::move(error)); }

}  // namespace gluecat

#define GLUECAT_CONCAT_INNER(a, b) a##b
#define GLUECAT_CONCAT(a, b) GLUECAT_CONCAT_INNER(a, b)

// Evaluates `expression`, a Status or Result; returns its error from the
// enclosing function if it has one.
#define GLUECAT_RETURN_IF_ERROR(expression)                                         \
  do {                                                                              \
    auto&& gluecat_status = (expression);                                           \
    if (!gluecat_status) return std::unexpected(std::move(gluecat_status).error()); \
  } while (false)

// Evaluates `expression`, a Result<T>; returns its error from the enclosing
// function, or else moves the value into `target` (which may declare a variable).
#define GLUECAT_ASSIGN_OR_RETURN(target, expression) \
  GLUECAT_ASSIGN_OR_RETURN_INNER(GLUECAT_CONCAT(gluecat_result_, __LINE__), target, expression)
#define GLUECAT_ASSIGN_OR_RETURN_INNER(result, target, expression) \
  auto result = (expression);                                      \
  if (!result) return std::unexpected(std::move(result).error());  \
  target = *std::move(result)
