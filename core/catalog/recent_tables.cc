#include "core/catalog/recent_tables.h"

#include <algorithm>
#include <utility>

namespace gluecat::catalog {

namespace {

// Makes room for `key` by dropping the oldest.
template <typename Map>
void MakeRoom(Map& remembered, const std::string& key, std::size_t capacity) {
  if (remembered.size() < capacity || remembered.contains(key)) return;
  remembered.erase(std::ranges::min_element(
      remembered, {}, [](const auto& entry) { return entry.second.read_at; }));
}

}  // namespace

RecentTables::RecentTables(std::shared_ptr<Clock> clock) : clock_(std::move(clock)) {}

void RecentTables::Put(const std::string& key, glue::Table table) {
  const std::lock_guard lock(mutex_);
  MakeRoom(tables_, key, kCapacity);
  tables_.insert_or_assign(key, Remembered{std::move(table), clock_->SteadyNow()});
}

std::optional<glue::Table> RecentTables::Take(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = tables_.find(key);
  if (found == tables_.end()) return std::nullopt;
  Remembered remembered = std::move(found->second);
  tables_.erase(found);
  const bool fresh = clock_->SteadyNow() - remembered.read_at <= kMaxAge;
  if (!fresh || !remembered.table.version_id) return std::nullopt;
  return std::move(remembered.table);
}

void RecentTables::Forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  tables_.erase(key);
}

RecentDatabases::RecentDatabases(std::shared_ptr<Clock> clock) : clock_(std::move(clock)) {}

void RecentDatabases::Put(const glue::Database& database) {
  const std::lock_guard lock(mutex_);
  MakeRoom(databases_, database.name, kCapacity);
  databases_.insert_or_assign(database.name, Remembered{database, clock_->SteadyNow()});
}

std::optional<glue::Database> RecentDatabases::Take(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = databases_.find(name);
  if (found == databases_.end()) return std::nullopt;
  Remembered remembered = std::move(found->second);
  databases_.erase(found);
  if (clock_->SteadyNow() - remembered.read_at > kMaxAge) return std::nullopt;
  return std::move(remembered.database);
}

void RecentDatabases::Forget(const std::string& name) {
  const std::lock_guard lock(mutex_);
  databases_.erase(name);
}

}  // namespace gluecat::catalog
