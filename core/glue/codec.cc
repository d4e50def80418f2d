#include "core/glue/codec.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/glue/object_reader.h"

namespace gluecat::glue {
namespace {

// Members of a Table answer that TableInput does not have (Glue API: Table and
// TableInput). Known ones of model.h are left out by not being written.
constexpr std::array<std::string_view, 4> kResponseOnlyTableFields = {
    "FederatedTable", "Status", "IsMaterializedView", "IcebergTableMetadata"};

void WriteString(JsonWriter& writer, std::string_view key,
                 const std::optional<std::string>& value) {
  if (value) writer.Member(key, *value);
}

void WriteInt(JsonWriter& writer, std::string_view key, const std::optional<std::int64_t>& value) {
  if (value) writer.Member(key, *value);
}

void WriteDouble(JsonWriter& writer, std::string_view key, const std::optional<double>& value) {
  if (value) writer.Key(key).Double(*value);
}

void WriteMap(JsonWriter& writer, std::string_view key, const Parameters& parameters) {
  writer.Key(key).BeginObject();
  for (const auto& [name, value] : parameters) writer.Member(name, value);
  writer.EndObject();
}

void WriteStrings(JsonWriter& writer, std::string_view key,
                  const std::vector<std::string>& values) {
  writer.Key(key).BeginArray();
  for (const auto& value : values) writer.String(value);
  writer.EndArray();
}

void WriteUnknown(JsonWriter& writer, const UnknownFields& unknown) {
  for (const auto& [key, json] : unknown) writer.Key(key).Raw(json);
}

Result<Column> DecodeColumn(JsonView json) {
  ObjectReader reader(json, "Column");
  Column column;
  column.name = reader.String("Name").value_or("");
  column.type = reader.String("Type");
  column.comment = reader.String("Comment");
  column.parameters = reader.StringMap("Parameters").value_or(Parameters());
  column.unknown = reader.TakeUnknown();
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return column;
}

void EncodeColumns(JsonWriter& writer, std::string_view key, const std::vector<Column>& columns) {
  writer.Key(key).BeginArray();
  for (const Column& column : columns) {
    writer.BeginObject().Member("Name", column.name);
    WriteString(writer, "Type", column.type);
    WriteString(writer, "Comment", column.comment);
    if (!column.parameters.empty()) WriteMap(writer, "Parameters", column.parameters);
    WriteUnknown(writer, column.unknown);
    writer.EndObject();
  }
  writer.EndArray();
}

Result<SerDeInfo> DecodeSerDeInfo(JsonView json) {
  ObjectReader reader(json, "SerdeInfo");
  SerDeInfo serde;
  serde.name = reader.String("Name");
  serde.serialization_library = reader.String("SerializationLibrary");
  serde.parameters = reader.StringMap("Parameters").value_or(Parameters());
  serde.unknown = reader.TakeUnknown();
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return serde;
}

Result<Order> DecodeOrder(JsonView json) {
  ObjectReader reader(json, "Order");
  Order order;
  order.column = reader.String("Column").value_or("");
  order.sort_order = reader.Int("SortOrder").value_or(1);
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return order;
}

Result<TargetIdentifier> DecodeTarget(JsonView json) {
  ObjectReader reader(json, "Target");
  TargetIdentifier target;
  target.catalog_id = reader.String("CatalogId");
  target.database_name = reader.String("DatabaseName");
  target.name = reader.String("Name");
  target.region = reader.String("Region");
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return target;
}

void EncodeTarget(JsonWriter& writer, std::string_view key, const TargetIdentifier& target) {
  writer.Key(key).BeginObject();
  WriteString(writer, "CatalogId", target.catalog_id);
  WriteString(writer, "DatabaseName", target.database_name);
  WriteString(writer, "Name", target.name);
  WriteString(writer, "Region", target.region);
  writer.EndObject();
}

Result<ResourceUri> DecodeResourceUri(JsonView json) {
  ObjectReader reader(json, "ResourceUri");
  ResourceUri resource;
  resource.resource_type = reader.String("ResourceType").value_or("");
  resource.uri = reader.String("Uri").value_or("");
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return resource;
}

}  // namespace

Result<Database> DecodeDatabase(JsonView json) {
  ObjectReader reader(json, "Database");
  Database database;
  database.name = reader.String("Name").value_or("");
  database.description = reader.String("Description");
  database.location_uri = reader.String("LocationUri");
  database.parameters = reader.StringMap("Parameters").value_or(Parameters());
  database.target_database = reader.Nested("TargetDatabase", &DecodeTarget);
  database.catalog_id = reader.String("CatalogId");
  database.create_time = reader.Double("CreateTime");
  database.unknown = reader.TakeUnknown();
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return database;
}

void EncodeDatabaseInput(const Database& database, JsonWriter& writer) {
  writer.BeginObject().Member("Name", database.name);
  WriteString(writer, "Description", database.description);
  WriteString(writer, "LocationUri", database.location_uri);
  if (!database.parameters.empty()) WriteMap(writer, "Parameters", database.parameters);
  if (database.target_database) EncodeTarget(writer, "TargetDatabase", *database.target_database);
  WriteUnknown(writer, database.unknown);
  writer.EndObject();
}

Result<StorageDescriptor> DecodeStorageDescriptor(JsonView json) {
  ObjectReader reader(json, "StorageDescriptor");
  StorageDescriptor descriptor;
  descriptor.columns = reader.NestedList("Columns", &DecodeColumn);
  descriptor.location = reader.String("Location");
  descriptor.input_format = reader.String("InputFormat");
  descriptor.output_format = reader.String("OutputFormat");
  descriptor.compressed = reader.Bool("Compressed");
  descriptor.number_of_buckets = reader.Int("NumberOfBuckets");
  descriptor.serde_info = reader.Nested("SerdeInfo", &DecodeSerDeInfo);
  descriptor.bucket_columns = reader.Strings("BucketColumns");
  descriptor.sort_columns = reader.NestedList("SortColumns", &DecodeOrder);
  descriptor.parameters = reader.StringMap("Parameters");
  descriptor.unknown = reader.TakeUnknown();
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return descriptor;
}

void EncodeStorageDescriptor(const StorageDescriptor& descriptor, JsonWriter& writer) {
  writer.BeginObject();
  if (descriptor.columns) EncodeColumns(writer, "Columns", *descriptor.columns);
  WriteString(writer, "Location", descriptor.location);
  WriteString(writer, "InputFormat", descriptor.input_format);
  WriteString(writer, "OutputFormat", descriptor.output_format);
  if (descriptor.compressed) writer.Member("Compressed", *descriptor.compressed);
  WriteInt(writer, "NumberOfBuckets", descriptor.number_of_buckets);
  if (descriptor.serde_info) {
    const SerDeInfo& serde = *descriptor.serde_info;
    writer.Key("SerdeInfo").BeginObject();
    WriteString(writer, "Name", serde.name);
    WriteString(writer, "SerializationLibrary", serde.serialization_library);
    WriteMap(writer, "Parameters", serde.parameters);
    WriteUnknown(writer, serde.unknown);
    writer.EndObject();
  }
  if (descriptor.bucket_columns) {
    WriteStrings(writer, "BucketColumns", *descriptor.bucket_columns);
  }
  if (descriptor.sort_columns) {
    writer.Key("SortColumns").BeginArray();
    for (const Order& order : *descriptor.sort_columns) {
      writer.BeginObject().Member("Column", order.column).Member("SortOrder", order.sort_order);
      writer.EndObject();
    }
    writer.EndArray();
  }
  if (descriptor.parameters) WriteMap(writer, "Parameters", *descriptor.parameters);
  WriteUnknown(writer, descriptor.unknown);
  writer.EndObject();
}

Result<Table> DecodeTable(JsonView json) {
  ObjectReader reader(json, "Table");
  Table table;
  table.name = reader.String("Name").value_or("");
  table.database_name = reader.String("DatabaseName");
  table.description = reader.String("Description");
  table.owner = reader.String("Owner");
  table.last_access_time = reader.Double("LastAccessTime");
  table.last_analyzed_time = reader.Double("LastAnalyzedTime");
  table.retention = reader.Int("Retention");
  table.storage_descriptor = reader.Nested("StorageDescriptor", &DecodeStorageDescriptor);
  table.partition_keys = reader.NestedList("PartitionKeys", &DecodeColumn);
  table.view_original_text = reader.String("ViewOriginalText");
  table.view_expanded_text = reader.String("ViewExpandedText");
  table.table_type = reader.String("TableType");
  table.parameters = reader.StringMap("Parameters");
  table.target_table = reader.Nested("TargetTable", &DecodeTarget);
  table.create_time = reader.Double("CreateTime");
  table.update_time = reader.Double("UpdateTime");
  table.created_by = reader.String("CreatedBy");
  table.registered_with_lake_formation = reader.Bool("IsRegisteredWithLakeFormation");
  table.catalog_id = reader.String("CatalogId");
  table.version_id = reader.String("VersionId");
  table.is_multi_dialect_view = reader.Bool("IsMultiDialectView");
  table.unknown = reader.TakeUnknown();
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return table;
}

void EncodeTableInput(const Table& table, JsonWriter& writer) {
  writer.BeginObject().Member("Name", table.name);
  WriteString(writer, "Description", table.description);
  WriteString(writer, "Owner", table.owner);
  WriteDouble(writer, "LastAccessTime", table.last_access_time);
  WriteDouble(writer, "LastAnalyzedTime", table.last_analyzed_time);
  WriteInt(writer, "Retention", table.retention);
  if (table.storage_descriptor) {
    writer.Key("StorageDescriptor");
    EncodeStorageDescriptor(*table.storage_descriptor, writer);
  }
  if (table.partition_keys) EncodeColumns(writer, "PartitionKeys", *table.partition_keys);
  WriteString(writer, "ViewOriginalText", table.view_original_text);
  WriteString(writer, "ViewExpandedText", table.view_expanded_text);
  WriteString(writer, "TableType", table.table_type);
  if (table.parameters) WriteMap(writer, "Parameters", *table.parameters);
  if (table.target_table) EncodeTarget(writer, "TargetTable", *table.target_table);
  for (const auto& [key, json] : table.unknown) {
    const bool response_only =
        std::find(kResponseOnlyTableFields.begin(), kResponseOnlyTableFields.end(), key) !=
        kResponseOnlyTableFields.end();
    if (!response_only) writer.Key(key).Raw(json);
  }
  writer.EndObject();
}

std::string EncodeTableInput(const Table& table) {
  JsonWriter writer;
  EncodeTableInput(table, writer);
  return writer.Take();
}

Result<TableVersion> DecodeTableVersion(JsonView json) {
  ObjectReader reader(json, "TableVersion");
  TableVersion version;
  version.table = reader.Nested("Table", &DecodeTable).value_or(Table());
  version.version_id = reader.String("VersionId").value_or("");
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return version;
}

Result<Partition> DecodePartition(JsonView json) {
  ObjectReader reader(json, "Partition");
  Partition partition;
  partition.values = reader.Strings("Values").value_or(std::vector<std::string>());
  partition.creation_time = reader.Double("CreationTime");
  partition.last_access_time = reader.Double("LastAccessTime");
  partition.storage_descriptor = reader.Nested("StorageDescriptor", &DecodeStorageDescriptor);
  partition.parameters = reader.StringMap("Parameters");
  partition.last_analyzed_time = reader.Double("LastAnalyzedTime");
  for (const std::string_view key : {"DatabaseName", "TableName", "CatalogId"}) reader.Ignore(key);
  partition.unknown = reader.TakeUnknown();
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return partition;
}

void EncodePartitionInput(const Partition& partition, JsonWriter& writer) {
  writer.BeginObject();
  WriteStrings(writer, "Values", partition.values);
  WriteDouble(writer, "LastAccessTime", partition.last_access_time);
  WriteDouble(writer, "LastAnalyzedTime", partition.last_analyzed_time);
  if (partition.storage_descriptor) {
    writer.Key("StorageDescriptor");
    EncodeStorageDescriptor(*partition.storage_descriptor, writer);
  }
  if (partition.parameters) WriteMap(writer, "Parameters", *partition.parameters);
  WriteUnknown(writer, partition.unknown);
  writer.EndObject();
}

Result<PartitionIndex> DecodePartitionIndex(JsonView json) {
  ObjectReader reader(json, "PartitionIndex");
  PartitionIndex index;
  index.index_name = reader.String("IndexName").value_or("");
  index.status = reader.String("IndexStatus");
  // Names in a request, objects with a name in an answer.
  for (const JsonView key : reader.Array("Keys").Elements()) {
    const auto name = key.IsObject() ? key["Name"].AsString() : key.AsString();
    if (!name) {
      return Fail(ErrorKind::kInvalidData, "PartitionIndex.Keys is not a list of names");
    }
    index.keys.emplace_back(*name);
  }
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return index;
}

void EncodePartitionIndex(const PartitionIndex& index, JsonWriter& writer) {
  writer.BeginObject();
  WriteStrings(writer, "Keys", index.keys);
  writer.Member("IndexName", index.index_name).EndObject();
}

Result<UserDefinedFunction> DecodeFunction(JsonView json) {
  ObjectReader reader(json, "UserDefinedFunction");
  UserDefinedFunction function;
  function.function_name = reader.String("FunctionName").value_or("");
  function.class_name = reader.String("ClassName");
  function.owner_name = reader.String("OwnerName");
  function.owner_type = reader.String("OwnerType");
  function.resource_uris =
      reader.NestedList("ResourceUris", &DecodeResourceUri).value_or(std::vector<ResourceUri>());
  for (const std::string_view key : {"DatabaseName", "CreateTime", "CatalogId"}) reader.Ignore(key);
  function.unknown = reader.TakeUnknown();
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return function;
}

void EncodeFunctionInput(const UserDefinedFunction& function, JsonWriter& writer) {
  writer.BeginObject().Member("FunctionName", function.function_name);
  WriteString(writer, "ClassName", function.class_name);
  WriteString(writer, "OwnerName", function.owner_name);
  WriteString(writer, "OwnerType", function.owner_type);
  writer.Key("ResourceUris").BeginArray();
  for (const ResourceUri& resource : function.resource_uris) {
    writer.BeginObject().Member("ResourceType", resource.resource_type);
    writer.Member("Uri", resource.uri).EndObject();
  }
  writer.EndArray();
  WriteUnknown(writer, function.unknown);
  writer.EndObject();
}

Result<ColumnStatistics> DecodeColumnStatistics(JsonView json) {
  ObjectReader reader(json, "ColumnStatistics");
  ColumnStatistics statistics;
  statistics.column_name = reader.String("ColumnName").value_or("");
  statistics.column_type = reader.String("ColumnType").value_or("");
  statistics.analyzed_time = reader.Double("AnalyzedTime").value_or(0);
  statistics.statistics_data = reader.Object("StatisticsData").Dump();
  GLUECAT_RETURN_IF_ERROR(reader.status());
  return statistics;
}

void EncodeColumnStatistics(const ColumnStatistics& statistics, JsonWriter& writer) {
  writer.BeginObject().Member("ColumnName", statistics.column_name);
  writer.Member("ColumnType", statistics.column_type);
  writer.Key("AnalyzedTime").Double(statistics.analyzed_time);
  writer.Key("StatisticsData").Raw(statistics.statistics_data).EndObject();
}

}  // namespace gluecat::glue
