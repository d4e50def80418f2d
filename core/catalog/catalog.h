// One Glue Data Catalog as Spark sees it: namespaces, tables, partitions.
//
// Everything a statement means for the entries of a Glue Data Catalog is decided
// here, once, for every Spark version. Names may come in any case. Messages of
// errors are complete: they name the catalog, its glue.id and the object.
//
// Requests are counted: each method says how many Glue calls it makes when
// nothing goes wrong. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/aws/pushed_provider.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/catalog/cached_tables.h"
#include "core/catalog/overlapping_reads.h"
#include "core/catalog/recent_tables.h"
#include "core/catalog/settings.h"
#include "core/entry/description.h"
#include "core/glue/client.h"

namespace gluecat::catalog {

// Spark's reserved namespace properties are fields of their own.
struct NamespaceDescription {
  std::string name;
  std::optional<std::string> comment;
  std::optional<std::string> location;
  std::optional<std::string> owner;
  glue::Parameters properties;
  bool operator==(const NamespaceDescription&) const = default;
};

struct PropertyChange {
  std::string key;
  std::optional<std::string> value;  // nullopt removes the property
};

// A table of a listing. `table_type` is empty where Glue has none.
struct TableSummary {
  std::string name;
  entry::TableKind kind = entry::TableKind::kUnsupported;
  std::string table_type;
  bool operator==(const TableSummary&) const = default;
};

struct NewPartition {
  std::vector<std::string> values;
  std::string location;
  glue::Parameters parameters;
};

// What changes of a partition.
struct PartitionChange {
  std::vector<std::string> values;
  std::optional<std::string> location;
  glue::Parameters parameters;  // set; others stay
  bool table_format = false;    // the partition's files are of the table's format now
};

enum class IfExists : std::uint8_t { kFail, kIgnore, kUpdate };
enum class IfMissing : std::uint8_t { kFail, kIgnore };

struct AddedPartitions {
  std::size_t created = 0;
  std::size_t updated = 0;
};

class Catalog {
 public:
  // `pushed` is what `transport` signs with when the settings name a Java
  // credentials provider; nullptr otherwise.
  Catalog(Settings settings, std::string spark_version, std::shared_ptr<glue::Transport> transport,
          std::shared_ptr<Clock> clock, std::shared_ptr<aws::PushedProvider> pushed = nullptr);

  const Settings& settings() const { return settings_; }

  // What the Java credentials provider gave, for the calls that follow. No call.
  // Errors: kInvalidArgument if the settings name no such provider.
  Status SetCredentials(aws::Credentials credentials);

  // One call per 100 databases.
  Result<std::vector<std::string>> ListNamespaces(const glue::CallContext& context) const;

  // One call. Errors: kNotFound.
  Result<NamespaceDescription> LoadNamespace(std::string_view name,
                                             const glue::CallContext& context);

  // One call. Without a location, and with `warehouse` set, the database lies at
  // <warehouse>/<name>.db. Errors: kAlreadyExists, kInvalidArgument.
  Status CreateNamespace(const NamespaceDescription& description,
                         const glue::CallContext& context) const;

  // Two calls; none to change if the properties are so already. Glue databases
  // have no version: the last of two concurrent changes wins.
  Status AlterNamespace(std::string_view name, const std::vector<PropertyChange>& changes,
                        const glue::CallContext& context);

  // Two calls (one with `cascade`). Glue itself drops a database with all it
  // holds, so emptiness is asked for first. Errors: kNotFound, kNotEmpty.
  Status DropNamespace(std::string_view name, bool cascade, const glue::CallContext& context);

  // One call per 100 tables; every entry is listed, also those that cannot be used.
  Result<std::vector<TableSummary>> ListTables(std::string_view database,
                                               const glue::CallContext& context) const;

  // One call, also for any number of threads that load the same table at once; what
  // this process has written before a load began is in its answer. None where
  // `cache.expiration-interval-ms` allows an answer from before. Errors: kNotFound.
  Result<entry::TableDescription> LoadTable(std::string_view database, std::string_view table,
                                            const glue::CallContext& context);

  // The next load asks Glue, whatever `cache.expiration-interval-ms` says.
  Status ForgetTable(std::string_view database, std::string_view table);

  // One call; none after a LoadNamespace. Where a managed table lies: below the
  // database's location, else <warehouse>/<database>.db/<table>.
  // Errors: kNotFound (no such database), kInvalidArgument (neither is set).
  Result<std::string> ResolveLocation(std::string_view database, std::string_view table,
                                      const glue::CallContext& context);

  // One call; none after a LoadNamespace. What CreateTable with `spec` would refuse is refused
  // here, before data is written for it; answers with the table's location. Errors: those of
  // ResolveLocation and CreateTable, but for kAlreadyExists.
  Result<std::string> PrepareTable(std::string_view database, std::string_view table,
                                   entry::TableSpec spec, const glue::CallContext& context);

  // One call, and one more if `spec` has no location.
  // Errors: kAlreadyExists, kNotFound (database), kInvalidArgument.
  Result<entry::TableDescription> CreateTable(std::string_view database, std::string_view table,
                                              entry::TableSpec spec,
                                              const glue::CallContext& context);

  // One call after a LoadTable of the same table, else two; none to change if
  // the entry is so already. A concurrent change is re-read and the changes are
  // applied to it again. Errors: kNotFound, kConflict, those of entry::ApplyChanges.
  Result<entry::TableDescription> AlterTable(std::string_view database, std::string_view table,
                                             const std::vector<entry::TableChange>& changes,
                                             const glue::CallContext& context);

