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
  std::string Take() {
    writer_.EndObject();
    return writer_.Take();
  }

 private:
  JsonWriter writer_;
};

}  // namespace gluecat::glue
