// The operations of docs/waist.md: request bytes in, answer bytes out.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/base/page_array.h"
#include "core/base/result.h"
#include "core/catalog/catalog.h"

namespace gluecat::catalog {

// An Error and the object it is about ("sales.orders"; empty if none).
struct OperationError {
  Error error;
  std::string object;
};

// What an operation answers: a JSON document, or a partition frame.
using OperationAnswer = std::variant<std::string, PageArray<char>>;

// Valid while `answer` is, where it is.
std::string_view BytesOf(const OperationAnswer& answer);

// Runs `operation` on `catalog`.
// Errors: kInvalidArgument for an unknown operation or a malformed request, and
// whatever the operation fails with.
std::expected<OperationAnswer, OperationError> RunOperation(Catalog& catalog,
                                                            std::string_view operation,
                                                            std::string_view request,
                                                            const glue::CallContext& context);

// The error object of docs/waist.md. `catalog` and `glue_id` may be empty.
std::string ErrorJson(const Error& error, std::string_view catalog, std::string_view glue_id,
                      std::string_view object);

}  // namespace gluecat::catalog
