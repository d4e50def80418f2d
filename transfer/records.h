// What a database consists of, in the order in which it is moved.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/glue/model.h"

namespace gluecat::transfer {

struct TableRecord {
  glue::Table table;
  std::vector<glue::PartitionIndex> partition_indexes;    // by name
  std::vector<glue::ColumnStatistics> column_statistics;  // by column
};

struct PartitionRecord {
  glue::Partition partition;
  std::vector<glue::ColumnStatistics> column_statistics;  // by column
};

// Takes one database: its entry, its functions, then its tables, each followed by its
// partitions; everything in the order of the names (of the values, for partitions).
// An error ends the reading.
class RecordSink {
 public:
  virtual ~RecordSink() = default;

  virtual Status Database(const glue::Database& database) = 0;
  virtual Status Function(const glue::UserDefinedFunction& function) = 0;
  // False if the partitions of the table are of no interest.
  virtual Result<bool> Table(const TableRecord& record) = 0;
  // Of the table that came last.
  virtual Status Partition(const PartitionRecord& record) = 0;
  // A table that is there and cannot be read; `error` says why.
  virtual Status Unreadable(const std::string& table, const Error& error) = 0;
  // Nothing is missing.
  virtual Status End() = 0;
};

}  // namespace gluecat::transfer
