#include "transfer/work_list.h"

namespace gluecat::transfer {
namespace {

bool IsStatistics(Work::Action action) {
  return action == Work::Action::kTableStatistics || action == Work::Action::kPartitionStatistics;
}

}  // namespace

Result<WorkList> WorkList::Create() {
  GLUECAT_ASSIGN_OR_RETURN(auto entries, RecordFile::Create());
  GLUECAT_ASSIGN_OR_RETURN(auto statistics, RecordFile::Create());
  return WorkList(std::move(entries), std::move(statistics));
}

Status WorkList::Add(const Work& work) {
  RecordFile& file = IsStatistics(work.action) ? statistics_ : entries_;
  const std::string head = {static_cast<char>(work.action), work.create ? '\1' : '\0'};
  return file.Append({head, std::to_string(work.database), work.table, work.text, work.more});
}

Result<WorkList::Reader> WorkList::Read() {
  GLUECAT_RETURN_IF_ERROR(entries_.Flush());
  GLUECAT_RETURN_IF_ERROR(statistics_.Flush());
  return Reader(RecordFile::Reader(entries_, 0, entries_.end()),
                RecordFile::Reader(statistics_, 0, statistics_.end()));
}

Result<std::optional<Work>> WorkList::Reader::Next() {
  GLUECAT_ASSIGN_OR_RETURN(auto record, entries_.Next());
  if (!record) {
    GLUECAT_ASSIGN_OR_RETURN(record, statistics_.Next());
  }
  if (!record) return std::nullopt;
  Work work;
  work.action = static_cast<Work::Action>((*record)[0][0]);
  work.create = (*record)[0][1] != '\0';
  work.database = static_cast<std::uint32_t>(std::stoul((*record)[1]));
  work.table = std::move((*record)[2]);
  work.text = std::move((*record)[3]);
  work.more = std::move((*record)[4]);
  return work;
}

}  // namespace gluecat::transfer
