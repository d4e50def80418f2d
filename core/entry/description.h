// What a Glue entry means to Spark, and what Spark asks an entry to become.
//
// A TableDescription is the one answer to "what is this entry": who wrote it,
// which reader it needs, its schema, its location. A TableSpec is what a new
// table should be; a TableChange what an existing one should become. None of
// them is tied to a Spark version. docs/waist.md has their JSON forms.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/glue/model.h"
#include "core/types/data_type.h"

namespace gluecat::entry {

enum class TableKind : std::uint8_t {
  kDelta,
  kDataSource,  // Spark data source table: Parquet, ORC, CSV, JSON, Avro, text
  kIceberg,
  kHudi,
  kHiveSerDe,  // no Spark provider: crawlers, Athena, Trino, Hive; see serde_reader.h
  kView,
  kResourceLink,
  kUnsupported,  // `reason` says why
};

// "data_source", as in docs/waist.md.
std::string_view TableKindName(TableKind kind);

struct Bucketing {
  std::int64_t count = 0;
  std::vector<std::string> columns;
  std::vector<std::string> sort_columns;
  bool operator==(const Bucketing&) const = default;
};

struct Statistics {
  std::int64_t size_in_bytes = 0;
  std::optional<std::int64_t> row_count;
  // Of columns, as Spark's CatalogColumnStat writes them: "<column>.distinctCount" and so on.
  glue::Parameters columns = {};
  bool operator==(const Statistics&) const = default;
};

// Partitions that are computed from table properties (Athena's partition projection) in place of
// those that Glue holds; core/prune/projection.h lists them.
struct Projection {
  glue::Parameters parameters;  // projection.* and storage.location.template
  std::string location;         // of the table
  bool operator==(const Projection&) const = default;
};

// What of a table's or a partition's entry says how its files are read.
struct FileFormat {
  std::optional<std::string> input_format;
  std::optional<std::string> output_format;
  std::optional<std::string> serialization_library;
  glue::Parameters serde_parameters;
  auto operator<=>(const FileFormat&) const = default;
};

// The format of a table, which its partitions may share or not (partition_reader.h).
struct TableFormat {
  std::string provider;  // of a Spark data source; empty for tables of Hive
  FileFormat files;
  glue::Parameters parameters;  // of the table, without Spark's own
  // Its name, for messages of readers.
  std::string database = {};
  std::string table = {};
  bool operator==(const TableFormat&) const = default;
};

struct TableDescription {
  std::string name;
  TableKind kind = TableKind::kUnsupported;
  // Empty unless the table cannot be used, or not all of its entry could be.
  std::string reason;
  // A short name in lower case, or a class name as it is; empty if the kind has none. For
  // kHiveSerDe the reader of its files, if there is one.
  std::string provider;
  // Why a table that can be read takes no rows, to follow its name; empty if it does.
  std::string read_only;
  bool managed = false;
  types::StructType schema;  // partition columns last
  // Of Delta tables: the schema is the one that Spark's parameters hold, not what the columns show.
  bool schema_stored = false;
  std::vector<std::string> partition_columns;
  std::optional<Bucketing> bucketing;
  bool partitions_tracked = false;
  // Its directories hold manifests, which name the files that are its data; see serde_reader.h.
  bool files_in_manifests = false;
  std::optional<Projection> projection;
  // Of tables of files whose partitions are in Glue.
  std::optional<TableFormat> format;
  std::optional<std::string> location;
  glue::Parameters options;
  glue::Parameters properties;
  std::optional<std::string> comment;
  std::optional<std::string> owner;
  std::optional<std::int64_t> created_ms;
  std::optional<std::string> create_version;
  std::optional<Statistics> statistics;
  std::optional<std::string> version_id;
};

struct TableSpec {
  std::string provider;
  types::StructType schema;
  std::vector<std::string> partition_columns;
  std::optional<Bucketing> bucketing;
  std::optional<std::string> location;
  bool managed = false;
  glue::Parameters options;
  glue::Parameters properties;
  std::optional<std::string> comment;
  std::optional<std::string> owner;
  bool partitions_tracked = true;
};

// Where a column goes: first in its struct, or after a sibling.
struct ColumnPosition {
  bool first = false;
  std::string after;  // used if not `first`
};

using ColumnPath = std::vector<std::string>;  // top-level name, then nested field names

struct SetProperty {
  std::string key, value;
};
struct RemoveProperty {
  std::string key;
};
struct SetComment {
  std::optional<std::string> comment;
};
struct SetOwner {
  std::string owner;
};
struct SetLocation {
  std::string location;
};
struct SetSchema {
  types::StructType schema;
  std::vector<std::string> partition_columns;
};
// A Parquet table whose files a Delta log describes from now on: the entry becomes one of a Delta
// table. Of a Delta table, the same as SetSchema, so that a conversion can be repeated.
struct ConvertToDelta {
  types::StructType schema;
  std::vector<std::string> partition_columns;
};
struct SetOption {
  std::string key, value;
};
struct RemoveOption {
  std::string key;
};
struct SetStatistics {
  std::optional<Statistics> statistics;
  bool keep_other_columns = false;  // those of columns that `statistics` does not name stay
};
struct AddColumn {
  ColumnPath path;
  types::DataType type;
  bool nullable = true;
  std::optional<std::string> comment;
  std::optional<std::string> default_value;  // SQL text
  std::optional<ColumnPosition> position;
};
struct DeleteColumn {
  ColumnPath path;
  bool if_exists = false;
};
struct RenameColumn {
  ColumnPath path;
  std::string to;
};
struct UpdateColumnType {
  ColumnPath path;
  types::DataType type;
};
struct UpdateColumnNullability {
  ColumnPath path;
  bool nullable = true;
};
struct UpdateColumnComment {
  ColumnPath path;
  std::optional<std::string> comment;
};
struct UpdateColumnPosition {
  ColumnPath path;
  ColumnPosition position;
};

using TableChange =
    std::variant<SetProperty, RemoveProperty, SetComment, SetOwner, SetLocation, SetSchema,
                 ConvertToDelta, SetOption, RemoveOption, SetStatistics, AddColumn, DeleteColumn,
                 RenameColumn, UpdateColumnType, UpdateColumnNullability, UpdateColumnComment,
                 UpdateColumnPosition>;

// Reads an entry. Never fails: what cannot be understood becomes kUnsupported
// with a reason that names the table, the field and its text. Kinds that no reader
// here reads yet keep their kind, and have a reason as well.
TableDescription DescribeTable(const glue::Table& table);

// The kind alone, from what a GetTables answer holds; cheap and total.
TableKind KindOf(const glue::Table& table);

// Who is writing: recorded in new entries.
struct WriterInfo {
  std::string spark_version;     // spark.sql.create.version
  std::int64_t now_seconds = 0;  // transient_lastDdlTime
};

// The entry of a new table. `spec.location` must be set.
// Errors: kInvalidArgument (a name, type, comment or property that Glue cannot
// hold, or a reserved property), naming it; kUnsupported for providers whose
// tables only their own catalog can create.
Result<glue::Table> BuildTable(std::string_view name, const TableSpec& spec,
                               const WriterInfo& writer);

// Applies `changes` in order to `table`, keeping every foreign parameter and
// unknown field. `table` is unspecified after an error.
// Errors: kInvalidArgument (unknown column, reserved property, …),
// kUnsupported (a change this kind of table cannot take).
Status ApplyChanges(glue::Table& table, const std::vector<TableChange>& changes,
                    const WriterInfo& writer);

// JSON forms of docs/waist.md. Parsers reject unknown members.
void WriteDescription(const TableDescription& description, JsonWriter& writer);  // members only
Result<TableSpec> ParseTableSpec(JsonView json);
Result<Statistics> ParseStatistics(JsonView json);
Result<std::vector<TableChange>> ParseTableChanges(JsonView json);

}  // namespace gluecat::entry
