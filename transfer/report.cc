#include "transfer/report.h"

namespace gluecat::transfer {

std::string_view KindName(Kind kind) {
  constexpr std::array<std::string_view, kKinds> kNames = {
      "database", "function", "table", "partition_index", "partition", "column_statistics"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::uint64_t Report::Sum(std::uint64_t Counts::* member) const {
  std::uint64_t sum = 0;
  for (const auto& database : databases) {
    for (const Counts& counts : database.counts) sum += counts.*member;
  }
  return sum;
}

void Report::Fail(Subject subject, Error error) {
  failures.Add({std::move(subject), std::move(error)});
}

}  // namespace gluecat::transfer
