// What `cache.expiration-interval-ms` allows: entries of tables that a load takes
// instead of asking Glue again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/glue/model.h"

namespace gluecat::catalog {

// A process sees what it has written itself: an entry counts only as long as no
// write of this process has ended since it was asked for, to whatever table and
// through whichever catalog. What others write is seen once the entry is too old.
// One cache serves one catalog, so one identity. Thread-safe.
class CachedTables {
 public:
  // `most_age` of zero: nothing is ever kept.
  CachedTables(std::shared_ptr<Clock> clock, std::chrono::milliseconds most_age);

  // nullopt if there is none that counts. `written` is glue::Client::WritesEnded().
  std::optional<glue::Table> Get(const std::string& key, std::uint64_t written);

  // `written` is what WritesEnded said before the entry was asked for.
  void Put(const std::string& key, const glue::Table& table, std::uint64_t written);

  void Forget(const std::string& key);

 private:
  struct Cached {
    glue::Table table;
    Deadline asked_at;
    std::uint64_t written;
  };
  static constexpr std::size_t kCapacity = 1000;

  std::shared_ptr<Clock> clock_;
  std::chrono::milliseconds most_age_;
  std::mutex mutex_;
  std::map<std::string, Cached> tables_;
};

}  // namespace gluecat::catalog
