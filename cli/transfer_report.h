// The report of a transfer, for people and for programs.
#pragma once

#include <cstdint>
#include <ostream>

#include "core/base/json.h"
#include "transfer/report.h"

namespace gluecat::cli {

enum class Outcome : std::uint8_t {
  kWritten,
  kDryRun,   // nothing was to be written
  kRefused,  // nothing was written, since entries are in conflict
};

// Conflicts with what differs, refusals, and a table of the counts; for a dry run also what
// would be written.
void WriteReportText(const transfer::Report& report, Outcome outcome, std::ostream& out);

// One line (docs/command.md, "Shapes").
void WriteReportJson(const transfer::Report& report, Outcome outcome, std::ostream& out);

// {"kind":…,"object":…,"values":[…],"error":{…}}
void WriteFailureJson(const transfer::Failure& failure, JsonWriter& writer);

// "failed: partition sales.orders [2026, 7]: …"
void WriteFailureText(const transfer::Failure& failure, std::ostream& out);

}  // namespace gluecat::cli
