// The errors that a Glue Data Catalog answers with, by their AWS codes.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace gluecat::store {

// `code` with the kind that it stands for; HTTP status 400.
std::unexpected<Error> ServiceError(std::string_view code, std::string message);

std::unexpected<Error> EntityNotFound(std::string message);
std::unexpected<Error> AlreadyExists(std::string message);
std::unexpected<Error> InvalidInput(std::string message);
std::unexpected<Error> InvalidState(std::string message);
std::unexpected<Error> ValidationFailure(std::string message);
std::unexpected<Error> ConcurrentModification(std::string message);

}  // namespace gluecat::store
