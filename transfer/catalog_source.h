// A database of a Glue Data Catalog as records.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/glue/client.h"
#include "transfer/records.h"
#include "transfer/sorted_entries.h"

namespace gluecat::transfer {

// Whose column statistics are moved. They cost a request for each table and, for
// partitions, one for each partition.
enum class Statistics : std::uint8_t { kNone, kTables, kAll };

// The tables of `database` by name: text of TextOf(Table) and VersionId. Those that
// cannot be read are shown to `unreadable`.
// One GetTables a hundred tables. Errors: those of Glue; kUnavailable.
Result<SortedEntries> ListTables(const glue::Client& client, const std::string& database,
                                 const std::function<Status(const glue::ListedTable&)>& unreadable);

// The partitions of a table by PartitionKey: text of TextOf(Partition).
// One GetPartitions a thousand partitions. Errors: those of Glue; kUnavailable.
Result<SortedEntries> ListPartitions(const glue::Client& client, const std::string& database,
                                     const std::string& table);

// The indexes of a table by name, but for those that are being deleted or have failed.
// One GetPartitionIndexes. Errors: those of Glue.
Result<std::vector<glue::PartitionIndex>> ListPartitionIndexes(const glue::Client& client,
                                                               const std::string& database,
                                                               const std::string& table);

// True if the table is a resource link: what stands below it belongs to its target.
bool IsResourceLink(const glue::Table& table);

// Shows the database `database` to `sink`. The requests: GetDatabase; GetUserDefinedFunctions
// and GetTables, in pages of 100; for each table with partition keys GetPartitionIndexes and
// GetPartitions in pages of 1000; column statistics as `statistics` says, none for views.
// Of resource links only the entry is read.
//
// Errors: those of Glue, naming the object; those of `sink`.
Status ReadCatalog(const glue::Client& client, const std::string& database, Statistics statistics,
                   RecordSink& sink);

}  // namespace gluecat::transfer
