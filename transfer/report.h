// What a transfer found and did.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "transfer/entry_text.h"

namespace gluecat::transfer {

enum class Kind : std::uint8_t {
  kDatabase,
  kFunction,
  kTable,
  kPartitionIndex,
  kPartition,
  kColumnStatistics,  // all of one table or partition
};
inline constexpr std::size_t kKinds = 6;

// "database", "function", "table", "partition_index", "partition", "column_statistics"
std::string_view KindName(Kind kind);

// Entries of one kind. Before anything is written, and in a dry run, `created` and
// `changed` are what is to be done.
struct Counts {
  std::uint64_t created = 0;
  std::uint64_t changed = 0;
  std::uint64_t same = 0;         // in the target already
  std::uint64_t conflicting = 0;  // in the target and different, to be left alone
  std::uint64_t skipped = 0;      // the same, because that was asked for
  std::uint64_t failed = 0;
};

struct DatabaseCounts {
  std::string name;  // in the target
  std::array<Counts, kKinds> counts;
};

// What an entry of the list below is about.
struct Subject {
  Kind kind = Kind::kDatabase;
  std::string object;  // "sales", "sales.orders"; of an index or function with its name
  std::vector<std::string> values;  // of a partition
};

// An entry that source and target have differently, and what becomes of it.
enum class Resolution : std::uint8_t { kConflicting, kSkipped, kChanged };
struct Conflict {
  Subject subject;
  Resolution resolution = Resolution::kConflicting;
  std::vector<Difference> differences;
};

// An entry that is to be written: for partitions, how many of a table.
struct PlannedWork {
  Kind kind = Kind::kDatabase;
  std::string object;
  bool create = true;
  std::uint64_t count = 1;
};

struct Failure {
  Subject subject;
  Error error;
};

// A list that keeps its first elements and counts the others.
template <typename T>
class BoundedList {
 public:
  explicit BoundedList(std::size_t most) : most_(most) {}
  void Add(T element) {
    if (elements_.size() < most_) {
      elements_.push_back(std::move(element));
    } else {
      ++left_out_;
    }
  }
  const std::vector<T>& elements() const { return elements_; }
  std::uint64_t left_out() const { return left_out_; }
  bool empty() const { return elements_.empty(); }

 private:
  std::size_t most_;
  std::vector<T> elements_;
  std::uint64_t left_out_ = 0;
};

struct Report {
  static constexpr std::size_t kListed = 1000;

  std::vector<DatabaseCounts> databases;
  BoundedList<Conflict> conflicts{kListed};
  BoundedList<PlannedWork> planned{10 * kListed};
  BoundedList<Failure> failures{kListed};
  // Entries that were to be written when the work was stopped.
  std::uint64_t unfinished = 0;

  // Those of the database that came last.
  Counts& Last(Kind kind) { return databases.back().counts[static_cast<std::size_t>(kind)]; }
  std::uint64_t Sum(std::uint64_t Counts::* member) const;
  void Fail(Subject subject, Error error);
};

}  // namespace gluecat::transfer
