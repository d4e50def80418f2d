// A file that is there in whole or not at all.
#pragma once

#include <fstream>
#include <memory>
#include <ostream>
#include <string>

#include "core/base/result.h"

namespace gluecat::cli {

// What is written goes to a file beside it, "<path>.part", which takes the place of `path`
// in the end: a file that was there stays as it was until then, and if the work is given up.
// Devices and pipes are written as they are.
class ReplacedFile {
 public:
  // Errors: kInvalidArgument, naming the file.
  static Result<ReplacedFile> Open(const std::string& path);

  ReplacedFile(ReplacedFile&&) = default;
  ReplacedFile& operator=(ReplacedFile&&) = delete;
  // Removes what was written if Commit() was not reached.
  ~ReplacedFile();

  std::ostream& stream() { return *stream_; }

  // Errors: kUnavailable, naming the file.
  Status Commit();

 private:
  ReplacedFile(std::string path, std::string written)
      : path_(std::move(path)), written_(std::move(written)) {}

  std::string path_;
  std::string written_;  // where the bytes go
  std::unique_ptr<std::ofstream> stream_;
};

}  // namespace gluecat::cli
