#include "transfer/sorted_entries.h"

#include <algorithm>
#include <utility>

namespace gluecat::transfer {

Status SortedEntries::Add(Entry entry) {
  used_ += sizeof(Entry) + entry.key.size() + entry.text.size() + entry.version.size();
  pending_.push_back(std::move(entry));
  return used_ > memory_ ? Spill() : Status();
}

Status SortedEntries::Spill() {
  if (!file_) {
    GLUECAT_ASSIGN_OR_RETURN(file_, RecordFile::Create());
  }
  std::ranges::sort(pending_, {}, &Entry::key);
  for (Entry& entry : pending_) {
    GLUECAT_RETURN_IF_ERROR(
        file_->Append({std::move(entry.key), std::move(entry.text), std::move(entry.version)}));
  }
  pending_.clear();
  used_ = 0;
  ends_.push_back(file_->end());
  return {};
}

Status SortedEntries::Advance(Run& run) {
  GLUECAT_ASSIGN_OR_RETURN(auto record, run.reader.Next());
  run.head.reset();
  if (record) {
    run.head = Entry{std::move((*record)[0]), std::move((*record)[1]), std::move((*record)[2])};
  }
  return {};
}

Status SortedEntries::BeginReading() {
  reading_ = true;
  if (!file_) {
    std::ranges::sort(pending_, {}, &Entry::key);
    return {};
  }
  GLUECAT_RETURN_IF_ERROR(Spill());
  GLUECAT_RETURN_IF_ERROR(file_->Flush());
  std::uint64_t from = 0;
  for (const std::uint64_t to : ends_) {
    runs_.push_back({RecordFile::Reader(*file_, from, to), std::nullopt});
    GLUECAT_RETURN_IF_ERROR(Advance(runs_.back()));
    from = to;
  }
  return {};
}

Result<std::optional<SortedEntries::Entry>> SortedEntries::Next() {
  if (!reading_) GLUECAT_RETURN_IF_ERROR(BeginReading());
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(auto entry, NextOfAll());
    if (entry && entry->key == last_) continue;
    if (entry) last_ = entry->key;
    return entry;
  }
}

Result<std::optional<SortedEntries::Entry>> SortedEntries::NextOfAll() {
  if (!file_) {
    if (next_ == pending_.size()) return std::nullopt;
    return std::move(pending_[next_++]);
  }
  Run* first = nullptr;
  for (Run& run : runs_) {
    if (run.head && (first == nullptr || run.head->key < first->head->key)) first = &run;
  }
  if (first == nullptr) return std::nullopt;
  std::optional<Entry> entry = std::move(first->head);
  GLUECAT_RETURN_IF_ERROR(Advance(*first));
  return entry;
}

}  // namespace gluecat::transfer
