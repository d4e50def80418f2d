// Iceberg tables that the store itself creates and commits: CreateTable with an
// OpenTableFormatInput, UpdateTable with an UpdateOpenTableFormatInput.
//
// The metadata file is written before the entry; the entry, which names it, decides. A file whose
// entry was not written is left over at worst, and nobody reads it.
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "store/lookup.h"
#include "store/operation.h"
#include "store/table_entry.h"

namespace gluecat::store {

// A metadata file that was written, and what the entry of its table becomes by it.
struct IcebergCommit {
  std::string metadata_location;
  EntryChanges changes;
};

// From the request of a CreateTable. Its table comes from CreateIcebergTableInput or, if there is
// none, from the StorageDescriptor of the TableInput.
// Errors: InvalidInputException, and those of IcebergWarehouses.
Result<IcebergCommit> CreateIcebergTable(Call& call);

// From the request of an UpdateTable for the table with this entry.
// Errors: InvalidInputException (no Iceberg table, updates that do not fit), and those of
// IcebergWarehouses.
Result<IcebergCommit> UpdateIcebergTable(Call& call, JsonView entry);

}  // namespace gluecat::store
