// Typed Glue calls over a Transport.
//
// Every call carries the client's CatalogId. Listings follow NextToken until it
// is absent (a page may be empty and still carry one) and ask for the largest
// page the API allows. Batches are cut to the API's limits. Errors keep Glue's
// code; nothing is retried here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/glue/model.h"
#include "core/glue/partition_page.h"
#include "core/glue/transport.h"

namespace gluecat::glue {

// The outcome of one partition in a batch that Glue refused.
struct PartitionFailure {
  std::vector<std::string> values;
  Error error;
};

// One entry of a listing: the table, or why it could not be decoded. A listing
// never fails for one odd entry.
struct ListedTable {
  std::string name;
  Result<Table> table;
};

struct PartitionQuery {
  std::string database;
  std::string table;
  std::string expression;  // empty: all partitions
  bool exclude_column_schema = true;
};

class Client {
 public:
  // `catalog_id` is sent as CatalogId with every call; without it Glue takes the
  // caller's account. `skip_archive` is UpdateTable's SkipArchive.
  Client(std::shared_ptr<Transport> transport, std::optional<std::string> catalog_id,
         bool skip_archive);

  // How many writes of this process have come to their end, through any client and
  // whatever came of them. An answer to a read that was sent when it was n shows
  // what the first n have done.
  static std::uint64_t WritesEnded();

  Result<Database> GetDatabase(std::string_view name, const CallContext& context) const;
  Result<std::vector<Database>> GetDatabases(const CallContext& context) const;
  Status CreateDatabase(const Database& database, const CallContext& context) const;
  Status UpdateDatabase(std::string_view name, const Database& database,
                        const CallContext& context) const;
  Status DeleteDatabase(std::string_view name, const CallContext& context) const;

  Result<Table> GetTable(std::string_view database, std::string_view name,
                         const CallContext& context) const;
  Result<std::vector<ListedTable>> GetTables(std::string_view database,
                                             const CallContext& context) const;
  // The same without keeping more than a page; ends with the first error of `each`.
  Status ForEachTable(std::string_view database, const std::function<Status(ListedTable)>& each,
                      const CallContext& context) const;
  // True if the database holds at least one table; one small page.
  Result<bool> HasTables(std::string_view database, const CallContext& context) const;
  // `indexes` are made with the table.
  Status CreateTable(std::string_view database, const Table& table, const CallContext& context,
                     const std::vector<PartitionIndex>& indexes = {}) const;
  // `version_id` is the precondition; without it the last writer wins.
  Status UpdateTable(std::string_view database, const Table& table,
                     const std::optional<std::string>& version_id,
                     const CallContext& context) const;
  Status DeleteTable(std::string_view database, std::string_view name,
                     const CallContext& context) const;
  Result<std::vector<TableVersion>> GetTableVersions(std::string_view database,
                                                     std::string_view name,
                                                     const CallContext& context) const;

  // Shows every matching partition to `sink`, page by page, without keeping them.
  Status ScanPartitions(const PartitionQuery& query, PartitionSink& sink,
                        const CallContext& context) const;
  // The same as whole structures, for copying; the first `limit` of them, and no
  // page is asked for that is not needed for these.
  Result<std::vector<Partition>> GetPartitions(
      const PartitionQuery& query, const CallContext& context,
      std::size_t limit = std::numeric_limits<std::size_t>::max()) const;
  // The same without keeping more than a page; ends with the first error of `each`.
  Status ForEachPartition(const PartitionQuery& query, const std::function<Status(Partition)>& each,
                          const CallContext& context,
                          std::size_t limit = std::numeric_limits<std::size_t>::max()) const;

  Result<Partition> GetPartition(std::string_view database, std::string_view table,
                                 const std::vector<std::string>& values,
                                 const CallContext& context) const;
  // Any number of partitions by their values, in batches of the API's size; those that do not
  // exist are left out. What Glue leaves unprocessed is asked for again as long as it gets less;
  // then it is kUnavailable.
  Result<std::vector<Partition>> GetPartitions(std::string_view database, std::string_view table,
                                               const std::vector<std::vector<std::string>>& values,
                                               const CallContext& context) const;

