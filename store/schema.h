// The store's tables on disk, and their version.
#pragma once

#include "store/sqlite.h"

namespace gluecat::store {

// Changes whenever an older program would misread the file.
inline constexpr int kSchemaVersion = 3;

// Creates the tables in an empty database, and brings a file that an older program wrote to
// this version; does nothing if it is there.
// The caller makes sure that no other process does the same at this moment.
// Errors: kUnsupported if a newer program wrote the file; kInvalidData if it is
// a database of something else.
Status PrepareSchema(Connection& connection);

}  // namespace gluecat::store