  // Keeps the statistics of the columns that were analyzed, which `statistics` holds besides size
  // and rows: in the entry as Spark's catalog does, where those of other columns stay, and then as
  // Glue's own, which other engines read (entry/column_statistics.h). The calls of AlterTable, and
  // one per 25 columns. Errors: those of AlterTable, and of the Glue calls.
  Status StoreColumnStatistics(std::string_view database, std::string_view table,
                               const entry::Statistics& statistics,
                               const glue::CallContext& context);

  // Glue's own statistics of columns in Spark's form, without those that are out of date. One call
  // per 100 columns after a LoadTable of the same table, else one more. Errors: kNotFound.
  Result<glue::Parameters> LoadColumnStatistics(std::string_view database, std::string_view table,
                                                const glue::CallContext& context);

  // Glue has no rename: reads the entry, its partition indexes (if it is partitioned) and its
  // columns' statistics (one call per 100 columns; none for a view), creates the entry and the
  // indexes under the new name, copies partitions and statistics, then deletes the old entry. The
  // data stays where it is. Repeating a rename that failed half way finishes it.
  // Statistics of the columns of single partitions stay behind: they would cost two calls each.
  // Errors: kNotFound, kAlreadyExists (another table has the new name).
  Status RenameTable(std::string_view database, std::string_view table,
                     std::string_view to_database, std::string_view to_table,
                     const glue::CallContext& context);

  // One call; false if there was no such table. Data is never touched.
  Result<bool> DropTable(std::string_view database, std::string_view table,
                         const glue::CallContext& context);

  // One call per 1,000 partitions that match `expression` (Glue's grammar; empty: all).
  Status ScanPartitions(std::string_view database, std::string_view table,
                        std::string_view expression, glue::PartitionSink& sink,
                        const glue::CallContext& context) const;

  // One call per 100 partitions, and as many to update those that exist.
  // The formats of a partition are the table's. Errors: kNotFound,
  // kAlreadyExists (with IfExists::kFail; the others are created all the same).
  Result<AddedPartitions> AddPartitions(std::string_view database, std::string_view table,
                                        const std::vector<NewPartition>& partitions,
                                        IfExists if_exists, const glue::CallContext& context);

  // One call per 1,000 partitions to read them, since what a partition has besides its change
  // stays, and one per 100 that do change; one more to take the table's format if the table was
  // not loaded a moment before. The number of those there were. Errors: kNotFound (with
  // IfMissing::kFail; the others are altered all the same).
  Result<std::size_t> AlterPartitions(std::string_view database, std::string_view table,
                                      const std::vector<PartitionChange>& changes,
                                      IfMissing if_missing, const glue::CallContext& context);

  // Three calls: Glue cannot change the values of a partition, so a copy with other values, and
  // `location` if it is given, takes its place. Repeating a rename that failed half way finishes
  // it. Errors: kNotFound, kAlreadyExists (another partition has the new values).
  Status RenamePartition(std::string_view database, std::string_view table,
                         const std::vector<std::string>& values,
                         const std::vector<std::string>& to_values,
                         const std::optional<std::string>& location,
                         const glue::CallContext& context) const;

  // One call per 25 partitions; the number dropped.
  // Errors: kNotFound (with IfMissing::kFail; the others are dropped all the same).
  Result<std::size_t> DropPartitions(std::string_view database, std::string_view table,
                                     const std::vector<std::vector<std::string>>& values,
                                     IfMissing if_missing, const glue::CallContext& context);

  // `error` as one about `object` of this catalog: its message names the
  // catalog, the glue.id and the object.
  Error Explain(Error error, std::string_view action, std::string_view object) const;

  // "catalog 'a' (glue.id 111111111111)".
  std::string Label() const;

  Timestamp Now() const { return clock_->Now(); }

 private:
  struct TableName {
    std::string database;
    std::string table;
    std::string ToString() const { return database + "." + table; }
  };
  Result<TableName> Fold(std::string_view database, std::string_view table) const;
  Result<std::string> FoldDatabase(std::string_view database) const;
  Result<glue::Table> GetTable(const TableName& name, const glue::CallContext& context) const;
  Result<glue::Database> RecentOrGetDatabase(const std::string& name,
                                             const glue::CallContext& context);
  Result<glue::Table> RecentOrGetTable(const TableName& name, const glue::CallContext& context);
  // What a partition of the table has of its own, but for its location.
  Result<glue::StorageDescriptor> DescriptorForPartitions(const TableName& name,
                                                          const glue::CallContext& context);
  Result<std::string> ManagedLocation(const TableName& name, const glue::Database& database) const;
  entry::WriterInfo Writer() const;
  entry::TableDescription Describe(const glue::Table& table) const;
  // Waits before trial `trial` of a change that lost a race; false if cancelled.
  bool BackOff(int trial, const glue::CallContext& context);
  // Applies `changes`, again if others changed the entry meanwhile; the entry as it is then.
  Result<glue::Table> ChangeTable(const TableName& name,
                                  const std::vector<entry::TableChange>& changes,
                                  const glue::CallContext& context);
  // None where the catalog keeps no statistics, or does not give them to this identity:
  // they are an aid and can be computed again, so nothing fails for want of them.
  Result<std::vector<glue::ColumnStatistics>> ReadColumnStatistics(
      const TableName& name, const glue::Table& entry, const glue::CallContext& context) const;
  Status CopyPartitions(const TableName& from, const TableName& to,
                        const glue::CallContext& context) const;

  Settings settings_;
  std::string spark_version_;
  glue::Client client_;
  std::shared_ptr<Clock> clock_;
  OverlappingReads<glue::Table> loads_;
  CachedTables cached_;
  RecentTables recent_;
  RecentDatabases recent_databases_;
  std::shared_ptr<aws::PushedProvider> pushed_;  // null without a Java provider
  std::mutex random_mutex_;
  std::minstd_rand random_;
};

}  // namespace gluecat::catalog
