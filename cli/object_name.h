// Names of databases and tables on the command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace gluecat::cli {

// "sales" or "sales.orders", in lower case as Glue stores names.
struct ObjectName {
  std::string database;
  std::optional<std::string> table;

  // "sales.orders"
  std::string Text() const;
  // "table sales.orders", for messages.
  std::string Label() const;
};

// What stands behind the first dot is the table.
// Errors: kInvalidArgument for what Glue takes for no name.
Result<ObjectName> ParseObjectName(std::string_view text);

// The same for a command that is about tables only.
// Errors: kInvalidArgument, also without a table.
Result<ObjectName> ParseTableName(std::string_view text);

// The name of a database, in lower case; it may hold dots where Glue allows them.
// Errors: kInvalidArgument for what Glue takes for no name.
Result<std::string> ParseDatabaseName(std::string_view text);

// The body of GetDatabase or GetTable for `name`, in the catalog `glue_id`.
std::string EntryRequest(const ObjectName& name, const std::optional<std::string>& glue_id);

}  // namespace gluecat::cli
