// The metadata file of an Iceberg table (table format specification, versions 1 and 2): made from
// a request, and changed by one. What the file of another writer holds beside that is kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "store/iceberg_schema.h"

namespace gluecat::store {

class IcebergMetadata {
 public:
  // What a new table is made of.
  struct NewTable {
    int format_version = 2;  // 1 or 2
    std::string uuid;
    std::int64_t now_ms = 0;
    std::string location;
    IcebergSchema schema;
  };

  // A table without snapshots. `spec` and `order` are an IcebergPartitionSpec and an
  // IcebergSortOrder of the API, `properties` a map; each may be missing.
  // Errors: InvalidInputException.
  static Result<IcebergMetadata> Create(const NewTable& table, std::int64_t schema_id,
                                        JsonView spec, JsonView order, JsonView properties);

  // Of a metadata file. Errors: InvalidInputException for one that is none, or of another version.
  static Result<IcebergMetadata> Parse(std::string_view text);

  // Applies one IcebergTableUpdate. With an Action, what that says; without one, everything that
  // the update holds: the schema, spec and order become the current ones.
  // Errors: InvalidInputException.
  Status Apply(JsonView update);

  // The next state of the file `previous`, written at `now_ms`.
  void Continue(std::string_view previous, std::int64_t now_ms);

  // The text of the file.
  std::string Json() const;

  const std::string& location() const { return location_; }
  const IcebergSchema& schema() const { return current_schema_; }

 private:
  // A numbered object of the file: a schema, a spec or an order.
  struct Numbered {
    std::int64_t id = 0;
    std::string json;    // the whole object
    std::string fields;  // what makes two of them the same
  };
  using List = std::vector<Numbered>;

  Status ReadFrom(JsonView root);
  Status AddSchema(JsonView schema);
  Status SetCurrentSchema(std::int64_t id);
  Status AddSpec(JsonView spec);
  Status SetDefaultSpec(std::int64_t id);
  Status AddOrder(JsonView order);
  Status SetDefaultOrder(std::int64_t id);
  Status ApplyAll(JsonView update);

  int format_version_ = 2;
  std::string location_;
  std::int64_t last_updated_ms_ = 0;
  std::int64_t last_column_id_ = 0;
  std::int64_t last_partition_id_ = 0;
  List schemas_;
  std::int64_t current_schema_id_ = 0;
  IcebergSchema current_schema_;
  std::int64_t added_schema_id_ = 0;
  List specs_;
  std::int64_t default_spec_id_ = 0;
  std::int64_t added_spec_id_ = 0;
  List orders_;
  std::int64_t default_order_id_ = 0;
  std::int64_t added_order_id_ = 0;
  std::vector<std::pair<std::string, std::string>> properties_;
  std::vector<std::string> log_;                             // of earlier files, as JSON
  std::vector<std::pair<std::string, std::string>> others_;  // members that are kept, as JSON
};

}  // namespace gluecat::store
