#include "transfer/catalog_source.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/glue/codec.h"
#include "transfer/entry_text.h"

namespace gluecat::transfer {
namespace {

std::vector<std::string> ColumnNames(const std::optional<glue::StorageDescriptor>& descriptor) {
  std::vector<std::string> names;
  if (!descriptor || !descriptor->columns) return names;
  for (const auto& column : *descriptor->columns) names.push_back(column.name);
  return names;
}

void Sort(std::vector<glue::ColumnStatistics>& statistics) {
  std::ranges::sort(statistics, {}, &glue::ColumnStatistics::column_name);
}

// A database while it is read.
class Reading {
 public:
  Reading(const glue::Client& client, const std::string& database, Statistics statistics,
          RecordSink& sink)
      : client_(client), database_(database), statistics_(statistics), sink_(sink) {}

  Status Run() {
    const auto database = client_.GetDatabase(database_, {});
    if (!database) return Fail(WithContext(database.error(), "database " + database_));
    GLUECAT_RETURN_IF_ERROR(sink_.Database(*database));
    if (!database->target_database) {
      GLUECAT_RETURN_IF_ERROR(Functions());
      GLUECAT_RETURN_IF_ERROR(Tables());
    }
    return sink_.End();
  }

 private:
  Status Functions() {
    auto functions = client_.GetFunctions(database_, {});
    if (!functions) {
      return Fail(WithContext(functions.error(), "functions of database " + database_));
    }
    std::ranges::sort(*functions, {}, &glue::UserDefinedFunction::function_name);
    for (const auto& function : *functions) GLUECAT_RETURN_IF_ERROR(sink_.Function(function));
    return {};
  }

  Status Tables() {
    GLUECAT_ASSIGN_OR_RETURN(auto tables,
                             ListTables(client_, database_, [&](const glue::ListedTable& listed) {
                               return sink_.Unreadable(listed.name, listed.table.error());
                             }));
    while (true) {
      GLUECAT_ASSIGN_OR_RETURN(const auto entry, tables.Next());
      if (!entry) return {};
      GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(entry->text));
      GLUECAT_ASSIGN_OR_RETURN(const auto table, glue::DecodeTable(document.root()));
      GLUECAT_RETURN_IF_ERROR(Table(table));
    }
  }

  Status Table(const glue::Table& table) {
    TableRecord record{table, {}, {}};
    const std::string label = "table " + database_ + "." + table.name;
    const bool has_partitions =
        !IsResourceLink(table) && table.partition_keys && !table.partition_keys->empty();
    if (has_partitions) {
      GLUECAT_ASSIGN_OR_RETURN(record.partition_indexes,
                               ListPartitionIndexes(client_, database_, table.name));
    }
    const auto columns = ColumnNames(table.storage_descriptor);
    const bool has_statistics = statistics_ != Statistics::kNone && !columns.empty() &&
                                !IsResourceLink(table) && table.table_type != "VIRTUAL_VIEW";
    if (has_statistics) {
      auto statistics = client_.GetColumnStatistics(database_, table.name, columns, {});
      if (!statistics) {
        return Fail(WithContext(statistics.error(), "column statistics of " + label));
      }
      Sort(*statistics);
      record.column_statistics = *std::move(statistics);
    }
    GLUECAT_ASSIGN_OR_RETURN(const bool wanted, sink_.Table(record));
    return has_partitions && wanted ? Partitions(table) : Status();
  }

  Status Partitions(const glue::Table& table) {
    GLUECAT_ASSIGN_OR_RETURN(auto partitions, ListPartitions(client_, database_, table.name));
    while (true) {
      GLUECAT_ASSIGN_OR_RETURN(const auto entry, partitions.Next());
      if (!entry) return {};
      GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(entry->text));
      PartitionRecord record;
      GLUECAT_ASSIGN_OR_RETURN(record.partition, glue::DecodePartition(document.root()));
      if (statistics_ == Statistics::kAll) {
        auto columns = ColumnNames(record.partition.storage_descriptor);
        if (columns.empty()) columns = ColumnNames(table.storage_descriptor);
        auto statistics = client_.GetPartitionColumnStatistics(
            database_, table.name, record.partition.values, columns, {});
        if (!statistics) {
          return Fail(WithContext(statistics.error(), "column statistics of a partition of table " +
                                                          database_ + "." + table.name));
        }
        Sort(*statistics);
        record.column_statistics = *std::move(statistics);
      }
      GLUECAT_RETURN_IF_ERROR(sink_.Partition(record));
    }
  }

  const glue::Client& client_;
  const std::string& database_;
  Statistics statistics_;
  RecordSink& sink_;
};

}  // namespace

bool IsResourceLink(const glue::Table& table) { return table.target_table.has_value(); }

Result<SortedEntries> ListTables(
    const glue::Client& client, const std::string& database,
    const std::function<Status(const glue::ListedTable&)>& unreadable) {
  SortedEntries tables;
  const Status listed = client.ForEachTable(
      database,
      [&](const glue::ListedTable& table) {
        if (!table.table) return unreadable(table);
        return tables.Add({table.name, TextOf(*table.table), table.table->version_id.value_or("")});
      },
      {});
  if (!listed) return Fail(WithContext(listed.error(), "tables of database " + database));
  return tables;
}

Result<SortedEntries> ListPartitions(const glue::Client& client, const std::string& database,
                                     const std::string& table) {
  SortedEntries partitions;
  glue::PartitionQuery query;
  query.database = database;
  query.table = table;
  query.exclude_column_schema = false;
  const Status listed = client.ForEachPartition(
      query,
      [&](const glue::Partition& partition) {
        return partitions.Add({PartitionKey(partition.values), TextOf(partition), {}});
      },
      {});
  if (!listed) {
    return Fail(WithContext(listed.error(), "partitions of table " + database + "." + table));
  }
  return partitions;
}

Result<std::vector<glue::PartitionIndex>> ListPartitionIndexes(const glue::Client& client,
                                                               const std::string& database,
                                                               const std::string& table) {
  auto indexes = client.GetPartitionIndexes(database, table, {});
  if (!indexes) {
    return Fail(
        WithContext(indexes.error(), "partition indexes of table " + database + "." + table));
  }
  std::erase_if(*indexes, [](const glue::PartitionIndex& index) {
    return index.status == "DELETING" || index.status == "FAILED";
  });
  for (auto& index : *indexes) index.status.reset();
  std::ranges::sort(*indexes, {}, &glue::PartitionIndex::index_name);
  return indexes;
}

Status ReadCatalog(const glue::Client& client, const std::string& database, Statistics statistics,
                   RecordSink& sink) {
  return Reading(client, database, statistics, sink).Run();
}

}  // namespace gluecat::transfer
