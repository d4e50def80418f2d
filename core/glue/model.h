// The Glue Data Catalog's structures, as far as a catalog needs them
// (AWS Glue API 2017-03-31, "Catalog API").
//
// Absent and empty are different things in Glue and stay different here: a
// field is optional wherever the service may leave it out, and whatever a
// structure holds beyond the known fields is kept in `unknown` and written back
// unchanged, so that a read-modify-write by us loses nothing another writer, or
// a newer API, put there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gluecat::glue {

// Parameters of databases, tables, columns, SerDes and partitions.
using Parameters = std::map<std::string, std::string>;

// Members the model does not know: name and raw JSON value, in document order.
using UnknownFields = std::vector<std::pair<std::string, std::string>>;

struct Column {
  std::string name;
  std::optional<std::string> type;  // Hive type string
  std::optional<std::string> comment;
  Parameters parameters;
  UnknownFields unknown;
  bool operator==(const Column&) const = default;
};

struct SerDeInfo {
  std::optional<std::string> name;
  std::optional<std::string> serialization_library;
  Parameters parameters;
  UnknownFields unknown;
  bool operator==(const SerDeInfo&) const = default;
};

struct Order {
  std::string column;
  std::int64_t sort_order = 1;  // 1 ascending, 0 descending
  bool operator==(const Order&) const = default;
};

struct StorageDescriptor {
  std::optional<std::vector<Column>> columns;
  std::optional<std::string> location;
  std::optional<std::string> input_format;
  std::optional<std::string> output_format;
  std::optional<bool> compressed;
  std::optional<std::int64_t> number_of_buckets;
  std::optional<SerDeInfo> serde_info;
  std::optional<std::vector<std::string>> bucket_columns;
  std::optional<std::vector<Order>> sort_columns;
  std::optional<Parameters> parameters;
  // SkewedInfo, StoredAsSubDirectories, SchemaReference, AdditionalLocations, …
  UnknownFields unknown;
  bool operator==(const StorageDescriptor&) const = default;
};

// The target of a resource link, or of a federated object.
struct TargetIdentifier {
  std::optional<std::string> catalog_id;
  std::optional<std::string> database_name;
  std::optional<std::string> name;  // of a table; absent for a database
  std::optional<std::string> region;
  bool operator==(const TargetIdentifier&) const = default;
};

struct Database {
  std::string name;
  std::optional<std::string> description;
  std::optional<std::string> location_uri;
  Parameters parameters;
  std::optional<TargetIdentifier> target_database;
  std::optional<std::string> catalog_id;  // response only
  std::optional<double> create_time;      // response only; seconds since the epoch
  UnknownFields unknown;                  // CreateTableDefaultPermissions, FederatedDatabase, …
  bool operator==(const Database&) const = default;
};

struct Table {
  std::string name;
  std::optional<std::string> database_name;  // response only
  std::optional<std::string> description;
  std::optional<std::string> owner;
  std::optional<double> last_access_time;
  std::optional<double> last_analyzed_time;
  std::optional<std::int64_t> retention;
  std::optional<StorageDescriptor> storage_descriptor;
  std::optional<std::vector<Column>> partition_keys;
  std::optional<std::string> view_original_text;
  std::optional<std::string> view_expanded_text;
  std::optional<std::string> table_type;
  std::optional<Parameters> parameters;
  std::optional<TargetIdentifier> target_table;
  // Response only: never part of a TableInput.
  std::optional<double> create_time;
  std::optional<double> update_time;
  std::optional<std::string> created_by;
  std::optional<bool> registered_with_lake_formation;
  std::optional<std::string> catalog_id;
  std::optional<std::string> version_id;
  std::optional<bool> is_multi_dialect_view;
  UnknownFields unknown;  // ViewDefinition, FederatedTable, Status, …
  bool operator==(const Table&) const = default;

  // The value of table parameter `key`; nullptr if absent.
  const std::string* Parameter(const std::string& key) const;
};

struct TableVersion {
  Table table;
  std::string version_id;
  bool operator==(const TableVersion&) const = default;
};

struct Partition {
  std::vector<std::string> values;
  std::optional<double> creation_time;  // response only
  std::optional<double> last_access_time;
  std::optional<StorageDescriptor> storage_descriptor;
  std::optional<Parameters> parameters;
  std::optional<double> last_analyzed_time;
  UnknownFields unknown;
  bool operator==(const Partition&) const = default;
};

struct PartitionIndex {
  std::string index_name;
  std::vector<std::string> keys;      // names of partition keys, in their order
  std::optional<std::string> status;  // response only: CREATING, ACTIVE, DELETING or FAILED
  bool operator==(const PartitionIndex&) const = default;
};

struct ResourceUri {
  std::string resource_type;  // JAR | FILE | ARCHIVE
  std::string uri;
  bool operator==(const ResourceUri&) const = default;
};

struct UserDefinedFunction {
  std::string function_name;
  std::optional<std::string> class_name;
  std::optional<std::string> owner_name;
  std::optional<std::string> owner_type;
  std::vector<ResourceUri> resource_uris;
  UnknownFields unknown;
  bool operator==(const UserDefinedFunction&) const = default;
};

// Statistics of one column; the type-specific part stays JSON ("LongColumnStatisticsData": {…}).
struct ColumnStatistics {
  std::string column_name;
  std::string column_type;
  double analyzed_time = 0;     // seconds since the epoch
  std::string statistics_data;  // raw JSON of StatisticsData
  bool operator==(const ColumnStatistics&) const = default;
};

}  // namespace gluecat::glue
