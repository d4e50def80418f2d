// What `gluecat import` and `gluecat copy` have in common: bringing databases into a catalog.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "core/base/result.h"
#include "transfer/catalog_source.h"
#include "transfer/progress.h"
#include "transfer/records.h"

namespace gluecat::cli {

struct TransferOptions {
  std::string as;  // the database's name in the target; empty: its own
  std::string on_conflict = "fail";
  std::vector<std::string> location_prefixes;  // "FROM=TO"
  bool dry_run = false;
  bool quiet = false;
};

// Declares them for `command`.
void AddTransferOptions(CLI::App& command, TransferOptions& options);

// Declares --statistics; `value` is one of none, tables and all.
void AddStatisticsOption(CLI::App& command, std::string& value);

// What a value of --statistics means; the command line admits no other.
transfer::Statistics ParseStatistics(const std::string& value);

// One database, shown to a sink.
using DatabaseSource = std::function<Status(transfer::RecordSink&)>;

// Compares all of `sources` with the catalog `target`, writes what is missing or, if
// that was asked for, different, and then the report: text, or with `json` one line
// (docs/command.md). Nothing is written before the last source was read to its end, nor
// in a dry run, nor if entries are in conflict and that was to fail.
//
// False if something is left to do: entries in conflict, or refused. Errors: those of the
// sources and of transfer::Planner, before anything was written; those of transfer::Apply,
// behind a report of what was done; kInvalidArgument for a location prefix that is none.
Result<bool> RunTransfer(const std::vector<DatabaseSource>& sources, const TransferOptions& options,
                         const CatalogAccess& target, bool json, transfer::Progress& progress,
                         std::ostream& out);

}  // namespace gluecat::cli
