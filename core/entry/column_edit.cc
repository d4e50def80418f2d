#include "core/entry/column_edit.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/entry/build.h"
#include "core/entry/column_rules.h"
#include "core/entry/keys.h"
#include "core/entry/layout.h"
#include "core/entry/schema_parameters.h"

namespace gluecat::entry {
namespace {

using types::StructField;
using types::StructType;

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

}  // namespace

// The schema in full: an entry that only shows it in part is not changed.
Status ColumnEdit::Load() {
  if (loaded_) return {};
  auto stored = ReadSchema(ParametersOf(table_));
  if (!stored) return Fail(stored.error());
  TableDescription description = DescribeTable(table_);
  if (description.kind == TableKind::kUnsupported) {
    return Fail(ErrorKind::kInvalidData, description.reason);
  }
  if (description.schema.fields.empty()) {
    return Fail(ErrorKind::kUnsupported,
                TableLabel(table_) + " has no columns in Glue: Spark reads them from its files");
  }
  schema_ = std::move(description.schema);
  if (*stored) {
    // Without the comments that only Glue knows.
    for (auto& field : schema_.fields) {
      if (const auto at = (*stored)->Find(field.name, true)) field = (*stored)->fields[*at];
    }
  }
  partition_columns_ = std::move(description.partition_columns);
  before_ = schema_;
  loaded_ = true;
  return {};
}

void ColumnEdit::Changed(const StructType& old) {
  // No change of a schema renames one column and adds, drops or moves another.
  if (old.fields.size() == schema_.fields.size()) {
    std::vector<std::size_t> renamed;
    for (std::size_t i = 0; i < old.fields.size(); ++i) {
      if (schema_.fields[i].name != old.fields[i].name) renamed.push_back(i);
    }
    if (renamed.size() == 1) {
      FollowRename(old.fields[renamed[0]].name, schema_.fields[renamed[0]].name);
    }
  }
  schema_ = StoredSchema(std::move(schema_), recognized_.provider);
  DropStaleColumnStatistics();
}

Status ColumnEdit::Replace(StructType schema, const std::vector<std::string>& partition_columns) {
  GLUECAT_RETURN_IF_ERROR(CheckColumns(schema));
  GLUECAT_ASSIGN_OR_RETURN(auto names, ResolveNames(schema, partition_columns, "partition column"));
  // A schema that cannot be read is no reason to keep it.
  if (!Load()) before_.fields.clear();
  loaded_ = true;
  GLUECAT_ASSIGN_OR_RETURN(
      schema_, PartitionColumnsLast(StoredSchema(std::move(schema), recognized_.provider), names));
  partition_columns_ = std::move(names);
  DropStaleColumnStatistics();
  replaced_ = true;
  return {};
}

// The Glue column, too, is renamed, and not replaced by a new one.
void ColumnEdit::FollowRename(const std::string& from, const std::string& to) {
  if (table_.parameters) EraseColumnStatistics(from);
  if (table_.storage_descriptor && table_.storage_descriptor->columns &&
      !IsSparkSpecific(*table_.storage_descriptor)) {
    if (auto* column = FindColumn(*table_.storage_descriptor->columns, from)) {
      column->name = ToLowerAscii(to);
    }
  }
  if (const auto at = before_.Find(from, true)) before_.fields[*at].name = to;
  renamed_ = true;
}

void ColumnEdit::EraseColumnStatistics(const std::string& name) {
  ErasePrefix(*table_.parameters, std::string(kColumnStatisticsPrefix) + name + ".");
}

void ColumnEdit::DropStaleColumnStatistics() {
  if (!table_.parameters) return;
  for (const auto& field : before_.fields) {
    const auto at = schema_.Find(field.name, true);
    if (at && schema_.fields[*at].type == field.type) continue;
    EraseColumnStatistics(field.name);
  }
}

Status ColumnEdit::WriteBack(const WriterInfo& writer) {
  if (!replaced_ && !renamed_ && schema_ == before_) return {};
  const glue::Table before = table_;
  GLUECAT_RETURN_IF_ERROR(WriteColumns());
  if (!(table_ == before) && writer.now_seconds > 0) {
    Set(Parameters(), kLastDdlTime, std::to_string(writer.now_seconds));
  }
  return {};
}

Status ColumnEdit::WriteColumns() {
  GLUECAT_RETURN_IF_ERROR(CheckColumns(schema_));
  WriteSchemaParameters();
  const auto& fields = schema_.fields;
  const auto split =
      fields.begin() + static_cast<std::ptrdiff_t>(fields.size() - partition_columns_.size());
  const std::vector<StructField> data(fields.begin(), split);
  const std::vector<StructField> partition(split, fields.end());
  if (recognized_.kind == TableKind::kDelta) {
    WriteDeltaColumns(data, partition);
    return {};
  }
  GLUECAT_ASSIGN_OR_RETURN(auto keys, PartitionKeys(partition));
  if (table_.partition_keys || !keys.empty()) {
    if (!table_.partition_keys) table_.partition_keys.emplace();
    MergeInto(*table_.partition_keys, std::move(keys));
  }
  return WriteDataColumns(data);
}

void ColumnEdit::WriteSchemaParameters() {
  auto& parameters = Parameters();
  const auto stored = ReadSchema(parameters);
  // Written by another version of Spark in another form, it stays as it is.
  if (!stored || !*stored || !(**stored == schema_)) {
    WriteSchema(schema_, parameters);
  }
  const auto names = ReadPartitionColumns(parameters);
  const bool same = names && names->value_or(std::vector<std::string>{}) == partition_columns_;
  if (!same) WritePartitionColumns(partition_columns_, parameters);
  if (recognized_.kind == TableKind::kDelta && Find(parameters, kProvider) == nullptr) {
    // So that Spark's own catalogs, too, read the schema just written.
    Set(parameters, kProvider, "delta");
  }
  if (recognized_.kind == TableKind::kDataSource) {
    if (!partition_columns_.empty() && Find(parameters, kPartitionProvider) == nullptr) {
      Set(parameters, kPartitionProvider, "catalog");
    }
    DropStaleBucketing();
  }
}

// A replaced schema may be without the columns that the old one was bucketed by.
void ColumnEdit::DropStaleBucketing() {
  const auto bucketing = ReadBucketing(Parameters());
  if (!bucketing || !*bucketing) return;
  const auto missing = [&](const std::string& name) { return !schema_.Find(name); };
  if (std::ranges::any_of((*bucketing)->columns, missing) ||
      std::ranges::any_of((*bucketing)->sort_columns, missing)) {
    WriteBucketing(std::nullopt, Parameters());
  }
}

Status ColumnEdit::WriteDataColumns(const std::vector<StructField>& data) {
  auto& descriptor = Descriptor();
  if (IsSparkSpecific(descriptor)) return {};
  auto real = RealColumns(recognized_.provider, data);
  if (real) {
    if (!descriptor.columns) descriptor.columns.emplace();
    MergeInto(*descriptor.columns, *std::move(real));
    return {};
  }
  if (real.error().kind == ErrorKind::kLimitExceeded) return Fail(std::move(real).error());
  SetFormats(SparkSpecificFormats(), descriptor);
  descriptor.columns = SparkSpecificColumns();
  return {};
}

// All columns in one list, unless their writer had keys apart.
void ColumnEdit::WriteDeltaColumns(const std::vector<StructField>& data,
                                   const std::vector<StructField>& partition) {
  auto& descriptor = Descriptor();
  const bool repair = IsSparkSpecific(descriptor);
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
  // Spark's form, which no other engine reads, becomes ours.
  if (repair) {
    SetFormats(DeltaFormats(), descriptor);
    Set(Parameters(), kTableType, "DELTA");
  }
  if (repair || descriptor.location.value_or("").ends_with(kPlaceholderSuffix)) {
    if (const auto location = ProviderLocation(table_)) SetProviderLocation(*location, descriptor);
  }
}

// Makes `columns` what `wanted` says, keeping everything of a column that
// stays but what the schema change is about.
void ColumnEdit::MergeInto(std::vector<glue::Column>& columns,
                           std::vector<glue::Column> wanted) const {
  for (auto& column : wanted) {
    const auto* old = FindColumn(columns, column.name);
    if (old == nullptr) continue;
    glue::Column merged = *old;
    if (!SameGlueType(old->type, column.type)) merged.type = column.type;
    const auto was = before_.Find(column.name);
    const auto now = schema_.Find(column.name);
    const auto comment_before = was ? before_.fields[*was].Comment() : std::optional<std::string>();
    const auto comment_now = now ? schema_.fields[*now].Comment() : std::optional<std::string>();
    if (comment_before != comment_now) merged.comment = column.comment;
    column = std::move(merged);
  }
  columns = std::move(wanted);
}

glue::Parameters& ColumnEdit::Parameters() {
  if (!table_.parameters) table_.parameters.emplace();
  return *table_.parameters;
}

glue::StorageDescriptor& ColumnEdit::Descriptor() {
  if (!table_.storage_descriptor) table_.storage_descriptor.emplace();
  return *table_.storage_descriptor;
}

}  // namespace gluecat::entry
