#include <algorithm>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/entry/build.h"
#include "core/entry/column_edit.h"
#include "core/entry/column_rules.h"
#include "core/entry/description.h"
#include "core/entry/keys.h"
#include "core/entry/layout.h"
#include "core/entry/limits.h"
#include "core/entry/recognize.h"
#include "core/entry/schema_parameters.h"

namespace gluecat::entry {
namespace {

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
    return columns_ ? columns_->WriteBack(writer_) : Status();
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
        // The catalog did not choose this one: PURGE leaves it alone.
        if (table_.parameters) Erase(*table_.parameters, kManaged);
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
    const glue::Parameters before = Parameters();
    std::optional<Statistics> statistics = change.statistics;
    if (statistics && change.keep_other_columns) KeepOtherColumns(before, statistics->columns);
    WriteStatistics(statistics, Parameters());
    // Glue's own statistics of columns are as old as this, or do not count (column_statistics.h).
    if (Parameters() != before && writer_.now_seconds > 0) {
      Set(Parameters(), kLastDdlTime, std::to_string(writer_.now_seconds));
    }
    return {};
  }

  static void KeepOtherColumns(const glue::Parameters& before, glue::Parameters& columns) {
    const auto column_of = [](const std::string& key) { return key.substr(0, key.rfind('.')); };
    std::set<std::string> named;
    for (const auto& [key, value] : columns) named.insert(column_of(key));
    if (const auto known = ReadStatistics(before, false)) {
      for (const auto& [key, value] : known->columns) {
        if (!named.contains(column_of(key))) Set(columns, key, value);
      }
    }
  }

  // --- Columns -------------------------------------------------------------------

  Status Apply(const SetSchema& change) {
    if (recognized_.kind != TableKind::kDataSource && recognized_.kind != TableKind::kDelta) {
      return ColumnsUnsupported();
    }
    // What was there cannot always be read; it is replaced all the same.
    if (!columns_) columns_.emplace(table_, recognized_);
    return columns_->Replace(change.schema, change.partition_columns);
  }

  Status Apply(const ConvertToDelta& change) {
    if (recognized_.kind == TableKind::kDelta) {
      return Apply(SetSchema{change.schema, change.partition_columns});
    }
    if (recognized_.kind != TableKind::kDataSource || recognized_.provider != "parquet") {
      return Unsupported("cannot become a Delta table: only Parquet tables can");
    }
    auto& descriptor = Descriptor();
    if (const auto location = ProviderLocation(table_)) SetProviderLocation(*location, descriptor);
    SetFormats(DeltaFormats(), descriptor);
    auto& parameters = Parameters();
    Set(parameters, kProvider, "delta");
    Set(parameters, kTableType, "DELTA");
    Set(parameters, kPartitionProvider, "catalog");
    WriteBucketing(std::nullopt, parameters);
    WriteStatistics(std::nullopt, parameters);
    if (table_.partition_keys) table_.partition_keys->clear();
    recognized_ = Recognize(table_);
    columns_.emplace(table_, recognized_);
    return columns_->Replace(change.schema, change.partition_columns);
  }

  Status Apply(const AddColumn& change) {
    return ChangeColumns([&](auto& schema, const auto& fixed, std::size_t data_columns) {
      return entry::Apply(change, fixed, data_columns, schema);
    });
  }

  Status Apply(const DeleteColumn& change) {
    return ChangeColumns([&](auto& schema, const auto& fixed, std::size_t data_columns) -> Status {
      const auto in_use = InUse(change.path);
      if (!in_use.empty()) return Refuse(change.path, in_use, "dropped");
      if (change.path.size() == 1 && data_columns == 1 &&
          schema.Find(change.path.front()) == std::size_t{0}) {
        return Refuse(change.path, "the only data column", "dropped");
      }
      return entry::Apply(change, fixed, schema);
    });
  }

  Status Apply(const RenameColumn& change) {
    return ChangeColumns([&](auto& schema, const auto& fixed, std::size_t) -> Status {
      const auto in_use = InUse(change.path);
      if (!in_use.empty()) return Refuse(change.path, in_use, "renamed");
      return entry::Apply(change, fixed, schema);
    });
  }

  Status Apply(const UpdateColumnType& change) {
    return ChangeColumns([&](auto& schema, const auto& fixed, std::size_t) -> Status {
      const auto in_use = InUse(change.path);
      if (!in_use.empty()) return Refuse(change.path, in_use, "given another type");
      return entry::Apply(change, fixed, schema);
    });
  }

  Status Apply(const UpdateColumnNullability& change) {
    if (recognized_.kind == TableKind::kDataSource && !change.nullable &&
        IsFileProvider(recognized_.provider)) {
      return Unsupported("cannot promise that a column has no nulls: its files may hold them");
    }
    return ChangeColumns(
        [&](auto& schema, const auto&, std::size_t) { return entry::Apply(change, schema); });
  }

  Status Apply(const UpdateColumnComment& change) {
    return ChangeColumns(
        [&](auto& schema, const auto&, std::size_t) { return entry::Apply(change, schema); });
  }

  Status Apply(const UpdateColumnPosition& change) {
    return ChangeColumns([&](auto& schema, const auto& fixed, std::size_t data_columns) {
      return entry::Apply(change, fixed, data_columns, schema);
    });
  }

  template <typename Change>
  Status ChangeColumns(Change change) {
    if (recognized_.kind != TableKind::kDataSource) return ColumnsUnsupported();
    if (!columns_) columns_.emplace(table_, recognized_);
    return columns_->Change([&](types::StructType& schema) {
      FixedColumns fixed;
      for (const auto& name : columns_->partition_columns()) {
        fixed.push_back({name, "a partition column"});
      }
      return change(schema, fixed, schema.fields.size() - fixed.size());
    });
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
  Recognized recognized_;
  std::optional<ColumnEdit> columns_;
};

}  // namespace

Status ApplyChanges(glue::Table& table, const std::vector<TableChange>& changes,
                    const WriterInfo& writer) {
  return Alteration(table, writer).ApplyAll(changes);
}

}  // namespace gluecat::entry
