// What kind of table an entry is, and the parts of it whose place depends on
// who wrote it.
#pragma once

#include <optional>
#include <string>

#include "core/entry/description.h"
#include "core/glue/model.h"

namespace gluecat::entry {

struct Recognized {
  TableKind kind = TableKind::kUnsupported;
  std::string provider;  // as in TableDescription
  // Why it cannot be used; empty for kDelta, for kDataSource, and for kHiveSerDe with a provider.
  std::string reason;
};

// Decides by the table alone, without reading its schema.
Recognized Recognize(const glue::Table& table);

// The table's parameters; empty ones if it has none.
const glue::Parameters& ParametersOf(const glue::Table& table);

// "table sales.orders", for messages.
std::string TableLabel(const glue::Table& table);

// Where a table with a Spark provider lies: the SerDe parameter `path`, else the
// storage location unless that is Spark's placeholder.
std::optional<std::string> ProviderLocation(const glue::Table& table);

// The comment of a table: Glue's Description, or the parameter "comment" if
// there is no description or it is only the beginning of that.
std::optional<std::string> TableComment(const glue::Table& table);

// True for views of Presto, Trino and Athena, whose parameter "comment" is a
// mark of the format.
bool IsPrestoView(const glue::Table& table);

}  // namespace gluecat::entry
