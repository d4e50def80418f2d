// Who may open a store's directory, and when.
//
// Processes may share a directory: SQLite's own locks keep them apart. Two copies
// of SQLite inside one process may not: those locks belong to the process, so the
// copies would not see each other. (A JVM has two copies if two class loaders
// load the native library.) And only one opener at a time may create the file.
#pragma once

#include <memory>
#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"

namespace gluecat::store {

class DirectoryLock {
 public:
  // Waits for other openers of `directory`, which must exist, to finish; holds them off until
  // FinishOpening. The mark that this process uses the directory stays for the life of the object.
  // Errors: kUnavailable (no lock within 15 s, or locks do not work there);
  // kUnsupported (another copy of this library in this process has it open).
  static Result<DirectoryLock> Take(const std::string& directory, Clock& clock);

  DirectoryLock(DirectoryLock&&) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

  void FinishOpening();

 private:
  class LockedFile;
  DirectoryLock(std::unique_ptr<LockedFile> opening, std::shared_ptr<LockedFile> mark);

  std::unique_ptr<LockedFile> opening_;
  std::shared_ptr<LockedFile> mark_;
};

}  // namespace gluecat::store
