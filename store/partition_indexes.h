// The partition indexes of a table: they are kept with the table, as the JSON list
// that CreateTable's PartitionIndexes is.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace gluecat::store {

inline constexpr std::size_t kMaxPartitionIndexes = 3;

// Checks a new index against the table's partition keys (a list of Columns) and the
// indexes that it has (a list of PartitionIndexes).
// Errors: InvalidInputException for a key that is none of the table's or comes twice;
// AlreadyExistsException; ResourceNumberLimitExceededException.
Status CheckPartitionIndex(JsonView index, JsonView partition_keys,
                           const std::vector<JsonView>& others);

}  // namespace gluecat::store
