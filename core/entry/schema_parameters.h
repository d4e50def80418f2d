// The schema of a table as Spark keeps it in table parameters
// (spark.sql.sources.schema and its neighbours), and its statistics.
//
// Readers fail with kInvalidData, naming the parameter that is missing or
// cannot be understood. Writers remove what an earlier form left behind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/entry/description.h"
#include "core/glue/model.h"
#include "core/types/data_type.h"

namespace gluecat::entry {

// The schema, from one parameter or from its parts; nullopt if there is neither.
// Parts that are left beside a single parameter are ignored, as Spark does.
Result<std::optional<types::StructType>> ReadSchema(const glue::Parameters& parameters);

// One parameter if the JSON has at most 4000 characters (UTF-16 units, the
// default of spark.sql.sources.schemaStringLengthThreshold), else parts of that.
void WriteSchema(const types::StructType& schema, glue::Parameters& parameters);

// Names of the partition columns, in the case they were created with; nullopt
// if the parameters say nothing.
Result<std::optional<std::vector<std::string>>> ReadPartitionColumns(
    const glue::Parameters& parameters);
void WritePartitionColumns(const std::vector<std::string>& columns, glue::Parameters& parameters);

Result<std::optional<Bucketing>> ReadBucketing(const glue::Parameters& parameters);
void WriteBucketing(const std::optional<Bucketing>& bucketing, glue::Parameters& parameters);

// Spark's statistics; else, if `hive_too`, those that Hive keeps, with Spark's
// rules (HiveClientImpl.readHiveStats). Numbers that are none are ignored.
std::optional<Statistics> ReadStatistics(const glue::Parameters& parameters, bool hive_too);

// Replaces all of Spark's statistics, those of columns included: they describe
// the table as it was.
void WriteStatistics(const std::optional<Statistics>& statistics, glue::Parameters& parameters);

// `schema` with the partition columns at its end, in the order of
// `partition_columns`. Errors: kInvalidData naming a column that is not there.
Result<types::StructType> PartitionColumnsLast(types::StructType schema,
                                               const std::vector<std::string>& partition_columns);

}  // namespace gluecat::entry
