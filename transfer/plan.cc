#include "transfer/plan.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/glue/codec.h"
#include "transfer/catalog_source.h"
#include "transfer/entry_text.h"

namespace gluecat::transfer {
namespace {

template <typename Entry>
std::string ListText(const std::vector<Entry>& entries) {
  JsonWriter writer;
  writer.BeginArray();
  for (const Entry& entry : entries) writer.Raw(TextOf(entry));
  return writer.EndArray().Take();
}

std::string ValuesText(const std::vector<std::string>& values) {
  JsonWriter writer;
  writer.BeginArray();
  for (const auto& value : values) writer.String(value);
  return writer.EndArray().Take();
}

std::vector<std::string> Columns(const std::vector<glue::ColumnStatistics>& statistics) {
  std::vector<std::string> names;
  names.reserve(statistics.size());
  for (const auto& column : statistics) names.push_back(column.column_name);
  return names;
}

}  // namespace

Planner::Planner(const glue::Client& target, PlanOptions options, WorkList& work, Report& report,
                 Progress& progress)
    : target_(target),
      options_(std::move(options)),
      work_(work),
      report_(report),
      progress_(progress) {}

Result<const SortedEntries::Entry*> Planner::Listing::Find(const std::string& key) {
  while (!head || head->key < key) {
    GLUECAT_ASSIGN_OR_RETURN(head, entries.Next());
    if (!head) return nullptr;
  }
  return head->key == key ? &*head : nullptr;
}

Planner::Verdict Planner::Judge(Subject subject, std::vector<Difference> differences) {
  Counts& counts = report_.Last(subject.kind);
  if (differences.empty()) {
    ++counts.same;
    return Verdict::kSame;
  }
  Resolution resolution = Resolution::kChanged;
  if (options_.on_conflict == OnConflict::kSkip) {
    ++counts.skipped;
    resolution = Resolution::kSkipped;
  } else if (options_.on_conflict == OnConflict::kFail) {
    ++counts.conflicting;
    resolution = Resolution::kConflicting;
  }
  report_.conflicts.Add({std::move(subject), resolution, std::move(differences)});
  return resolution == Resolution::kChanged ? Verdict::kReplace : Verdict::kLeave;
}

Status Planner::Write(Work work, Kind kind, const std::string& object) {
  Counts& counts = report_.Last(kind);
  ++(work.create ? counts.created : counts.changed);
  if (kind == Kind::kPartition) {
    ++(work.create ? created_partitions_ : changed_partitions_);
  } else {
    report_.planned.Add({kind, object, work.create, 1});
  }
  work.database = static_cast<std::uint32_t>(report_.databases.size() - 1);
  return work_.Add(work);
}

void Planner::ListPartitionWork() {
  for (const bool create : {true, false}) {
    auto& count = create ? created_partitions_ : changed_partitions_;
    if (count > 0) report_.planned.Add({Kind::kPartition, Object(table_), create, count});
    count = 0;
  }
}

Status Planner::Database(const glue::Database& source) {
  glue::Database database = source;
  if (!options_.database.empty()) database.name = options_.database;
  Rewrite(options_.location_prefixes, database);
  name_ = database.name;
  if (std::ranges::find(report_.databases, name_, &DatabaseCounts::name) !=
      report_.databases.end()) {
    return Fail(ErrorKind::kInvalidArgument,
                "database " + name_ + " comes twice; move one after the other");
  }
  report_.databases.push_back({name_, {}});
  progress_.Reading(++seen_, name_);

  const auto target = target_.GetDatabase(name_, {});
  if (!target && target.error().kind != ErrorKind::kNotFound) {
    return Fail(WithContext(target.error(), "database " + name_ + " of the target"));
  }
  exists_ = target.has_value();
  if (!exists_) return Write({.text = TextOf(database)}, Kind::kDatabase, name_);
  if (target->target_database && !database.target_database) {
    return Fail(ErrorKind::kUnsupported,
                "database " + name_ +
                    " is a resource link in the target, and its tables are another database's; "
                    "delete the link, or choose another name with --as");
  }
  const std::string text = TextOf(database);
  if (Judge({Kind::kDatabase, name_, {}}, Differences(text, TextOf(*target))) ==
      Verdict::kReplace) {
    return Write({.create = false, .text = text}, Kind::kDatabase, name_);
  }
  return {};
}

Status Planner::Function(const glue::UserDefinedFunction& function) {
  const std::string object = Object(function.function_name);
  progress_.Reading(++seen_, object);
  if (exists_ && !functions_) {
    auto functions = target_.GetFunctions(name_, {});
    if (!functions) {
      return Fail(
          WithContext(functions.error(), "functions of database " + name_ + " of the target"));
    }
    functions_ = *std::move(functions);
  }
  const std::string text = TextOf(function);
  Work work{.action = Work::Action::kFunction, .text = text};
  if (functions_) {
    const auto same_name = [&](const glue::UserDefinedFunction& other) {
      return EqualsIgnoreCase(other.function_name, function.function_name);
    };
    const auto found = std::ranges::find_if(*functions_, same_name);
    if (found != functions_->end()) {
      found->function_name = function.function_name;
      const auto differences = Differences(text, TextOf(*found));
      if (Judge({Kind::kFunction, object, {}}, differences) != Verdict::kReplace) return {};
      work.create = false;
    }
  }
  return Write(std::move(work), Kind::kFunction, object);
}

Result<const SortedEntries::Entry*> Planner::FindTable(const std::string& name) {
  if (!exists_) return nullptr;
  if (!tables_) {
    auto tables = ListTables(target_, name_, [&](const glue::ListedTable& listed) -> Status {
      unreadable_.insert(listed.name);
      return {};
    });
    if (!tables) return Fail(WithContext(tables.error(), "target"));
    tables_.emplace(*std::move(tables), std::nullopt);
  }
  return tables_->Find(name);
}

Result<bool> Planner::Table(const TableRecord& record) {
  ListPartitionWork();
  partitions_.reset();
  table_ = record.table.name;
  progress_.Reading(++seen_, Object(table_));
  glue::Table table = record.table;
  Rewrite(options_.location_prefixes, table);
  GLUECAT_ASSIGN_OR_RETURN(const SortedEntries::Entry* const found, FindTable(table_));
  table_exists_ = found != nullptr;
  if (unreadable_.contains(table_)) {
    ++report_.Last(Kind::kTable).failed;
    report_.Fail({Kind::kTable, Object(table_), {}},
                 MakeError(ErrorKind::kInvalidData,
                           "the target has a table of this name whose entry cannot be read"));
    return false;
  }
  if (found != nullptr) return MeetTable(record, table, *found);
  GLUECAT_RETURN_IF_ERROR(CreateTable(record, table));
  return true;
}

Status Planner::CreateTable(const TableRecord& record, const glue::Table& table) {
  Work work{.action = Work::Action::kTable, .table = table_, .text = TextOf(table)};
  if (!record.partition_indexes.empty()) work.more = ListText(record.partition_indexes);
  GLUECAT_RETURN_IF_ERROR(Write(std::move(work), Kind::kTable, Object(table_)));
  for (const auto& index : record.partition_indexes) {
    ++report_.Last(Kind::kPartitionIndex).created;
    report_.planned.Add({Kind::kPartitionIndex, Object(table_) + "." + index.index_name, true, 1});
  }
  return CompareStatistics(nullptr, record.column_statistics, {});
}

Result<bool> Planner::MeetTable(const TableRecord& record, const glue::Table& table,
                                const SortedEntries::Entry& target) {
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(target.text));
  if (!document.root()["TargetTable"].IsNull() && !IsResourceLink(table)) {
    ++report_.Last(Kind::kTable).failed;
    report_.Fail({Kind::kTable, Object(table_), {}},
                 MakeError(ErrorKind::kUnsupported,
                           "the table is a resource link in the target; delete the link first"));
    return false;
  }
  const std::string text = TextOf(table);
  const Verdict verdict = Judge({Kind::kTable, Object(table_), {}}, Differences(text, target.text));
  if (verdict == Verdict::kLeave && options_.on_conflict == OnConflict::kSkip) return false;
  if (verdict == Verdict::kReplace) {
    GLUECAT_RETURN_IF_ERROR(Write({.action = Work::Action::kTable,
                                   .create = false,
                                   .table = table_,
                                   .text = text,
                                   .more = target.version},
                                  Kind::kTable, Object(table_)));
  }
  if (!record.partition_indexes.empty()) GLUECAT_RETURN_IF_ERROR(Indexes(record));
  if (!record.column_statistics.empty()) {
    const auto statistics =
        target_.GetColumnStatistics(name_, table_, Columns(record.column_statistics), {});
    if (!statistics) {
      return Fail(WithContext(statistics.error(),
                              "column statistics of table " + Object(table_) + " of the target"));
    }
    GLUECAT_RETURN_IF_ERROR(CompareStatistics(nullptr, record.column_statistics, *statistics));
  }
  return true;
}

