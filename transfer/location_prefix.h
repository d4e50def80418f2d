// Other places for the data of what is moved.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/glue/model.h"

namespace gluecat::transfer {

// Locations that begin with `from` begin with `to` instead. A prefix ends where a part of
// the path ends: s3://a/b is none of s3://a/bc.
struct LocationPrefix {
  std::string from;
  std::string to;
};

// Reads "FROM=TO". Errors: kInvalidArgument.
Result<LocationPrefix> ParseLocationPrefix(std::string_view text);

// Applies the first prefix that fits: to LocationUri of a database; to Location of a
// storage descriptor and to `path` among the parameters of its SerDe, where Spark keeps
// the location of its own tables. Table parameters stay as they are: what Iceberg's
// metadata_location names holds the old locations itself.
void Rewrite(const std::vector<LocationPrefix>& prefixes, glue::Database& database);
void Rewrite(const std::vector<LocationPrefix>& prefixes, glue::Table& table);
void Rewrite(const std::vector<LocationPrefix>& prefixes, glue::Partition& partition);

}  // namespace gluecat::transfer
