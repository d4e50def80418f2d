// Entries as text that two catalogs can be compared by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/glue/model.h"

namespace gluecat::transfer {

// The entry as the API's input structure (DatabaseInput, …) in compact JSON, the members
// of every object in the order of their names: equal entries give equal texts, whatever
// order their catalogs keep. Members that only answers have are left out, members the
// API does not know are there.
std::string TextOf(const glue::Database& database);
std::string TextOf(const glue::Table& table);
std::string TextOf(const glue::UserDefinedFunction& function);
std::string TextOf(const glue::Partition& partition);
std::string TextOf(const glue::PartitionIndex& index);
std::string TextOf(const glue::ColumnStatistics& statistics);

// `value` with the members of every object in the order of their names.
std::string SortedJson(JsonView value);

// A text whose order is that of the values, one after the other.
std::string PartitionKey(const std::vector<std::string>& values);

// One member that two entries have different values for.
struct Difference {
  std::string member;  // "StorageDescriptor.Columns[2].Type"
  // As compact JSON, long ones cut with "…"; empty if the entry has no such member.
  std::string source;
  std::string target;
  bool operator==(const Difference&) const = default;
};

// Where two texts of TextOf() differ; at most `most`.
//
// What Glue returns for a member that nobody set counts as no value: null, an empty list
// or map, false for Compressed and StoredAsSubDirectories, 0 for Retention, NumberOfBuckets,
// LastAccessTime and LastAnalyzedTime, REGULAR_FUNCTION for FunctionType (Glue's answers,
// and what its documentation shows). CreateTableDefaultPermissions that only the target has
// are its account's own default.
std::vector<Difference> Differences(std::string_view source, std::string_view target,
                                    std::size_t most = 20);

}  // namespace gluecat::transfer
