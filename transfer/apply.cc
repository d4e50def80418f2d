#include "transfer/apply.h"

#include <utility>
#include <vector>

#include "core/glue/codec.h"
#include "transfer/entry_text.h"

namespace gluecat::transfer {
namespace {

constexpr std::size_t kBatch = 100;  // BatchCreatePartition and BatchUpdatePartition of the API

// True for what the next entry would meet as well.
bool Stops(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUnauthenticated:
    case ErrorKind::kThrottled:
    case ErrorKind::kUnavailable:
    case ErrorKind::kTimeout:
    case ErrorKind::kCancelled:
    case ErrorKind::kInternal:
      return true;
    default:
      return false;
  }
}

template <typename Entry>
Result<std::vector<Entry>> ParseList(const std::string& text, Result<Entry> (*decode)(JsonView)) {
  std::vector<Entry> entries;
  if (text.empty()) return entries;
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(text));
  for (const JsonView element : document.root().Elements()) {
    GLUECAT_ASSIGN_OR_RETURN(Entry entry, decode(element));
    entries.push_back(std::move(entry));
  }
  return entries;
}

template <typename Entry>
Result<Entry> ParseEntry(const std::string& text, Result<Entry> (*decode)(JsonView)) {
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(text));
  return decode(document.root());
}

class Applying {
 public:
  Applying(const glue::Client& target, Report& report, Progress& progress)
      : target_(target), report_(report), progress_(progress) {
    total_ = report.Sum(&Counts::created) + report.Sum(&Counts::changed);
    for (auto& database : report_.databases) {
      for (Counts& counts : database.counts) counts.created = counts.changed = 0;
    }
  }

  Status Run(WorkList& work) {
    const Status status = All(work);
    report_.unfinished = total_ - finished_;
    return status;
  }

 private:
  Status All(WorkList& list) {
    GLUECAT_ASSIGN_OR_RETURN(auto reader, list.Read());
    while (true) {
      GLUECAT_ASSIGN_OR_RETURN(const auto work, reader.Next());
      const bool another_table = !work || work->action != Work::Action::kPartition ||
                                 work->table != table_ || work->database != database_;
      if (another_table) GLUECAT_RETURN_IF_ERROR(FlushPartitions());
      if (!work) return {};
      GLUECAT_RETURN_IF_ERROR(One(*work));
    }
  }

  Status One(const Work& work) {
    database_ = work.database;
    table_ = work.table;
    switch (work.action) {
      case Work::Action::kDatabase:
        return Database(work);
      case Work::Action::kFunction:
        return Function(work);
      case Work::Action::kTable:
        return Table(work);
      case Work::Action::kPartitionIndex:
        return PartitionIndex(work);
      case Work::Action::kPartition:
        return Partition(work);
      case Work::Action::kTableStatistics:
      case Work::Action::kPartitionStatistics:
        return Statistics(work);
    }
    return {};
  }

  const std::string& DatabaseName() const { return report_.databases[database_].name; }
  std::string Object() const { return DatabaseName() + "." + table_; }
  Counts& CountsOf(Kind kind) {
    return report_.databases[database_].counts[static_cast<std::size_t>(kind)];
  }

  void Done(Kind kind, bool create, std::uint64_t count = 1) {
    Counts& counts = CountsOf(kind);
    (create ? counts.created : counts.changed) += count;
    Finished(count);
  }

  void Finished(std::uint64_t count) {
    finished_ += count;
    progress_.Writing(finished_, total_, table_.empty() ? DatabaseName() : Object());
  }

  // Counts and lists a refusal; the error itself if it ends the work.
  Status Refused(Kind kind, Subject subject, const Error& error, std::uint64_t count = 1) {
    if (Stops(error.kind)) {
      return Fail(WithContext(error, std::string(KindName(kind)) + " " + subject.object));
    }
    CountsOf(kind).failed += count;
    report_.Fail(std::move(subject), error);
    Finished(count);
    return {};
  }

  // Makes the call of an entry and counts it. A refusal of a create that only says that an
  // earlier attempt of the same request was carried out is success.
  template <typename Call>
  Status Do(Kind kind, std::string object, bool create, const Call& call) {
    glue::CallInfo info;
    glue::CallContext context;
    context.info = &info;
    const Status status = call(context);
    if (status ||
        (create && info.outcome_unknown && status.error().kind == ErrorKind::kAlreadyExists)) {
      Done(kind, create);
      return {};
    }
    return Refused(kind, {kind, std::move(object), {}}, status.error());
  }

  Status Database(const Work& work) {
    GLUECAT_ASSIGN_OR_RETURN(const auto database, ParseEntry(work.text, &glue::DecodeDatabase));
    const auto failed = CountsOf(Kind::kDatabase).failed;
    GLUECAT_RETURN_IF_ERROR(
        Do(Kind::kDatabase, database.name, work.create, [&](const auto& context) {
          return work.create ? target_.CreateDatabase(database, context)
                             : target_.UpdateDatabase(database.name, database, context);
        }));
    if (work.create && CountsOf(Kind::kDatabase).failed > failed) absent_database_ = database_;
    return {};
  }

  Status Function(const Work& work) {
    GLUECAT_ASSIGN_OR_RETURN(const auto function, ParseEntry(work.text, &glue::DecodeFunction));
    const std::string object = DatabaseName() + "." + function.function_name;
    if (absent_database_ == database_) return Left(Kind::kFunction, object);
    return Do(Kind::kFunction, object, work.create, [&](const auto& context) {
      return work.create ? target_.CreateFunction(DatabaseName(), function, context)
                         : target_.UpdateFunction(DatabaseName(), function, context);
    });
  }