Status Planner::Indexes(const TableRecord& record) {
  const auto indexes = ListPartitionIndexes(target_, name_, table_);
  if (!indexes) return Fail(WithContext(indexes.error(), "target"));
  for (const auto& index : record.partition_indexes) {
    const Subject subject{Kind::kPartitionIndex, Object(table_) + "." + index.index_name, {}};
    const auto found = std::ranges::find_if(*indexes, [&](const glue::PartitionIndex& other) {
      return EqualsIgnoreCase(other.index_name, index.index_name);
    });
    const std::string text = TextOf(index);
    if (found == indexes->end()) {
      GLUECAT_RETURN_IF_ERROR(
          Write({.action = Work::Action::kPartitionIndex, .table = table_, .text = text},
                Kind::kPartitionIndex, subject.object));
      continue;
    }
    glue::PartitionIndex other = *found;
    other.index_name = index.index_name;
    auto differences = Differences(text, TextOf(other));
    if (differences.empty() || options_.on_conflict != OnConflict::kReplace) {
      Judge(subject, std::move(differences));
      continue;
    }
    // Glue cannot change an index, and nothing is deleted here.
    ++report_.Last(Kind::kPartitionIndex).failed;
    report_.Fail(subject, MakeError(ErrorKind::kUnsupported,
                                    "the target has an index of this name over other keys; delete "
                                    "it there, and run the command again"));
  }
  return {};
}

