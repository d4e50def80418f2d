// The command `gluecat`.
#include <exception>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "cli/doctor_command.h"
#include "cli/get_command.h"
#include "cli/list_command.h"
#include "cli/outcome.h"
#include "cli/partitions_command.h"
#include "cli/put_command.h"
#include "cli/serve_command.h"
#include "cli/show_command.h"
#include "connect/http_access.h"

namespace {

namespace cli = gluecat::cli;
using gluecat::Status;

// Runs `command` on the catalog that `options` mean; it is about `object`.
template <typename Command>
int OnCatalog(const cli::CatalogOptions& options, cli::MissingDirectory missing,
              const std::string& object, const Command& command) {
  const auto access =
      cli::OpenCatalog(options, missing, gluecat::ProcessEnvironment(), gluecat::SystemClock());
  if (!access) {
    cli::WriteError(std::cerr, access.error(), {.object = object}, options.json);
    return cli::ExitCodeOf(access.error());
  }
  for (const auto& warning : access->settings.warnings) {
    std::cerr << "gluecat: warning: " << warning << '\n';
  }
  Status status = command(*access);
  if (status && !std::cout.flush()) {
    status = gluecat::Fail(gluecat::ErrorKind::kInternal, "the answer could not be written");
  }
  if (status) return cli::kExitOk;
  const std::string glue_id = access->settings.glue_id.value_or("");
  cli::WriteError(std::cerr, status.error(),
                  {.catalog = access->label, .glue_id = glue_id, .object = object}, options.json);
  return cli::ExitCodeOf(status.error());
}

// The same for a command that only reads.
template <typename Command>
int Reading(const cli::CatalogOptions& options, const std::string& object, const Command& command) {
  return OnCatalog(options, cli::MissingDirectory::kIsAnError, object, command);
}

int RunDoctor(const cli::DoctorOptions& options) {
  const auto diagnosis =
      cli::Diagnose(options.catalog, {.environment = gluecat::ProcessEnvironment(),
                                      .clock = gluecat::SystemClock(),
                                      .make_http = gluecat::connect::MakeHttpClient});
  cli::WriteDiagnosis(diagnosis, options.catalog.json, std::cout);
  return diagnosis.ok() ? cli::kExitOk : cli::kExitFailed;
}

int RunServe(const gluecat::server::ServeOptions& options) {
  const Status outcome = cli::RunServe(options);
  if (outcome) return cli::kExitOk;
  std::cerr << "gluecat: " << outcome.error().message << '\n';
  return cli::kExitFailed;
}

int Run(int argc, char** argv) {
  CLI::App app("Glue Data Catalogs: one on your own machine, and a look at any", "gluecat");
  app.set_version_flag("--version", "gluecat " GLUECAT_VERSION);
  app.require_subcommand(1);
  app.footer(
      "`gluecat COMMAND --help` has examples. Exit codes: 0 done, 1 failed, 2 wrong usage,\n"
      "3 not found.");
  cli::ListOptions list;
  cli::ShowOptions show;
  cli::PartitionsOptions partitions;
  cli::GetOptions get;
  cli::PutOptions put;
  cli::DoctorOptions doctor;
  gluecat::server::ServeOptions serve;
  serve.version = GLUECAT_VERSION;
  const CLI::App* const list_command = cli::AddListCommand(app, list);
  const CLI::App* const show_command = cli::AddShowCommand(app, show);
  const CLI::App* const partitions_command = cli::AddPartitionsCommand(app, partitions);
  const CLI::App* const get_command = cli::AddGetCommand(app, get);
  const CLI::App* const put_command = cli::AddPutCommand(app, put);
  const CLI::App* const doctor_command = cli::AddDoctorCommand(app, doctor);
  cli::AddServeCommand(app, serve);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kExitOk : cli::kExitUsage;
  }

  if (list_command->parsed()) {
    return Reading(list.catalog, list.database,
                   [&](const auto& access) { return cli::RunList(list, access, std::cout); });
  }
  if (show_command->parsed()) {
    return Reading(show.catalog, show.object,
                   [&](const auto& access) { return cli::RunShow(show, access, std::cout); });
  }
  if (partitions_command->parsed()) {
    return Reading(partitions.catalog, partitions.table, [&](const auto& access) {
      return cli::RunPartitions(partitions, access, std::cout);
    });
  }
  if (get_command->parsed()) {
    return Reading(get.catalog, get.object,
                   [&](const auto& access) { return cli::RunGet(get, access, std::cout); });
  }
  if (put_command->parsed()) {
    return OnCatalog(
        put.catalog, cli::MissingDirectory::kIsMade, put.object,
        [&](const auto& access) { return cli::RunPut(put, access, std::cin, std::cout); });
  }
  if (doctor_command->parsed()) return RunDoctor(doctor);
  return RunServe(serve);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "gluecat: " << error.what() << '\n';
    return cli::kExitFailed;
  }
}
