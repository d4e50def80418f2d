// The operations of docs/waist.md: request bytes in, answer bytes out.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/catalog/catalog.h"

namespace gluecat::catalog {

// An Error and the object it is about ("sales.orders"; empty if none).
struct OperationError {
  Error error;
  std::string object;
};

// Runs `operation` on `catalog`.
// Errors: kInvalidArgument for an unknown operation or a malformed request, and
// whatever the operation fails with.
std::expected<std::string, OperationError> RunOperation(Catalog& catalog,
                                                        std::string_view operation,
                                                        std::string_view request,
                                                        const glue::CallContext& context);

// The error object of docs/waist.md. `catalog` and `glue_id` may be empty.
std::string ErrorJson(const Error& error, std::string_view catalog, std::string_view glue_id,
                      std::string_view object);

}  // namespace gluecat::catalog
