#include "cli/transfer_command.h"

#include <utility>

#include "cli/choice.h"
#include "cli/transfer_report.h"
#include "transfer/apply.h"
#include "transfer/plan.h"

namespace gluecat::cli {
namespace {

using transfer::OnConflict;

OnConflict ParseOnConflict(const std::string& value) {
  if (value == "skip") return OnConflict::kSkip;
  return value == "replace" ? OnConflict::kReplace : OnConflict::kFail;
}

Result<transfer::PlanOptions> PlanOptionsOf(const TransferOptions& options) {
  transfer::PlanOptions plan;
  plan.database = options.as;
  plan.on_conflict = ParseOnConflict(options.on_conflict);
  for (const auto& text : options.location_prefixes) {
    GLUECAT_ASSIGN_OR_RETURN(auto prefix, transfer::ParseLocationPrefix(text));
    plan.location_prefixes.push_back(std::move(prefix));
  }
  return plan;
}

}  // namespace

void AddTransferOptions(CLI::App& command, TransferOptions& options) {
  command.add_option("--as", options.as, "Another name for the database in the target")
      ->type_name("NAME");
  CLI::Option* const on_conflict = command.add_option(
      "--on-conflict", options.on_conflict,
      "What to do about entries that the target has already, but differently: fail before "
      "anything is written, skip them, or replace them");
  OnlyOneOf(*on_conflict->capture_default_str(), {"fail", "skip", "replace"});
  command
      .add_option("--location-prefix", options.location_prefixes,
                  "Let locations that begin with FROM begin with TO; may be repeated")
      ->type_name("FROM=TO")
      ->take_all()
      ->allow_extra_args(false);
  command.add_flag("--dry-run", options.dry_run, "Say what would be written, and write nothing");
  command.add_flag("--quiet", options.quiet, "No progress on the terminal");
}

void AddStatisticsOption(CLI::App& command, std::string& value) {
  CLI::Option* const statistics = command.add_option(
      "--statistics", value,
      "Column statistics: of tables takes a request for each table, all one more for each "
      "partition");
  OnlyOneOf(*statistics->capture_default_str(), {"none", "tables", "all"});
}

transfer::Statistics ParseStatistics(const std::string& value) {
  if (value == "none") return transfer::Statistics::kNone;
  return value == "all" ? transfer::Statistics::kAll : transfer::Statistics::kTables;
}

Result<bool> RunTransfer(const std::vector<DatabaseSource>& sources, const TransferOptions& options,
                         const CatalogAccess& target, bool json, transfer::Progress& progress,
                         std::ostream& out) {
  GLUECAT_ASSIGN_OR_RETURN(const auto plan, PlanOptionsOf(options));
  GLUECAT_ASSIGN_OR_RETURN(auto work, transfer::WorkList::Create());
  transfer::Report report;
  for (const auto& source : sources) {
    transfer::Planner planner(target.client, plan, work, report, progress);
    GLUECAT_RETURN_IF_ERROR(source(planner));
  }
  const bool refused = report.Sum(&transfer::Counts::conflicting) > 0;
  Status applied;
  if (!options.dry_run && !refused) {
    applied = transfer::Apply(work, target.client, report, progress);
  }
  progress.End();
  const Outcome outcome = options.dry_run ? Outcome::kDryRun
                          : refused       ? Outcome::kRefused
                                          : Outcome::kWritten;
  json ? WriteReportJson(report, outcome, out) : WriteReportText(report, outcome, out);
  if (!applied) return Fail(applied.error());
  return !refused && report.failures.empty();
}

}  // namespace gluecat::cli
