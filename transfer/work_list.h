// What is to be written, found out before the first write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "transfer/record_file.h"

namespace gluecat::transfer {

struct Work {
  enum class Action : std::uint8_t {
    kDatabase,
    kFunction,
    kTable,
    kPartitionIndex,
    kPartition,
    kTableStatistics,
    kPartitionStatistics,
  };

  Action action = Action::kDatabase;
  bool create = true;          // else the entry is there and is updated
  std::uint32_t database = 0;  // its position in Report::databases
  std::string table = {};      // but for databases and functions
  std::string text = {};       // TextOf() the entry, or a list of column statistics
  // For a table to update its VersionId; for one to create the list of its indexes; for
  // partition statistics the partition's values. JSON but for the version.
  std::string more = {};
};

// In a temporary file, so that its size does not matter. Column statistics come behind
// everything else: so partitions stand together and are written in full batches.
class WorkList {
 public:
  static Result<WorkList> Create();

  // Errors: kUnavailable.
  Status Add(const Work& work);

  class Reader {
   public:
    // None behind the last one. Errors: kUnavailable.
    Result<std::optional<Work>> Next();

   private:
    friend class WorkList;
    Reader(RecordFile::Reader entries, RecordFile::Reader statistics)
        : entries_(std::move(entries)), statistics_(std::move(statistics)) {}
    RecordFile::Reader entries_;
    RecordFile::Reader statistics_;
  };
  // From the beginning. Errors: kUnavailable.
  Result<Reader> Read();

 private:
  WorkList(RecordFile entries, RecordFile statistics)
      : entries_(std::move(entries)), statistics_(std::move(statistics)) {}
  RecordFile entries_;
  RecordFile statistics_;
};

}  // namespace gluecat::transfer
