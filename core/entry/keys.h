// The parameters that carry the entry format: Spark's own names
// (org.apache.spark.sql.hive.HiveExternalCatalog), Hive's, and one of gluecat.
#pragma once

#include <string>
#include <string_view>

#include "core/glue/model.h"

namespace gluecat::entry {

inline constexpr std::string_view kSparkPrefix = "spark.sql.";
inline constexpr std::string_view kStatisticsPrefix = "spark.sql.statistics.";
inline constexpr std::string_view kColumnStatisticsPrefix = "spark.sql.statistics.colStats.";
inline constexpr std::string_view kViewPrefix = "view.";

inline constexpr std::string_view kProvider = "spark.sql.sources.provider";
inline constexpr std::string_view kSchema = "spark.sql.sources.schema";
inline constexpr std::string_view kSchemaNumParts = "spark.sql.sources.schema.numParts";
inline constexpr std::string_view kSchemaPart = "spark.sql.sources.schema.part.";
inline constexpr std::string_view kNumPartitionColumns = "spark.sql.sources.schema.numPartCols";
inline constexpr std::string_view kPartitionColumn = "spark.sql.sources.schema.partCol.";
inline constexpr std::string_view kNumBuckets = "spark.sql.sources.schema.numBuckets";
inline constexpr std::string_view kNumBucketColumns = "spark.sql.sources.schema.numBucketCols";
inline constexpr std::string_view kBucketColumn = "spark.sql.sources.schema.bucketCol.";
inline constexpr std::string_view kNumSortColumns = "spark.sql.sources.schema.numSortCols";
inline constexpr std::string_view kSortColumn = "spark.sql.sources.schema.sortCol.";
inline constexpr std::string_view kPartitionProvider = "spark.sql.partitionProvider";
inline constexpr std::string_view kCreateVersion = "spark.sql.create.version";
inline constexpr std::string_view kStatisticsSize = "spark.sql.statistics.totalSize";
inline constexpr std::string_view kStatisticsRows = "spark.sql.statistics.numRows";

inline constexpr std::string_view kExternal = "EXTERNAL";
inline constexpr std::string_view kTableType = "table_type";
inline constexpr std::string_view kLastDdlTime = "transient_lastDdlTime";
inline constexpr std::string_view kComment = "comment";
inline constexpr std::string_view kStorageHandler = "storage_handler";
inline constexpr std::string_view kPrestoView = "presto_view";
// Athena's partition projection.
inline constexpr std::string_view kProjectionPrefix = "projection.";
inline constexpr std::string_view kProjectionEnabled = "projection.enabled";
inline constexpr std::string_view kLocationTemplate = "storage.location.template";

// "true" in an entry whose location the catalog chose. Entries are of type
// EXTERNAL_TABLE all the same, so that no other engine deletes data on DROP.
inline constexpr std::string_view kManaged = "gluecat.managed";

// SerDe parameters. Spark compares `path` without case.
inline constexpr std::string_view kPath = "path";
inline constexpr std::string_view kSerializationFormat = "serialization.format";

// The end of the location that Spark gives external tables whose real location
// is the SerDe parameter `path`.
inline constexpr std::string_view kPlaceholderSuffix = "-__PLACEHOLDER__";

// The comment that Hive and Spark give to columns that come from the data and
// not from the catalog.
inline constexpr std::string_view kFromDeserializer = "from deserializer";

// The value of `key`; nullptr if absent.
const std::string* Find(const glue::Parameters& parameters, std::string_view key);

// The same, with the key compared without case.
const std::string* FindIgnoreCase(const glue::Parameters& parameters, std::string_view key);

// True if parameter `key` is there and equals `value`, ignoring the value's case.
bool Is(const glue::Parameters& parameters, std::string_view key, std::string_view value);

void Set(glue::Parameters& parameters, std::string_view key, std::string value);
void Erase(glue::Parameters& parameters, std::string_view key);
void ErasePrefix(glue::Parameters& parameters, std::string_view prefix);

// Removes the statistics that Hive, and Trino and Athena like it, keep in parameters.
void EraseHiveStatistics(glue::Parameters& parameters);

// True for properties users can neither set nor remove: the entry format.
bool IsReservedProperty(std::string_view key);

// True for parameters that are not the user's own properties: reserved ones,
// the comment, and the statistics Hive keeps (HiveStatisticsProperties of
// Spark's HiveClientImpl).
bool IsFormatParameter(std::string_view key);

}  // namespace gluecat::entry
