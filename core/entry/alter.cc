#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/entry/build.h"
#include "core/entry/column_rules.h"
#include "core/entry/description.h"
#include "core/entry/keys.h"
#include "core/entry/layout.h"
#include "core/entry/limits.h"
#include "core/entry/recognize.h"
#include "core/entry/schema_parameters.h"

namespace gluecat::entry {
namespace {

using types::StructField;
using types::StructType;

// The schema of the entry, while it is changed.
struct SchemaState {
  StructType before;
  StructType schema;  // partition columns last
  std::vector<std::string> partition_columns;

  std::size_t DataColumns() const { return schema.fields.size() - partition_columns.size(); }
};

glue::Column* FindColumn(std::vector<glue::Column>& columns, std::string_view name) {
  const auto found = std::ranges::find_if(
      columns, [&](const glue::Column& column) { return EqualsIgnoreCase(column.name, name); });
  return found == columns.end() ? nullptr : &*found;
}

bool SameGlueType(const std::optional<std::string>& a, const std::optional<std::string>& b) {
  if (a == b) return true;
  if (!a || !b) return false;
  const auto first = types::ParseGlueType(*a);
  const auto second = types::ParseGlueType(*b);
  return first && second && *first == *second;
}

class Alteration {
 public:
  Alteration(glue::Table& table, const WriterInfo& writer)
      : table_(table), writer_(writer), recognized_(Recognize(table)) {}

  Status ApplyAll(const std::vector<TableChange>& changes) {
    if (recognized_.kind == TableKind::kResourceLink) {
      return Unsupported("is changed where it points to, not through the link");
    }
    if (table_.is_multi_dialect_view.value_or(false)) {
      return Unsupported("is a multi-dialect view, which only its own statements can change");
    }
    for (const auto& change : changes) {
      GLUECAT_RETURN_IF_ERROR(
          std::visit([this](const auto& one) { return this->Apply(one); }, change));
    }
    return WriteBackSchema();
  }

 private:
  // --- The table ---------------------------------------------------------------

  Status Apply(const SetProperty& change) {
    if (change.key == kComment) return Apply(SetComment{change.value});
    GLUECAT_RETURN_IF_ERROR(CheckNotView(change.key));
    GLUECAT_RETURN_IF_ERROR(CheckProperty(change.key, change.value));
    Set(Parameters(), change.key, change.value);
    return {};
  }

  Status Apply(const RemoveProperty& change) {
    if (change.key == kComment) return Apply(SetComment{});
    GLUECAT_RETURN_IF_ERROR(CheckNotView(change.key));
    GLUECAT_RETURN_IF_ERROR(CheckProperty(change.key, ""));
    if (table_.parameters) Erase(*table_.parameters, change.key);
    return {};
  }

  Status Apply(const SetComment& change) {
    if (change.comment) {
      GLUECAT_RETURN_IF_ERROR(CheckParameter("table property", kComment, *change.comment));
    }
    const std::string wanted = change.comment.value_or("");
    if (TableComment(table_).value_or("") == wanted) return {};
    SetTableComment(change.comment, recognized_.kind, table_);
    return {};
  }

  Status Apply(const SetOwner& change) {
    GLUECAT_RETURN_IF_ERROR(CheckName("owner", change.owner));
    table_.owner = change.owner;
    return {};
  }

  Status Apply(const SetLocation& change) {
    GLUECAT_RETURN_IF_ERROR(CheckLocation(change.location));
    switch (recognized_.kind) {
      case TableKind::kDataSource:
      case TableKind::kDelta:
        if (ProviderLocation(table_) == change.location) return {};
        SetProviderLocation(change.location, Descriptor());
        return {};
      case TableKind::kHiveSerDe:
        Descriptor().location = change.location;
        return {};
      default:
        return Unsupported("has no location that could be set");
    }
  }