  // Any number of partitions, in batches of the API's size. The answer lists the
  // ones Glue refused; a failed batch call fails the whole. A refusal that only
  // says that an earlier attempt of the same batch was carried out, although its
  // answer was lost, counts as done.
  Result<std::vector<PartitionFailure>> CreatePartitions(std::string_view database,
                                                         std::string_view table,
                                                         const std::vector<Partition>& partitions,
                                                         const CallContext& context) const;
  Result<std::vector<PartitionFailure>> UpdatePartitions(std::string_view database,
                                                         std::string_view table,
                                                         const std::vector<Partition>& partitions,
                                                         const CallContext& context) const;
  Result<std::vector<PartitionFailure>> DeletePartitions(
      std::string_view database, std::string_view table,
      const std::vector<std::vector<std::string>>& values, const CallContext& context) const;

  Result<std::vector<PartitionIndex>> GetPartitionIndexes(std::string_view database,
                                                          std::string_view table,
                                                          const CallContext& context) const;
  Status CreatePartitionIndex(std::string_view database, std::string_view table,
                              const PartitionIndex& index, const CallContext& context) const;

  Result<std::vector<UserDefinedFunction>> GetFunctions(std::string_view database,
                                                        const CallContext& context) const;
  Result<UserDefinedFunction> GetFunction(std::string_view database, std::string_view name,
                                          const CallContext& context) const;
  Status CreateFunction(std::string_view database, const UserDefinedFunction& function,
                        const CallContext& context) const;
  Status UpdateFunction(std::string_view database, const UserDefinedFunction& function,
                        const CallContext& context) const;
  Status DeleteFunction(std::string_view database, std::string_view name,
                        const CallContext& context) const;

  // Column statistics of a table, for the named columns; columns without any are left out.
  Result<std::vector<ColumnStatistics>> GetColumnStatistics(std::string_view database,
                                                            std::string_view table,
                                                            const std::vector<std::string>& columns,
                                                            const CallContext& context) const;
  Status UpdateColumnStatistics(std::string_view database, std::string_view table,
                                const std::vector<ColumnStatistics>& statistics,
                                const CallContext& context) const;
  // The same of one partition.
  Result<std::vector<ColumnStatistics>> GetPartitionColumnStatistics(
      std::string_view database, std::string_view table, const std::vector<std::string>& values,
      const std::vector<std::string>& columns, const CallContext& context) const;
  Status UpdatePartitionColumnStatistics(std::string_view database, std::string_view table,
                                         const std::vector<std::string>& values,
                                         const std::vector<ColumnStatistics>& statistics,
                                         const CallContext& context) const;

 private:
  class Request;
  struct StatisticsOwner;
  struct BatchOperation;
  // Every request that changes something goes through these, see WritesEnded.
  Result<std::string> SendWrite(std::string_view operation, Request& request,
                                const CallContext& context) const;
  Status Write(std::string_view operation, Request& request, const CallContext& context) const;
  // `page` sees each answer and says whether to go on.
  Status ForEachPage(std::string_view operation, const std::function<void(Request&)>& fill,
                     const std::function<Result<bool>(JsonView)>& page,
                     const CallContext& context) const;
  Result<std::vector<ColumnStatistics>> ReadStatistics(const StatisticsOwner& owner,
                                                       const std::vector<std::string>& columns,
                                                       const CallContext& context) const;
  Status WriteStatistics(const StatisticsOwner& owner,
                         const std::vector<ColumnStatistics>& statistics,
                         const CallContext& context) const;
  Result<std::vector<PartitionFailure>> WriteBatches(
      const BatchOperation& operation, std::string_view database, std::string_view table,
      std::size_t count, const std::function<void(std::size_t, JsonWriter&)>& item,
      const CallContext& context) const;

  std::shared_ptr<Transport> transport_;
  std::optional<std::string> catalog_id_;
  bool skip_archive_;
};

}  // namespace gluecat::glue
