// Parts of an entry that creating and changing a table write alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/entry/description.h"
#include "core/glue/model.h"

namespace gluecat::entry {

// Writes the comment where its readers look: Glue's Description (Trino, Athena,
// Iceberg) and the parameter "comment" (Spark, Hive), unless that is a mark of
// the format. nullopt removes it.
void SetTableComment(const std::optional<std::string>& comment, TableKind kind, glue::Table& table);

// The location of a table with a Spark provider: StorageDescriptor.Location and
// the SerDe parameter `path`.
void SetProviderLocation(const std::string& location, glue::StorageDescriptor& descriptor);

// Errors: kInvalidArgument for reserved keys, and for what Glue cannot hold.
Status CheckProperty(std::string_view key, std::string_view value);
Status CheckOption(std::string_view key, std::string_view value);

}  // namespace gluecat::entry
