// Entries of a listing, brought into one order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "transfer/record_file.h"

namespace gluecat::transfer {

// Glue's API promises no order of its listings. This takes their entries as they come
// and gives them out by key, in the order of its bytes. A key that comes twice, as when a
// listing and a change cross, is given out once. What does not fit into `memory` bytes waits in a
// temporary file.
class SortedEntries {
 public:
  struct Entry {
    std::string key;
    std::string text;
    std::string version;  // of a table
  };

  static constexpr std::size_t kMemory = 32UL * 1024 * 1024;
  explicit SortedEntries(std::size_t memory = kMemory) : memory_(memory) {}

  // Errors: kUnavailable (the temporary file).
  Status Add(Entry entry);

  // None behind the last one. Nothing may be added after the first call.
  // Errors: kUnavailable.
  Result<std::optional<Entry>> Next();

 private:
  // Sorted entries in the file, and the first that was not given out.
  struct Run {
    RecordFile::Reader reader;
    std::optional<Entry> head;
  };
  Status Spill();
  Status BeginReading();
  Result<std::optional<Entry>> NextOfAll();
  static Status Advance(Run& run);

  std::size_t memory_;
  std::size_t used_ = 0;
  std::vector<Entry> pending_;
  std::optional<RecordFile> file_;
  std::vector<std::uint64_t> ends_;  // of the runs in the file
  std::vector<Run> runs_;
  bool reading_ = false;
  std::size_t next_ = 0;             // of pending_, if nothing was spilt
  std::optional<std::string> last_;  // key that was given out
};

}  // namespace gluecat::transfer
