// From a database's records to what has to be written to another catalog.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/glue/client.h"
#include "transfer/location_prefix.h"
#include "transfer/progress.h"
#include "transfer/records.h"
#include "transfer/report.h"
#include "transfer/sorted_entries.h"
#include "transfer/work_list.h"

namespace gluecat::transfer {

// What becomes of an entry that the target has already, but differently.
enum class OnConflict : std::uint8_t {
  kFail,     // it is left alone, and nothing at all is to be written
  kSkip,     // it is left alone, for a table with everything below it
  kReplace,  // it is updated
};

struct PlanOptions {
  std::string database;  // its name in the target; empty: as in the source
  OnConflict on_conflict = OnConflict::kFail;
  std::vector<LocationPrefix> location_prefixes;
};

// Compares one database with the target, which it only reads: GetDatabase, and if there is
// such a database, what the source has any of: GetUserDefinedFunctions, GetTables and, for
// tables that both have, GetPartitions, GetPartitionIndexes and the column statistics. Listings
// take one request a page and no request is made for a table or partition of its own.
//
// Nothing is ever deleted: what only the target has stays.
class Planner final : public RecordSink {
 public:
  // The arguments must outlive it. The database is added to `report`.
  Planner(const glue::Client& target, PlanOptions options, WorkList& work, Report& report,
          Progress& progress);

  // Errors of all: those of Glue, naming the object; kUnavailable (temporary files);
  // kUnsupported if the database is a resource link in the target only; kInvalidArgument if
  // `report` has the database already.
  Status Database(const glue::Database& database) override;
  Status Function(const glue::UserDefinedFunction& function) override;
  Result<bool> Table(const TableRecord& record) override;
  Status Partition(const PartitionRecord& record) override;
  Status Unreadable(const std::string& table, const Error& error) override;
  Status End() override;

 private:
  enum class Verdict : std::uint8_t { kSame, kLeave, kReplace };

  // What the target has, asked for in the order of the keys.
  struct Listing {
    SortedEntries entries;
    std::optional<SortedEntries::Entry> head;
    // The entry with `key`; nullptr if there is none.
    Result<const SortedEntries::Entry*> Find(const std::string& key);
  };

  // The verdict about an entry that both have; counts it.
  Verdict Judge(Subject subject, std::vector<Difference> differences);
  // Takes note of an entry that is to be written.
  Status Write(Work work, Kind kind, const std::string& object);
  void ListPartitionWork();
  std::string Object(const std::string& table) const { return name_ + "." + table; }

  Result<const SortedEntries::Entry*> FindTable(const std::string& name);
  Status CreateTable(const TableRecord& record, const glue::Table& table);
  // False if the table is to be left alone.
  Result<bool> MeetTable(const TableRecord& record, const glue::Table& table,
                         const SortedEntries::Entry& target);
  Status Indexes(const TableRecord& record);
  // `values` is that of a partition. `target` has the entries of the same columns.
  Status CompareStatistics(const std::vector<std::string>* values,
                           const std::vector<glue::ColumnStatistics>& source,
                           const std::vector<glue::ColumnStatistics>& target);

  const glue::Client& target_;
  const PlanOptions options_;
  WorkList& work_;
  Report& report_;
  Progress& progress_;

  std::string name_;     // of the database in the target
  bool exists_ = false;  // the database, in the target
  std::optional<std::vector<glue::UserDefinedFunction>> functions_;
  std::optional<Listing> tables_;
  std::set<std::string> unreadable_;  // tables of the target
  std::string table_;                 // the one that came last
  bool table_exists_ = false;
  std::optional<Listing> partitions_;
  std::uint64_t created_partitions_ = 0;  // of this table
  std::uint64_t changed_partitions_ = 0;
  std::uint64_t seen_ = 0;
};

}  // namespace gluecat::transfer