  Status Apply(const SetOption& change) {
    GLUECAT_RETURN_IF_ERROR(CheckHasOptions());
    GLUECAT_RETURN_IF_ERROR(CheckOption(change.key, change.value));
    auto& descriptor = Descriptor();
    if (!descriptor.serde_info) descriptor.serde_info.emplace();
    Set(descriptor.serde_info->parameters, change.key, change.value);
    return {};
  }

  Status Apply(const RemoveOption& change) {
    GLUECAT_RETURN_IF_ERROR(CheckHasOptions());
    GLUECAT_RETURN_IF_ERROR(CheckOption(change.key, ""));
    auto& descriptor = Descriptor();
    if (descriptor.serde_info) Erase(descriptor.serde_info->parameters, change.key);
    return {};
  }

  Status Apply(const SetStatistics& change) {
    if (recognized_.kind != TableKind::kDataSource && recognized_.kind != TableKind::kHiveSerDe) {
      return Unsupported("keeps its statistics elsewhere, not in Glue");
    }
    if (change.statistics &&
        (change.statistics->size_in_bytes < 0 || change.statistics->row_count.value_or(0) < 0)) {
      return Fail(ErrorKind::kInvalidArgument, "statistics cannot be negative");
    }
    WriteStatistics(change.statistics, Parameters());
    return {};
  }

  // --- Columns -------------------------------------------------------------------

  Status Apply(const SetSchema& change) {
    if (recognized_.kind != TableKind::kDataSource && recognized_.kind != TableKind::kDelta) {
      return ColumnsUnsupported();
    }
    GLUECAT_RETURN_IF_ERROR(CheckColumns(change.schema));
    if (!schema_) {
      // What was there cannot always be read; it is replaced all the same.
      if (auto loaded = LoadSchema()) {
        schema_ = *std::move(loaded);
      } else {
        schema_.emplace();
      }
    }
    GLUECAT_ASSIGN_OR_RETURN(
        schema_->partition_columns,
        ResolveNames(change.schema, change.partition_columns, "partition column"));
    GLUECAT_ASSIGN_OR_RETURN(schema_->schema,
                             PartitionColumnsLast(StoredSchema(change.schema, recognized_.provider),
                                                  schema_->partition_columns));
    DropStaleColumnStatistics();
    schema_replaced_ = true;
    return {};
  }

  Status Apply(const AddColumn& change) {
    return ChangeColumns([&](SchemaState& state) {
      return entry::Apply(change, Fixed(state), state.DataColumns(), state.schema);
    });
  }

  Status Apply(const DeleteColumn& change) {
    return ChangeColumns([&](SchemaState& state) -> Status {
      const auto in_use = InUse(change.path);
      if (!in_use.empty()) return Refuse(change.path, in_use, "dropped");
      if (change.path.size() == 1 && state.DataColumns() == 1 &&
          state.schema.Find(change.path.front()) == std::size_t{0}) {
        return Refuse(change.path, "the only data column", "dropped");
      }
      return entry::Apply(change, Fixed(state), state.schema);
    });
  }

  Status Apply(const RenameColumn& change) {
    return ChangeColumns([&](SchemaState& state) -> Status {
      const auto in_use = InUse(change.path);
      if (!in_use.empty()) return Refuse(change.path, in_use, "renamed");
      const StructType old = state.schema;
      GLUECAT_RETURN_IF_ERROR(entry::Apply(change, Fixed(state), state.schema));
      for (std::size_t i = 0; i < old.fields.size(); ++i) {
        if (state.schema.fields[i].name != old.fields[i].name) {
          FollowRename(old.fields[i].name, state.schema.fields[i].name);
        }
      }
      return {};
    });
  }

  Status Apply(const UpdateColumnType& change) {
    return ChangeColumns([&](SchemaState& state) -> Status {
      const auto in_use = InUse(change.path);
      if (!in_use.empty()) return Refuse(change.path, in_use, "given another type");
      return entry::Apply(change, Fixed(state), state.schema);
    });
  }

