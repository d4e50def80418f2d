// Entries and databases read a moment ago, so that the ALTER or CREATE that
// follows a load of the same statement need not read again.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/glue/model.h"

namespace gluecat::catalog {

// Not a cache: an entry is given out once, and only within a few seconds. A
// change computed from it carries its VersionId, so a stale one is refused by
// Glue and read again. Thread-safe.
class RecentTables {
 public:
  explicit RecentTables(std::shared_ptr<Clock> clock);

  // Remembers `table` under `key`, replacing what was there.
  void Put(const std::string& key, glue::Table table);

  // Takes the entry out; nullopt if there is none, it is older than the limit,
  // or it has no VersionId to guard a change with.
  std::optional<glue::Table> Take(const std::string& key);

  void Forget(const std::string& key);

 private:
  struct Remembered {
    glue::Table table;
    Deadline read_at;
  };
  static constexpr std::size_t kCapacity = 64;
  static constexpr std::chrono::seconds kMaxAge{5};

  std::shared_ptr<Clock> clock_;
  std::mutex mutex_;
  std::map<std::string, Remembered> tables_;
};

// The same for databases. They have no version: what is computed from one is
// where a new table lies, and its statement has just read that. Thread-safe.
class RecentDatabases {
 public:
  explicit RecentDatabases(std::shared_ptr<Clock> clock);

  void Put(const glue::Database& database);

  // Takes the database out; nullopt if there is none or it is older than the limit.
  std::optional<glue::Database> Take(const std::string& name);

  void Forget(const std::string& name);

 private:
  struct Remembered {
    glue::Database database;
    Deadline read_at;
  };
  static constexpr std::size_t kCapacity = 64;
  static constexpr std::chrono::seconds kMaxAge{10};

  std::shared_ptr<Clock> clock_;
  std::mutex mutex_;
  std::map<std::string, Remembered> databases_;
};

}  // namespace gluecat::catalog
