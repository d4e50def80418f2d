// ARNs of what a Data Catalog holds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gluecat::store {

// arn:aws:glue:<region>:<account>:catalog, catalog/<name>, database/<name>,
// table/<database>/<name> or connection/<name>.
struct ResourceArn {
  std::string region;
  std::string account;
  std::string type;      // "catalog", "database", …
  std::string database;  // of a table
  std::string name;      // empty for an account's own catalog

  // nullopt if `text` is no ARN of Glue at all. What another type's path says goes into `name`.
  static std::optional<ResourceArn> Parse(std::string_view text);
};

}  // namespace gluecat::store
