#include "core/entry/keys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"

namespace gluecat::entry {
namespace {

// "collation" is Spark 4.1's default collation of a table: its effect is in the
// columns already, and other engines know nothing of it.
constexpr std::array<std::string_view, 8> kReserved = {
    "EXTERNAL",        "table_type",        "transient_lastDdlTime",
    "gluecat.managed", "metadata_location", "previous_metadata_location",
    "presto_view",     "collation",
};

constexpr std::array<std::string_view, 6> kHiveStatistics = {
    "COLUMN_STATS_ACCURATE", "numFiles", "numPartitions", "numRows", "rawDataSize", "totalSize",
};

}  // namespace

const std::string* Find(const glue::Parameters& parameters, std::string_view key) {
  const auto found = parameters.find(std::string(key));
  return found == parameters.end() ? nullptr : &found->second;
}

const std::string* FindIgnoreCase(const glue::Parameters& parameters, std::string_view key) {
  if (const auto* exact = Find(parameters, key)) return exact;
  for (const auto& [name, value] : parameters) {
    if (EqualsIgnoreCase(name, key)) return &value;
  }
  return nullptr;
}

bool Is(const glue::Parameters& parameters, std::string_view key, std::string_view value) {
  const auto* found = Find(parameters, key);
  return found != nullptr && EqualsIgnoreCase(*found, value);
}

void Set(glue::Parameters& parameters, std::string_view key, std::string value) {
  parameters.insert_or_assign(std::string(key), std::move(value));
}

void Erase(glue::Parameters& parameters, std::string_view key) {
  parameters.erase(std::string(key));
}

void ErasePrefix(glue::Parameters& parameters, std::string_view prefix) {
  auto at = parameters.lower_bound(std::string(prefix));
  while (at != parameters.end() && at->first.starts_with(prefix)) at = parameters.erase(at);
}

void EraseHiveStatistics(glue::Parameters& parameters) {
  for (const std::string_view key : kHiveStatistics) Erase(parameters, key);
}

bool IsReservedProperty(std::string_view key) {
  if (key.size() >= kSparkPrefix.size() &&
      EqualsIgnoreCase(key.substr(0, kSparkPrefix.size()), kSparkPrefix)) {
    return true;
  }
  return std::ranges::any_of(kReserved,
                             [&](std::string_view name) { return EqualsIgnoreCase(name, key); });
}

bool IsFormatParameter(std::string_view key) {
  return IsReservedProperty(key) || key == kComment ||
         std::ranges::find(kHiveStatistics, key) != kHiveStatistics.end();
}

}  // namespace gluecat::entry
