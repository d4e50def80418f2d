// The file of an export: JSON Lines, one entry a line (docs/command.md).
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "transfer/records.h"

namespace gluecat::transfer {

// Lines above this are refused: a request of Glue's does not take as much either.
inline constexpr std::size_t kMaxLineBytes = 32UL * 1024 * 1024;

// Writes one database. The same database gives the same bytes: entries come in order, and
// the file holds no time, version or account of its own.
class ExportWriter final : public RecordSink {
 public:
  struct Counts {
    std::uint64_t functions = 0;
    std::uint64_t tables = 0;
    std::uint64_t partitions = 0;
  };
  struct UnreadableTable {
    std::string name;
    Error error;
  };

  // `out` must outlive it.
  explicit ExportWriter(std::ostream& out) : out_(out) {}

  // Errors of all: kUnavailable if `out` takes no more.
  Status Database(const glue::Database& database) override;
  Status Function(const glue::UserDefinedFunction& function) override;
  Result<bool> Table(const TableRecord& record) override;
  Status Partition(const PartitionRecord& record) override;
  Status Unreadable(const std::string& table, const Error& error) override;
  Status End() override;

  const Counts& counts() const { return counts_; }
  // They are not in the file.
  const std::vector<UnreadableTable>& unreadable() const { return unreadable_; }

 private:
  Status WriteLine(const std::string& line);

  std::ostream& out_;
  Counts counts_;
  std::string table_;
  std::vector<UnreadableTable> unreadable_;
};

// Shows the export in `in` to `sink`; `name` is that of the file. The last line says how
// many there were: a file that was cut off is an error, and End() is not called.
//
// Errors: those of `sink`; kInvalidData, with name and line, for a line that is too long,
// no JSON or no entry, for another version of the format, and for lines out of order.
Status ReadExport(std::istream& in, const std::string& name, RecordSink& sink);

}  // namespace gluecat::transfer
