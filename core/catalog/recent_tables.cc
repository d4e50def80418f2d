#include "core/catalog/recent_tables.h"

#include <algorithm>
#include <utility>

namespace gluecat::catalog {

RecentTables::RecentTables(std::shared_ptr<Clock> clock) : clock_(std::move(clock)) {}

void RecentTables::Put(const std::string& key, glue::Table table) {
  const std::lock_guard lock(mutex_);
  if (tables_.size() >= kCapacity && !tables_.contains(key)) {
    tables_.erase(std::min_element(tables_.begin(), tables_.end(), [](const auto& a, const auto& b) {
      return a.second.read_at < b.second.read_at;
    }));
  }
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

}  // namespace gluecat::catalog
