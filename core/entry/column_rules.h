// Rules for the columns of a table that is created or changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/entry/description.h"
#include "core/types/data_type.h"

namespace gluecat::entry {

// Checks that every column has a name and that no two differ in case only,
// which Glue cannot hold. Errors: kInvalidArgument naming the columns.
Status CheckColumns(const types::StructType& schema);

// `names` as the schema spells them. `what` is what they are ("partition column").
// Errors: kInvalidArgument naming one that is not there or is there twice.
Result<std::vector<std::string>> ResolveNames(const types::StructType& schema,
                                              const std::vector<std::string>& names,
                                              std::string_view what);

// `schema` as it is stored for a table of `provider` (lower case): CHAR and
// VARCHAR as strings, columns of files nullable.
types::StructType StoredSchema(types::StructType schema, std::string_view provider);

// The changes of a schema, with their checks; see description.h. A path steps
// into an array by "element" and into a map by "key" and "value". Names are
// found ignoring case; an exact match goes first.
// `fixed` are top-level columns that must stay as they are (partition columns,
// at the end of the schema): they are never dropped, renamed, moved or retyped.
// Errors: kInvalidArgument naming the column.
struct FixedColumn {
  std::string name;
  std::string_view why;  // "a partition column"
};
using FixedColumns = std::vector<FixedColumn>;

Status Apply(const AddColumn& change, const FixedColumns& fixed, std::size_t data_columns,
             types::StructType& schema);
Status Apply(const DeleteColumn& change, const FixedColumns& fixed, types::StructType& schema);
Status Apply(const RenameColumn& change, const FixedColumns& fixed, types::StructType& schema);
Status Apply(const UpdateColumnType& change, const FixedColumns& fixed, types::StructType& schema);
Status Apply(const UpdateColumnNullability& change, types::StructType& schema);
Status Apply(const UpdateColumnComment& change, types::StructType& schema);
Status Apply(const UpdateColumnPosition& change, const FixedColumns& fixed,
             std::size_t data_columns, types::StructType& schema);

}  // namespace gluecat::entry
