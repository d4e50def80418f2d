// Views of the Data Catalog: one table with the same view in the dialects of several engines.
//
// What AWS documents of them (API reference; Lake Formation, "Creating Data Catalog views using
// AWS Glue APIs"; Athena, ALTER VIEW DIALECT) is kept. The engines that would check a
// representation over its ValidationConnection are not there: a request that is valid by itself
// has the status SUCCESS at once.
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"
#include "store/operation.h"

namespace gluecat::store {

// The ViewDefinition of an entry as JSON, from that of a TableInput.
// Errors: InvalidInputException for one without a representation, for a representation without a
// dialect, and for a dialect that comes twice.
Result<std::string> NewViewDefinition(JsonView input);

// The ViewDefinition that a ViewUpdateAction of the request leaves of the one in `entry`:
//
//   ADD             dialects that the view does not have
//   REPLACE         dialects that it has
//   ADD_OR_REPLACE  either
//   DROP            dialects that it has; at least one must be left
//
// What the input leaves out (Definer, IsProtected, SubObjects, …) stays. The columns and SubObjects
// of the input must be those of the view; with Force they need not, and the dialects that the
// request does not name become stale (IsStale).
// Errors: InvalidInputException (no view, no ViewDefinition in the input, columns or SubObjects
// that differ, nothing left), AlreadyExistsException (ADD), EntityNotFoundException (REPLACE,
// DROP).
Result<std::string> ChangedViewDefinition(JsonView request, JsonView entry);

// The Status of a view that the call has created or updated ("CREATE", "UPDATE"), as JSON.
std::string ViewStatus(const Call& call, std::string_view action);

}  // namespace gluecat::store