Status Planner::CompareStatistics(const std::vector<std::string>* values,
                                  const std::vector<glue::ColumnStatistics>& source,
                                  const std::vector<glue::ColumnStatistics>& target) {
  if (source.empty()) return {};
  std::vector<glue::ColumnStatistics> to_write;
  std::vector<Difference> differences;
  bool complete = true;
  for (const auto& column : source) {
    const auto found = std::ranges::find_if(target, [&](const glue::ColumnStatistics& other) {
      return EqualsIgnoreCase(other.column_name, column.column_name);
    });
    if (found == target.end()) {
      complete = false;
      to_write.push_back(column);
      continue;
    }
    glue::ColumnStatistics other = *found;
    other.column_name = column.column_name;
    auto of_column = Differences(TextOf(column), TextOf(other), 2);
    if (of_column.empty()) continue;
    to_write.push_back(column);
    for (auto& difference : of_column) {
      difference.member = column.column_name + ": " + difference.member;
      differences.push_back(std::move(difference));
    }
  }
  Work work{.action = values == nullptr ? Work::Action::kTableStatistics
                                        : Work::Action::kPartitionStatistics,
            .table = table_,
            .text = ListText(to_write),
            .more = values == nullptr ? "" : ValuesText(*values)};
  if (complete || !differences.empty()) {
    Subject subject{Kind::kColumnStatistics, Object(table_),
                    values == nullptr ? std::vector<std::string>() : *values};
    if (Judge(std::move(subject), std::move(differences)) != Verdict::kReplace) return {};
    work.create = false;
  }
  return Write(std::move(work), Kind::kColumnStatistics, Object(table_));
}

Status Planner::Partition(const PartitionRecord& record) {
  glue::Partition partition = record.partition;
  Rewrite(options_.location_prefixes, partition);
  progress_.Reading(++seen_, Object(table_));
  const SortedEntries::Entry* found = nullptr;
  if (table_exists_) {
    if (!partitions_) {
      auto partitions = ListPartitions(target_, name_, table_);
      if (!partitions) return Fail(WithContext(partitions.error(), "target"));
      partitions_.emplace(*std::move(partitions), std::nullopt);
    }
    GLUECAT_ASSIGN_OR_RETURN(found, partitions_->Find(PartitionKey(partition.values)));
  }
  const std::string text = TextOf(partition);
  Work work{.action = Work::Action::kPartition, .table = table_, .text = text};
  Verdict verdict = Verdict::kReplace;
  if (found != nullptr) {
    verdict =
        Judge({Kind::kPartition, Object(table_), partition.values}, Differences(text, found->text));
    work.create = false;
  }
  if (verdict == Verdict::kReplace) {
    GLUECAT_RETURN_IF_ERROR(Write(std::move(work), Kind::kPartition, Object(table_)));
  }
  const bool skipped = verdict == Verdict::kLeave && options_.on_conflict == OnConflict::kSkip;
  if (record.column_statistics.empty() || skipped) return {};
  std::vector<glue::ColumnStatistics> statistics;
  if (found != nullptr) {
    auto of_target = target_.GetPartitionColumnStatistics(name_, table_, partition.values,
                                                          Columns(record.column_statistics), {});
    if (!of_target) {
      return Fail(WithContext(of_target.error(), "column statistics of a partition of table " +
                                                     Object(table_) + " of the target"));
    }
    statistics = *std::move(of_target);
  }
  return CompareStatistics(&partition.values, record.column_statistics, statistics);
}

Status Planner::Unreadable(const std::string& table, const Error& error) {
  ++report_.Last(Kind::kTable).failed;
  report_.Fail({Kind::kTable, Object(table), {}}, error);
  return {};
}

Status Planner::End() {
  ListPartitionWork();
  return {};
}

}  // namespace gluecat::transfer
