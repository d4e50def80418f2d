// The entry of a table, as answers show it, from a TableInput.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "store/operation.h"

namespace gluecat::store {

// Where a table is, and what it is called there.
struct TablePlace {
  std::string_view catalog_id;
  std::string_view database;
  std::string_view name;
};

struct TableHistory {
  std::string create_time;
  std::string created_by;
  std::int64_t version = 0;
};

// How an entry differs from the input that it is made of.
struct EntryChanges {
  std::vector<std::string_view> left_out;
  std::vector<std::pair<std::string_view, std::string>> added;  // as JSON; they leave out the same
};

std::string EntryOf(const Call& call, JsonView input, const TablePlace& place,
                    const TableHistory& history, const EntryChanges& changes);

// Name and type of the partition keys: what partitions are checked and filtered by.
std::string PartitionKeysOf(JsonView input);

}  // namespace gluecat::store
