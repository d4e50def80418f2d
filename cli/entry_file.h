// Entries that somebody wrote down, as input for Glue.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/glue/model.h"

namespace gluecat::cli {

// Reads what `gluecat get`, `aws glue get-table` or a TableInput looks like: the
// entry itself, or an object whose only member "Table" or "TableInput" is the
// entry. Times may be seconds or ISO 8601 texts. Members the API does not know are
// kept; those that only answers have are dropped when the entry is encoded.
// Errors: kInvalidData, with the member that cannot be understood.
Result<glue::Table> ReadTableFile(std::string_view json);

// The same for "Database" and "DatabaseInput".
Result<glue::Database> ReadDatabaseFile(std::string_view json);

}  // namespace gluecat::cli
