// How a table looks in Glue: its columns and storage formats.
//
// Three forms. Hive-compatible: real columns and formats, for providers that
// Hive has a SerDe for and types that Glue can hold. Spark-specific: one column
// "col array<string>" and formats that nobody reads, as Spark's Hive catalog
// writes them; the schema is in the parameters only. Delta: real columns, the
// closest types, partition columns among them, because the readers of Delta
// tables take partitions from the log and not from Glue.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/glue/model.h"
#include "core/types/data_type.h"

namespace gluecat::entry {

struct Formats {
  std::string_view input;
  std::string_view output;
  std::string_view serde;
};

// Hive's formats for `provider` (lower case), as in Spark's HiveSerDe; nullopt
// if Hive has none.
std::optional<Formats> HiveFormats(std::string_view provider);

// What tells Delta tables and Spark-specific entries apart from files that Hive reads.
Formats DeltaFormats();
Formats SparkSpecificFormats();

void SetFormats(const Formats& formats, glue::StorageDescriptor& descriptor);

// The columns of the Spark-specific form.
std::vector<glue::Column> SparkSpecificColumns();
bool IsSparkSpecific(const glue::StorageDescriptor& descriptor);

// Real columns. timestamp_ntz is written as timestamp where the files of
// `provider` hold it so that a reader of timestamps reads it.
// Errors, naming the first column Glue cannot hold: kInvalidArgument if it fits
// into the Spark-specific form, kLimitExceeded if it is too large for an entry.
Result<std::vector<glue::Column>> RealColumns(std::string_view provider,
                                              const std::vector<types::StructField>& fields);

// The columns of a Delta table. Total.
std::vector<glue::Column> ApproximateColumns(const std::vector<types::StructField>& fields);

// Partition keys: always real, in every form.
// Errors: kInvalidArgument naming a column that cannot be a partition column.
Result<std::vector<glue::Column>> PartitionKeys(const std::vector<types::StructField>& fields);

// `type` with everything in it nullable: what the readers of files can promise.
types::DataType AsNullable(types::DataType type);

// True for providers that are files of rows, whose columns are always nullable.
bool IsFileProvider(std::string_view provider);

}  // namespace gluecat::entry
