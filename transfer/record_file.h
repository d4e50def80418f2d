// A file without a name for what is too much for memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace gluecat::transfer {

using Record = std::vector<std::string>;

// Records in the order they were written, in the directory for temporary files. The
// system frees the space when the object goes, also after a crash. Movable.
class RecordFile {
 public:
  // Errors: kUnavailable, naming the directory.
  static Result<RecordFile> Create();
  RecordFile(RecordFile&&) noexcept;
  RecordFile& operator=(RecordFile&&) noexcept;
  ~RecordFile();

  // Errors: kUnavailable if the disk takes no more.
  Status Append(const Record& record);
  Status Flush();

  // Behind the last record: where the next one will begin.
  std::uint64_t end() const { return written_ + buffer_.size(); }

  // Reads the records from `from` up to `to`, which must have been flushed. The file
  // must outlive it and may be moved meanwhile.
  class Reader {
   public:
    Reader(const RecordFile& file, std::uint64_t from, std::uint64_t to);
    // None behind the last one. Errors: kUnavailable.
    Result<std::optional<Record>> Next();

   private:
    // At least `count` bytes at the front of what is unread.
    Status Fill(std::size_t count);
    Result<std::uint32_t> Number();

    int descriptor_;
    std::uint64_t at_;  // of the first byte that is not in buffer_
    std::uint64_t to_;
    std::string buffer_;
    std::size_t used_ = 0;
  };

 private:
  // Closed with its last owner.
  class Descriptor;
  explicit RecordFile(std::unique_ptr<Descriptor> descriptor);

  std::unique_ptr<Descriptor> descriptor_;
  std::uint64_t written_ = 0;
  std::string buffer_;
};

}  // namespace gluecat::transfer
