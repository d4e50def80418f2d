// Finding partitions by the values of their keys, without looking at all of them.
//
// Partitions lie in the order of their keys (partition_key.h), which finds those with given values
// of the first string keys. A partition index of the table keeps the same keys in the order of the
// values that it is made of, each in the one spelling of its type (an int "07" as 7), which finds
// those with given values of the first keys of the index.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/prune/expression.h"
#include "store/lookup.h"
#include "store/operation.h"

namespace gluecat::store {

// The partition indexes of a table that are kept up to date. Those that older versions made are
// declared only and not among them.
class FilledIndexes {
 public:
  struct Index {
    std::string name;                // folded
    std::vector<std::size_t> keys;   // numbers of the table's partition keys
    std::vector<std::string> types;  // theirs

    // The value of a partition in the index.
    std::string ValueOf(const std::vector<std::string_view>& values) const;
  };

  static Result<FilledIndexes> Of(Call& call, const TableRow& table,
                                  const std::vector<prune::PartitionKey>& keys);

  Status Add(Call& call, const std::vector<std::string_view>& values, std::string_view key,
             std::int64_t partition_id) const;
  Status Remove(Call& call, const std::vector<std::string_view>& values,
                std::string_view key) const;

  const std::vector<Index>& indexes() const { return indexes_; }

 private:
  std::int64_t table_id_ = 0;
  std::vector<Index> indexes_;
};

// Fills the PartitionIndex `index` of a request, which the table has just got.
Status FillIndex(Call& call, const TableRow& table, const std::vector<prune::PartitionKey>& keys,
                 JsonView index);
Status EmptyIndex(Call& call, const TableRow& table, std::string_view name);

// The partitions that an expression may match, one after the other: all that do, and as few others
// as an index or the order of keys can tell.
class PartitionScan {
 public:
  // `after` is a position that this or an earlier scan of the same listing gave, or empty. A scan
  // that goes on keeps to the index that it began with.
  // Errors: InvalidInputException if that index is no more.
  static Result<PartitionScan> Begin(Call& call, const TableRow& table,
                                     const std::vector<prune::PartitionKey>& keys,
                                     const prune::Expression& expression, std::string_view after);

  Result<bool> Next() { return select_.Step(); }

  // Of the current partition, valid until Next.
  std::string_view key() const { return select_.Blob(0); }
  std::int64_t id() const { return select_.Int(1); }
  std::string Position() const;

 private:
  // Where a scan goes: an index, or the partitions' own order if its name is empty.
  struct Range {
    std::string index;
    std::string first;  // what all begin with
  };
  // What the statement's parameters point to.
  struct Bound {
    std::string index, from, from_key, to;
  };
  static std::vector<std::string> SharedKeys(const std::vector<prune::PartitionKey>& keys,
                                             const std::vector<std::optional<std::string>>& given);
  static Result<Range> Choose(Call& call, const TableRow& table,
                              const std::vector<prune::PartitionKey>& keys,
                              const prune::Expression& expression);
  static Result<Range> Continue(Call& call, const TableRow& table,
                                const std::vector<prune::PartitionKey>& keys,
                                const prune::Expression& expression, std::string_view index_name);

  PartitionScan(Statement select, std::unique_ptr<Bound> bound)
      : bound_(std::move(bound)), select_(std::move(select)) {}

  std::unique_ptr<Bound> bound_;  // outlives the statement that reads it
  Statement select_;
};

}  // namespace gluecat::store
