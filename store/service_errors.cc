#include "store/service_errors.h"

#include <utility>

#include "core/glue/transport.h"

namespace gluecat::store {

std::unexpected<Error> ServiceError(std::string_view code, std::string message) {
  constexpr int kBadRequest = 400;
  Error error = MakeError(glue::KindOfCode(code, kBadRequest), std::move(message));
  error.code = code;
  error.http_status = kBadRequest;
  error.retryable = glue::IsRetryable(code, kBadRequest);
  return Fail(std::move(error));
}

std::unexpected<Error> EntityNotFound(std::string message) {
  return ServiceError("EntityNotFoundException", std::move(message));
}
std::unexpected<Error> AlreadyExists(std::string message) {
  return ServiceError("AlreadyExistsException", std::move(message));
}
std::unexpected<Error> InvalidInput(std::string message) {
  return ServiceError("InvalidInputException", std::move(message));
}
std::unexpected<Error> InvalidState(std::string message) {
  return ServiceError("InvalidStateException", std::move(message));
}
std::unexpected<Error> ValidationFailure(std::string message) {
  return ServiceError("ValidationException", std::move(message));
}
std::unexpected<Error> ConcurrentModification(std::string message) {
  return ServiceError("ConcurrentModificationException", std::move(message));
}

}  // namespace gluecat::store