  Status Apply(const UpdateColumnNullability& change) {
    if (recognized_.kind == TableKind::kDataSource && !change.nullable &&
        IsFileProvider(recognized_.provider)) {
      return Unsupported("cannot promise that a column has no nulls: its files may hold them");
    }
    return ChangeColumns([&](SchemaState& state) { return entry::Apply(change, state.schema); });
  }

  Status Apply(const UpdateColumnComment& change) {
    return ChangeColumns([&](SchemaState& state) { return entry::Apply(change, state.schema); });
  }

  Status Apply(const UpdateColumnPosition& change) {
    return ChangeColumns([&](SchemaState& state) {
      return entry::Apply(change, Fixed(state), state.DataColumns(), state.schema);
    });
  }

  template <typename Change>
  Status ChangeColumns(Change change) {
    if (recognized_.kind != TableKind::kDataSource) return ColumnsUnsupported();
    if (!schema_) {
      GLUECAT_ASSIGN_OR_RETURN(schema_, LoadSchema());
    }
    GLUECAT_RETURN_IF_ERROR(change(*schema_));
    schema_->schema = StoredSchema(std::move(schema_->schema), recognized_.provider);
    DropStaleColumnStatistics();
    return {};
  }

  static FixedColumns Fixed(const SchemaState& state) {
    FixedColumns fixed;
    for (const auto& name : state.partition_columns) fixed.push_back({name, "a partition column"});
    return fixed;
  }

  // What the rows of the files are arranged by: changing it would make them wrong.
  std::string_view InUse(const ColumnPath& path) const {
    const auto bucketing = ReadBucketing(ParametersOf(table_));
    if (path.empty() || !bucketing || !*bucketing) return {};
    const auto has = [&](const std::vector<std::string>& names) {
      return std::ranges::any_of(
          names, [&](const auto& name) { return EqualsIgnoreCase(name, path.front()); });
    };
    if (has((*bucketing)->columns)) return "a bucketing column";
    if (has((*bucketing)->sort_columns)) return "a column that buckets are sorted by";
    return {};
  }

  static Status Refuse(const ColumnPath& path, std::string_view what, std::string_view change) {
    return Fail(ErrorKind::kInvalidArgument, "column '" + Join(path, ".") + "' is " +
                                                 std::string(what) + ": it cannot be " +
                                                 std::string(change));
  }

  // The schema in full: an entry that only shows it in part is not changed.
  Result<SchemaState> LoadSchema() const {
    TableDescription description = DescribeTable(table_);
    SchemaState state;
    auto stored = ReadSchema(ParametersOf(table_));
    if (!stored) return Fail(stored.error());
    if (description.kind == TableKind::kUnsupported) {
      return Fail(ErrorKind::kInvalidData, description.reason);
    }
    state.partition_columns = std::move(description.partition_columns);
    if (*stored && !(*stored)->fields.empty()) {
      // Not the description's: that has comments in it that only Glue knows.
      state.schema.fields = std::move(description.schema.fields);
      for (auto& field : state.schema.fields) {
        const auto at = (*stored)->Find(field.name, true);
        if (at) field = (*stored)->fields[*at];
      }
    } else {
      state.schema = std::move(description.schema);
    }
    if (state.schema.fields.empty()) {
      return Fail(ErrorKind::kUnsupported,
                  TableLabel(table_) + " has no columns in Glue: Spark reads them from its files");
    }
    state.before = state.schema;
    return state;
  }

  // The Glue column, too, is renamed, and not replaced by a new one.
  void FollowRename(const std::string& from, const std::string& to) {
    if (table_.parameters) EraseColumnStatistics(from);
    if (table_.storage_descriptor && table_.storage_descriptor->columns &&
        !IsSparkSpecific(*table_.storage_descriptor)) {
      if (auto* column = FindColumn(*table_.storage_descriptor->columns, from)) {
        column->name = ToLowerAscii(to);
      }
    }
    if (const auto at = schema_->before.Find(from, true)) schema_->before.fields[*at].name = to;
    renamed_ = true;
  }

  void EraseColumnStatistics(const std::string& name) {
    ErasePrefix(*table_.parameters, std::string(kColumnStatisticsPrefix) + name + ".");
  }

