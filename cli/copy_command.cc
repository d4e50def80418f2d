#include "cli/copy_command.h"

#include <algorithm>

#include "cli/object_name.h"
#include "core/base/text.h"

namespace gluecat::cli {
namespace {

Result<std::vector<std::string>> DatabasesOf(const CopyOptions& options,
                                             const CatalogAccess& source) {
  std::vector<std::string> names;
  if (options.all == !options.databases.empty()) {
    return Fail(ErrorKind::kInvalidArgument, "name the databases to copy, or give --all");
  }
  if (options.all) {
    GLUECAT_ASSIGN_OR_RETURN(const auto databases, source.client.GetDatabases({}));
    for (const auto& database : databases) names.push_back(database.name);
    std::ranges::sort(names);
    return names;
  }
  for (const auto& text : options.databases) {
    GLUECAT_ASSIGN_OR_RETURN(names.emplace_back(), ParseDatabaseName(text));
  }
  return names;
}

// True if both options lead to the same catalog, as far as can be told without asking.
bool SameCatalog(const CopyOptions& options) {
  const CatalogOptions source = Completed(options.source, options.common);
  const CatalogOptions target = Completed(options.target, options.common);
  return source.endpoint == target.endpoint && source.region == target.region &&
         source.glue_id == target.glue_id && source.profile == target.profile &&
         source.conf == target.conf;
}

}  // namespace

CLI::App* AddCopyCommand(CLI::App& app, CopyOptions& options) {
  CLI::App* const command =
      app.add_subcommand("copy", "Copy whole databases from one catalog to another");
  command->add_option("databases", options.databases, "Databases of the source")
      ->type_name("DATABASE");
  command->add_flag("--all", options.all, "Every database of the source");
  AddStatisticsOption(*command, options.statistics);
  AddTransferOptions(*command, options.transfer);
  AddCatalogOptions(*command, options.common);
  AddCatalogOptionsOf("source", *command, options.source);
  AddCatalogOptionsOf("target", *command, options.target);
  command->footer(
      "--endpoint, --region, … count for both catalogs, unless the source or the target\n"
      "has its own.\n"
      "Examples:\n  gluecat copy sales --source-profile prod --target-profile test --dry-run\n"
      "  gluecat copy sales hr --region eu-central-1 --source-glue-id 111111111111 "
      "--target-glue-id 222222222222\n"
      "  gluecat copy sales --target-endpoint local:/tmp/glue --on-conflict replace\n"
      "  gluecat copy sales --as sales_test --location-prefix s3://prod/=s3://test/");
  return command;
}

Result<bool> RunCopy(const CopyOptions& options, const CatalogAccess& source,
                     const CatalogAccess& target, transfer::Progress& progress, std::ostream& out) {
  TransferOptions transfer = options.transfer;
  if (!transfer.as.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(transfer.as, ParseDatabaseName(transfer.as));
    if (options.all || options.databases.size() > 1) {
      return Fail(ErrorKind::kInvalidArgument, "--as names one database; copy one at a time");
    }
  }
  if (SameCatalog(options) &&
      (transfer.as.empty() || EqualsIgnoreCase(transfer.as, options.databases.front()))) {
    return Fail(ErrorKind::kInvalidArgument,
                "source and target are the same catalog; say which they are with --source-… and "
                "--target-…, or give the copy another name with --as");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto databases, DatabasesOf(options, source));
  std::vector<DatabaseSource> sources;
  sources.reserve(databases.size());
  for (const auto& database : databases) {
    sources.emplace_back([&, database](transfer::RecordSink& sink) {
      return transfer::ReadCatalog(source.client, database, ParseStatistics(options.statistics),
                                   sink);
    });
  }
  return RunTransfer(sources, transfer, target, options.common.json, progress, out);
}

}  // namespace gluecat::cli
