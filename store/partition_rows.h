// Partitions as rows: what the reading and the writing operations share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/prune/expression.h"
#include "store/lookup.h"
#include "store/operation.h"

namespace gluecat::store {

std::vector<prune::PartitionKey> PartitionKeysOf(const TableRow& table);

// The values in `list`, checked against the number of the table's keys.
// Errors: InvalidInputException.
Result<std::vector<std::string_view>> ValuesOf(const TableRow& table, std::size_t key_count,
                                               JsonView list);

// Puts partitions together from their stored pieces.
class PartitionWriter {
 public:
  PartitionWriter(Call& call, const TableRow& table, bool with_columns);

  // Appends the partition in the row that `select` stands on, whose columns are
  // kPartitionPieces from `first` on, to `out`.
  Status Write(const Statement& select, int first, std::string& out);

 private:
  Result<std::string_view> Columns(std::int64_t id);

  Call& call_;
  bool with_columns_;
  std::string common_;
  std::unordered_map<std::int64_t, std::string> columns_;
};

// "columns_id, creation_time, head, tail": in SELECT lists.
#define GLUECAT_PARTITION_PIECES "columns_id, creation_time, head, tail"

// The partition that the call's PartitionValues name, as JSON. Errors: EntityNotFoundException.
Result<std::string> ReadPartition(Call& call, const TableRow& table);

// A listing of partitions: the operation, the member of the answer, and what each partition is
// put between.
struct PartitionListing {
  std::string_view operation;
  std::string_view member;
  std::string_view before;
  std::string_view after;
};

// One page of `table` as the call wants it (Expression, Segment, NextToken, MaxResults,
// ExcludeColumnSchema).
Result<std::string> ListPartitions(Call& call, const TableRow& table,
                                   const PartitionListing& listing);

// The stored pieces of a PartitionInput.
struct PartitionPieces {
  std::string head;
  std::optional<std::string> columns;
  std::string tail;
};
PartitionPieces TakeApart(JsonView input, const std::vector<std::string_view>& values);

}  // namespace gluecat::store