  void DropStaleColumnStatistics() {
    if (!table_.parameters) return;
    for (const auto& field : schema_->before.fields) {
      const auto at = schema_->schema.Find(field.name, true);
      if (at && schema_->schema.fields[*at].type == field.type) continue;
      EraseColumnStatistics(field.name);
    }
  }

  // --- Writing back ----------------------------------------------------------------

  Status WriteBackSchema() {
    if (!schema_) return {};
    if (!schema_replaced_ && !renamed_ && schema_->schema == schema_->before) return {};
    const glue::Table before = table_;
    GLUECAT_RETURN_IF_ERROR(WriteColumns());
    if (!(table_ == before) && writer_.now_seconds > 0) {
      Set(Parameters(), kLastDdlTime, std::to_string(writer_.now_seconds));
    }
    return {};
  }

  Status WriteColumns() {
    const bool repair = recognized_.kind == TableKind::kDelta && IsSparkSpecific(Descriptor());
    GLUECAT_RETURN_IF_ERROR(CheckColumns(schema_->schema));
    WriteSchemaParameters();
    const auto& fields = schema_->schema.fields;
    const auto split = fields.begin() + static_cast<std::ptrdiff_t>(schema_->DataColumns());
    const std::vector<StructField> data(fields.begin(), split);
    const std::vector<StructField> partition(split, fields.end());
    if (recognized_.kind == TableKind::kDelta) {
      WriteDeltaColumns(data, partition, repair);
      return {};
    }
    GLUECAT_ASSIGN_OR_RETURN(auto keys, PartitionKeys(partition));
    if (table_.partition_keys || !keys.empty()) {
      if (!table_.partition_keys) table_.partition_keys.emplace();
      MergeInto(*table_.partition_keys, std::move(keys));
    }
    WriteDataColumns(data);
    return {};
  }

  void WriteSchemaParameters() {
    auto& parameters = Parameters();
    const auto stored = ReadSchema(parameters);
    // Written by another version of Spark in another form, it stays as it is.
    if (!stored || !*stored || !(**stored == schema_->schema)) {
      WriteSchema(schema_->schema, parameters);
    }
    const auto names = ReadPartitionColumns(parameters);
    const bool same =
        names && names->value_or(std::vector<std::string>{}) == schema_->partition_columns;
    if (!same) WritePartitionColumns(schema_->partition_columns, parameters);
    if (recognized_.kind == TableKind::kDelta && Find(parameters, kProvider) == nullptr) {
      // So that Spark's own catalogs, too, read the schema just written.
      Set(parameters, kProvider, "delta");
    }
    if (recognized_.kind == TableKind::kDataSource) {
      if (!schema_->partition_columns.empty() && Find(parameters, kPartitionProvider) == nullptr) {
        Set(parameters, kPartitionProvider, "catalog");
      }
      DropStaleBucketing();
    }
  }

  // A replaced schema may be without the columns that the old one was bucketed by.
  void DropStaleBucketing() {
    const auto bucketing = ReadBucketing(Parameters());
    if (!bucketing || !*bucketing) return;
    const StructType& schema = schema_->schema;
    const auto missing = [&](const std::string& name) { return !schema.Find(name); };
    if (std::ranges::any_of((*bucketing)->columns, missing) ||
        std::ranges::any_of((*bucketing)->sort_columns, missing)) {
      WriteBucketing(std::nullopt, Parameters());
    }
  }

  void WriteDataColumns(const std::vector<StructField>& data) {
    auto& descriptor = Descriptor();
    if (IsSparkSpecific(descriptor)) return;
    auto real = RealColumns(recognized_.provider, data);
    if (real) {
      if (!descriptor.columns) descriptor.columns.emplace();
      MergeInto(*descriptor.columns, *std::move(real));
      return;
    }
    SetFormats(SparkSpecificFormats(), descriptor);
    descriptor.columns = SparkSpecificColumns();
  }

