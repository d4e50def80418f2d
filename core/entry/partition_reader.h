// How the files of a partition are read where its entry names another format than the table's.
//
// A table of Hive may have changed its format, and then its older partitions have the one before;
// crawlers give single partitions other SerDe parameters. Hive reads each partition as its own
// entry says, and what that leaves open as the table's says.
#pragma once

#include <optional>

#include "core/entry/description.h"
#include "core/entry/serde_reader.h"
#include "core/glue/model.h"

namespace gluecat::entry {

// What of the entry `table` decides how its partitions are read, but for its provider.
TableFormat FormatOf(const glue::Table& table);

// The reader of a partition of the format `partition`; nothing if it is the table's own. `reason`,
// where there is none, follows the partition's name.
//
// Entries of a Spark data source have placeholders for formats that Hive does not know, so with
// `table` being one, only the SerDes of Parquet, ORC and Avro count as another format.
std::optional<SerDeReader> ReaderOfPartition(const TableFormat& table, const FileFormat& partition);

}  // namespace gluecat::entry
