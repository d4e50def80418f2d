// The body of a Glue request under construction. For the sources of Client only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/glue/client.h"

namespace gluecat::glue {

// A request body under construction: CatalogId first, then the caller's members.
class Client::Request {
 public:
  explicit Request(const std::optional<std::string>& catalog_id) {
    writer_.BeginObject();
    if (catalog_id) writer_.Member("CatalogId", *catalog_id);
  }
  JsonWriter& writer() { return writer_; }
  Request& Set(std::string_view key, std::string_view value) {
    writer_.Member(key, value);
    return *this;
  }
  // The members of GetPartitions but for the token; `page_size` is in partitions.
  Request& Set(const PartitionQuery& query, std::size_t page_size) {
    Set("DatabaseName", query.database).Set("TableName", query.table);
    if (!query.expression.empty()) Set("Expression", query.expression);
    if (query.exclude_column_schema) writer_.Member("ExcludeColumnSchema", true);
    writer_.Member("MaxResults", static_cast<std::int64_t>(page_size));
    return *this;
  }
  std::string Take() {
    writer_.EndObject();
    return writer_.Take();
  }

 private:
  JsonWriter writer_;
};

}  // namespace gluecat::glue