  // All columns in one list, unless their writer had keys apart.
  void WriteDeltaColumns(const std::vector<StructField>& data,
                         const std::vector<StructField>& partition, bool repair) {
    auto& descriptor = Descriptor();
    const bool keys_apart = !repair && table_.partition_keys && !table_.partition_keys->empty();
    std::vector<StructField> fields = data;
    if (keys_apart) {
      MergeInto(*table_.partition_keys, ApproximateColumns(partition));
    } else {
      fields.insert(fields.end(), partition.begin(), partition.end());
      if (table_.partition_keys) table_.partition_keys->clear();
    }
    if (!descriptor.columns || repair) descriptor.columns.emplace();
    MergeInto(*descriptor.columns, ApproximateColumns(fields));
    if (!repair) return;
    // Spark's form, which no other engine reads, becomes ours.
    SetFormats(DeltaFormats(), descriptor);
    if (const auto location = ProviderLocation(table_)) SetProviderLocation(*location, descriptor);
    Set(Parameters(), kTableType, "DELTA");
  }

  // Makes `columns` what `wanted` says, keeping everything of a column that
  // stays but what the schema change is about.
  void MergeInto(std::vector<glue::Column>& columns, std::vector<glue::Column> wanted) const {
    for (auto& column : wanted) {
      const auto* old = FindColumn(columns, column.name);
      if (old == nullptr) continue;
      glue::Column merged = *old;
      if (!SameGlueType(old->type, column.type)) merged.type = column.type;
      const auto was = schema_->before.Find(column.name);
      const auto now = schema_->schema.Find(column.name);
      const auto comment_before =
          was ? schema_->before.fields[*was].Comment() : std::optional<std::string>();
      const auto comment_now =
          now ? schema_->schema.fields[*now].Comment() : std::optional<std::string>();
      if (comment_before != comment_now) merged.comment = column.comment;
      column = std::move(merged);
    }
    columns = std::move(wanted);
  }

  // --- Small things ------------------------------------------------------------------

  glue::Parameters& Parameters() {
    if (!table_.parameters) table_.parameters.emplace();
    return *table_.parameters;
  }

  glue::StorageDescriptor& Descriptor() {
    if (!table_.storage_descriptor) table_.storage_descriptor.emplace();
    return *table_.storage_descriptor;
  }

  Status CheckNotView(std::string_view key) const {
    if (recognized_.kind != TableKind::kView || !key.starts_with(kViewPrefix)) return {};
    return Fail(ErrorKind::kInvalidArgument,
                "view property '" + std::string(key) + "' is part of the view's definition");
  }

  Status CheckHasOptions() const {
    if (recognized_.kind == TableKind::kDataSource || recognized_.kind == TableKind::kHiveSerDe) {
      return {};
    }
    return Unsupported("has no options");
  }

  Status ColumnsUnsupported() const {
    switch (recognized_.kind) {
      case TableKind::kDelta:
        return Unsupported("keeps its columns in the Delta log: they are changed there");
      case TableKind::kIceberg:
      case TableKind::kHudi:
        return Unsupported("is of format " + recognized_.provider +
                           ": its columns are changed by that format's own catalog");
      case TableKind::kView:
        return Unsupported("is a view: its columns are those of its query");
      case TableKind::kHiveSerDe:
        return Unsupported(
            "is a Hive table without a Spark provider: its columns cannot be "
            "changed through Spark");
      default:
        return Unsupported("cannot be changed: " + recognized_.reason);
    }
  }

  Status Unsupported(const std::string& why) const {
    return Fail(ErrorKind::kUnsupported, TableLabel(table_) + " " + why);
  }

  glue::Table& table_;
  const WriterInfo& writer_;
  const Recognized recognized_;
  std::optional<SchemaState> schema_;
  bool schema_replaced_ = false;
  bool renamed_ = false;
};

}  // namespace

Status ApplyChanges(glue::Table& table, const std::vector<TableChange>& changes,
                    const WriterInfo& writer) {
  return Alteration(table, writer).ApplyAll(changes);
}

}  // namespace gluecat::entry