  Status Table(const Work& work) {
    GLUECAT_ASSIGN_OR_RETURN(const auto table, ParseEntry(work.text, &glue::DecodeTable));
    GLUECAT_ASSIGN_OR_RETURN(const auto indexes,
                             ParseList(work.create ? work.more : "", &glue::DecodePartitionIndex));
    const auto failed = CountsOf(Kind::kTable).failed;
    if (absent_database_ == database_) {
      GLUECAT_RETURN_IF_ERROR(Left(Kind::kTable, Object()));
    } else {
      GLUECAT_RETURN_IF_ERROR(
          Do(Kind::kTable, Object(), work.create, [&](const glue::CallContext& context) {
            if (work.create) return target_.CreateTable(DatabaseName(), table, context, indexes);
            return Update(table, work, context);
          }));
    }
    const bool done = CountsOf(Kind::kTable).failed == failed;
    if (!done) failed_table_ = Object();
    for (const auto& index : indexes) {
      if (done) {
        Done(Kind::kPartitionIndex, true);
      } else {
        GLUECAT_RETURN_IF_ERROR(Left(Kind::kPartitionIndex, Object() + "." + index.index_name));
      }
    }
    return {};
  }

  Status Update(const glue::Table& table, const Work& work, const glue::CallContext& context) {
    const std::optional<std::string> version =
        work.more.empty() ? std::nullopt : std::optional(work.more);
    const Status status = target_.UpdateTable(DatabaseName(), table, version, context);
    const bool perhaps_ours =
        !status && status.error().kind == ErrorKind::kConflict && context.info->outcome_unknown;
    if (!perhaps_ours) return status;
    const auto now = target_.GetTable(DatabaseName(), table.name, {});
    return now && Differences(work.text, TextOf(*now)).empty() ? Status() : status;
  }

  // An entry that cannot be written, since what it belongs to was not.
  Status Left(Kind kind, std::string object, std::uint64_t count = 1) {
    return Refused(kind, {kind, std::move(object), {}},
                   MakeError(ErrorKind::kNotFound, "not tried, since what it belongs to failed"),
                   count);
  }

  Status PartitionIndex(const Work& work) {
    GLUECAT_ASSIGN_OR_RETURN(const auto index, ParseEntry(work.text, &glue::DecodePartitionIndex));
    const std::string object = Object() + "." + index.index_name;
    if (failed_table_ == Object()) return Left(Kind::kPartitionIndex, object);
    return Do(Kind::kPartitionIndex, object, true, [&](const auto& context) {
      return target_.CreatePartitionIndex(DatabaseName(), table_, index, context);
    });
  }

  Status Partition(const Work& work) {
    GLUECAT_ASSIGN_OR_RETURN(auto partition, ParseEntry(work.text, &glue::DecodePartition));
    auto& batch = work.create ? created_ : changed_;
    batch.push_back(std::move(partition));
    return batch.size() < kBatch ? Status() : FlushBatch(batch, work.create);
  }

  Status FlushPartitions() {
    GLUECAT_RETURN_IF_ERROR(FlushBatch(created_, true));
    return FlushBatch(changed_, false);
  }

  Status FlushBatch(std::vector<glue::Partition>& batch, bool create) {
    if (batch.empty()) return {};
    const auto partitions = std::exchange(batch, {});
    const std::size_t count = partitions.size();
    if (failed_table_ == Object()) return Left(Kind::kPartition, Object(), count);
    const auto failures = create ? target_.CreatePartitions(DatabaseName(), table_, partitions, {})
                                 : target_.UpdatePartitions(DatabaseName(), table_, partitions, {});
    if (!failures) {
      return Refused(Kind::kPartition, {Kind::kPartition, Object(), {}},
                     WithContext(failures.error(), std::to_string(count) + " partitions"), count);
    }
    Done(Kind::kPartition, create, count - failures->size());
    for (const auto& failure : *failures) {
      GLUECAT_RETURN_IF_ERROR(
          Refused(Kind::kPartition, {Kind::kPartition, Object(), failure.values}, failure.error));
    }
    return {};
  }

  Status Statistics(const Work& work) {
    GLUECAT_ASSIGN_OR_RETURN(const auto statistics,
                             ParseList(work.text, &glue::DecodeColumnStatistics));
    Subject subject{Kind::kColumnStatistics, Object(), {}};
    const bool of_partition = work.action == Work::Action::kPartitionStatistics;
    if (of_partition) {
      GLUECAT_ASSIGN_OR_RETURN(const auto values, JsonDocument::Parse(work.more));
      for (const JsonView value : values.root().Elements()) {
        subject.values.push_back(value.StringOr(""));
      }
    }
    const Status status =
        of_partition ? target_.UpdatePartitionColumnStatistics(DatabaseName(), table_,
                                                               subject.values, statistics, {})
                     : target_.UpdateColumnStatistics(DatabaseName(), table_, statistics, {});
    if (!status) return Refused(Kind::kColumnStatistics, std::move(subject), status.error());
    Done(Kind::kColumnStatistics, work.create);
    return {};
  }

  const glue::Client& target_;
  Report& report_;
  Progress& progress_;
  std::uint64_t total_ = 0;
  std::uint64_t finished_ = 0;
  std::uint32_t database_ = 0;  // whose work comes now
  std::string table_;
  std::optional<std::uint32_t> absent_database_;  // that could not be created
  std::string failed_table_;
  std::vector<glue::Partition> created_;
  std::vector<glue::Partition> changed_;
};

}  // namespace

Status Apply(WorkList& work, const glue::Client& target, Report& report, Progress& progress) {
  return Applying(target, report, progress).Run(work);
}

}  // namespace gluecat::transfer
