// Partition specs and sort orders of Iceberg tables (table format specification): from the API's
// form to the one in metadata files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json.h"
#include "core/base/result.h"
#include "store/iceberg_schema.h"

namespace gluecat::store {

// Ids of partition fields begin here.
inline constexpr std::int64_t kFirstPartitionFieldId = 1000;

// Ids of partition fields by the id of their source and their transform.
using PartitionFieldIds = std::map<std::pair<std::int64_t, std::string>, std::int64_t>;

// The fields of an IcebergPartitionSpec of a request as JSON. Fields without an id get that of the
// same field in `known`, or one from `last_id` + 1 on; `last_id` becomes the highest one.
// Errors: InvalidInputException for sources that the schema does not have or that are no primitive
// fields, transforms that do not exist or do not take the type, names that come twice or are those
// of other columns, ids that come twice.
Result<std::string> PartitionFieldsOf(JsonView spec, const IcebergSchema& schema,
                                      const PartitionFieldIds& known, std::int64_t& last_id);

// What version 1 asks of the next spec of a table, since its readers number the fields by
// themselves: those of `before` (fields of a metadata file) come first and in their order, a
// dropped one with the transform void. Errors: InvalidInputException.
Status CheckFollowsInVersion1(JsonView before, JsonView after);

// The fields of an IcebergSortOrder as JSON. Errors: as above.
Result<std::string> SortFieldsOf(JsonView order, const IcebergSchema& schema);

// Whether every field of a partition spec or sort order in a metadata file has its source in
// `schema`. Errors: InvalidInputException; `what` names it in the message.
Status CheckSources(JsonView fields, const IcebergSchema& schema, std::string_view what);

}  // namespace gluecat::store
