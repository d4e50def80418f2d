#include "core/catalog/cached_tables.h"

#include <algorithm>
#include <utility>

namespace gluecat::catalog {

CachedTables::CachedTables(std::shared_ptr<Clock> clock, std::chrono::milliseconds most_age)
    : clock_(std::move(clock)), most_age_(most_age) {}

std::optional<glue::Table> CachedTables::Get(const std::string& key, std::uint64_t written) {
  if (most_age_.count() == 0) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto found = tables_.find(key);
  if (found == tables_.end()) return std::nullopt;
  const Cached& cached = found->second;
  if (cached.written != written || clock_->SteadyNow() - cached.asked_at >= most_age_) {
    tables_.erase(found);
    return std::nullopt;
  }
  return cached.table;
}

void CachedTables::Put(const std::string& key, const glue::Table& table, std::uint64_t written) {
  if (most_age_.count() == 0) return;
  const std::lock_guard lock(mutex_);
  if (tables_.size() >= kCapacity && !tables_.contains(key)) {
    tables_.erase(std::ranges::min_element(
        tables_, {}, [](const auto& entry) { return entry.second.asked_at; }));
  }
  tables_.insert_or_assign(key, Cached{table, clock_->SteadyNow(), written});
}

void CachedTables::Forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  tables_.erase(key);
}

}  // namespace gluecat::catalog
