// Schemas of Iceberg tables (table format specification, versions 1 and 2): from the API's form to
// the one in metadata files, and what follows from them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace gluecat::store {

// A field of a schema at any depth.
struct IcebergField {
  std::string name;  // of fields of structs, with the path: "address.city"
  std::string type;  // a primitive type as Iceberg writes it; "struct", "list" or "map"
  bool required = false;
};

// A column of the table as an entry of Glue shows it.
struct IcebergColumn {
  std::int64_t id = 0;
  std::string name;
  std::string glue_type;
  std::string doc;
  bool required = false;
};

struct IcebergSchema {
  std::string fields;                // JSON list, as in metadata files
  std::string identifier_field_ids;  // JSON list
  std::map<std::int64_t, IcebergField> by_id;
  std::vector<IcebergColumn> columns;

  std::int64_t LastColumnId() const { return by_id.empty() ? 0 : by_id.rbegin()->first; }

  // Equal but for its number.
  bool SameAs(const IcebergSchema& other) const {
    return fields == other.fields && identifier_field_ids == other.identifier_field_ids;
  }

  // As in metadata files.
  std::string Json(std::int64_t schema_id) const;

  // An IcebergSchema of a request.
  // Errors: InvalidInputException for no fields, ids that are not positive or come twice, names
  // that come twice, unknown types, types and defaults of later versions, identifier fields that
  // are not required primitive fields, nesting too deep.
  static Result<IcebergSchema> FromRequest(JsonView schema);

  // A schema of a metadata file. Errors: as above, the file may be anybody's.
  static Result<IcebergSchema> FromMetadata(JsonView schema);

  // From the Columns of a StorageDescriptor, with ids from 1 on. Errors: InvalidInputException for
  // types that Iceberg does not have.
  static Result<IcebergSchema> FromColumns(JsonView columns);
};

}  // namespace gluecat::store
