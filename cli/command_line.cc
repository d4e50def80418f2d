#include "cli/command_line.h"

#include <algorithm>
#include <utility>

#include "cli/catalog_access.h"
#include "cli/completion_command.h"
#include "cli/copy_command.h"
#include "cli/doctor_command.h"
#include "cli/export_command.h"
#include "cli/get_command.h"
#include "cli/import_command.h"
#include "cli/list_command.h"
#include "cli/outcome.h"
#include "cli/partitions_command.h"
#include "cli/put_command.h"
#include "cli/serve_command.h"
#include "cli/show_command.h"
#include "cli/suggestion.h"
#include "cli/terminal_progress.h"
#include "connect/http_access.h"

namespace gluecat::cli {
namespace {

Result<CatalogAccess> Open(const CatalogOptions& options, MissingDirectory missing,
                           std::ostream& err) {
  auto access = OpenCatalog(options, missing, ProcessEnvironment(), SystemClock());
  if (access) {
    for (const auto& warning : access->settings.warnings) {
      err << "gluecat: warning: " << warning << '\n';
    }
  }
  return access;
}

// The exit code for what a command ended with; an error is said first.
int Finish(Result<bool> done, const Streams& streams, const ErrorSubject& subject, bool json) {
  if (!streams.out.flush() && done) {
    done = Fail(ErrorKind::kInternal, "the answer could not be written");
  }
  if (done) return *done ? kExitOk : kExitFailed;
  WriteError(streams.err, done.error(), subject, json);
  return ExitCodeOf(done.error());
}

// Runs `command` on the catalog that `options` mean; it is about `object`. It returns a
// Status, or whether all was done.
template <typename Command>
int OnCatalog(const CatalogOptions& options, MissingDirectory missing, const std::string& object,
              const Streams& streams, const Command& command) {
  const auto access = Open(options, missing, streams.err);
  if (!access) return Finish(Fail(access.error()), streams, {.object = object}, options.json);
  Result<bool> done = true;
  if constexpr (std::is_same_v<decltype(command(*access)), Status>) {
    if (const Status status = command(*access); !status) done = Fail(status.error());
  } else {
    done = command(*access);
  }
  const std::string glue_id = access->settings.glue_id.value_or("");
  return Finish(std::move(done), streams,
                {.catalog = access->label, .glue_id = glue_id, .object = object}, options.json);
}

std::unique_ptr<transfer::Progress> ProgressFor(const Streams& streams, bool quiet, bool json) {
  if (!streams.err_is_terminal || quiet || json) return std::make_unique<transfer::NoProgress>();
  return std::make_unique<TerminalProgress>(streams.err);
}

int RunDoctor(const DoctorOptions& options, const Streams& streams) {
  const auto diagnosis = Diagnose(options.catalog, {.environment = ProcessEnvironment(),
                                                    .clock = SystemClock(),
                                                    .make_http = connect::MakeHttpClient});
  WriteDiagnosis(diagnosis, options.catalog.json, streams.out);
  return diagnosis.ok() ? kExitOk : kExitFailed;
}

int RunCopyCommand(const CopyOptions& options, const Streams& streams) {
  const bool json = options.common.json;
  const auto source =
      Open(Completed(options.source, options.common), MissingDirectory::kIsAnError, streams.err);
  if (!source) {
    return Finish(Fail(WithContext(source.error(), "source")), streams, {}, json);
  }
  const auto missing =
      options.transfer.dry_run ? MissingDirectory::kIsAnError : MissingDirectory::kIsMade;
  const auto target = Open(Completed(options.target, options.common), missing, streams.err);
  if (!target) {
    return Finish(Fail(WithContext(target.error(), "target")), streams, {}, json);
  }
  const auto progress = ProgressFor(streams, options.transfer.quiet, json);
  auto done = RunCopy(options, *source, *target, *progress, streams.out);
  progress->End();
  const std::string both = source->label + " to " + target->label;
  return Finish(std::move(done), streams, {.catalog = both}, json);
}

// nullptr if there is none of this name.
const CLI::App* FindCommand(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands({});
  const auto found = std::ranges::find(commands, name, &CLI::App::get_name);
  return found == commands.end() ? nullptr : *found;
}

std::vector<std::string> NamesOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands({}))
    names.push_back(command->get_name());
  return names;
}

}  // namespace

struct CommandLine::Options {
  ListOptions list;
  ShowOptions show;
  PartitionsOptions partitions;
  GetOptions get;
  PutOptions put;
  ExportOptions export_options;
  ImportOptions import_options;
  CopyOptions copy;
  DoctorOptions doctor;
  server::ServeOptions serve;
  CompletionOptions completion;
  std::string help;
};

CommandLine::CommandLine(const std::string& version, const Streams& streams)
    : streams_(streams),
      app_("Glue Data Catalogs: one on your own machine, and a look at any", "gluecat"),
      options_(std::make_unique<Options>()) {
  app_.set_version_flag("--version", "gluecat " + version);
  app_.require_subcommand(1);
  app_.footer(
      "`gluecat COMMAND --help` has examples. Exit codes: 0 done, 1 failed, 2 wrong usage,\n"
      "3 not found.");
  AddCommands(version);
}

CommandLine::~CommandLine() = default;

void CommandLine::OnRun(CLI::App* command, std::function<int()> run) {
  commands_.emplace_back(command, std::move(run));
}

void CommandLine::AddCommands(const std::string& version) {
  auto& o = *options_;
  const auto reading = [this](const CatalogOptions& options, const std::string& object,
                              const auto& command) {
    return OnCatalog(options, MissingDirectory::kIsAnError, object, streams_, command);
  };
  OnRun(AddListCommand(app_, o.list), [this, &o, reading] {
    return reading(o.list.catalog, o.list.database, [&](const CatalogAccess& access) {
      return RunList(o.list, access, streams_.out);
    });
  });
  OnRun(AddShowCommand(app_, o.show), [this, &o, reading] {
    return reading(o.show.catalog, o.show.object, [&](const CatalogAccess& access) {
      return RunShow(o.show, access, streams_.out);
    });
  });
  OnRun(AddPartitionsCommand(app_, o.partitions), [this, &o, reading] {
    return reading(o.partitions.catalog, o.partitions.table, [&](const CatalogAccess& access) {
      return RunPartitions(o.partitions, access, streams_.out);
    });
  });
  OnRun(AddGetCommand(app_, o.get), [this, &o, reading] {
    return reading(o.get.catalog, o.get.object, [&](const CatalogAccess& access) {
      return RunGet(o.get, access, streams_.out);
    });
  });
  OnRun(AddPutCommand(app_, o.put), [this, &o] {
    return OnCatalog(o.put.catalog, MissingDirectory::kIsMade, o.put.object, streams_,
                     [&](const CatalogAccess& access) {
                       return RunPut(o.put, access, streams_.in, streams_.out);
                     });
  });
  AddTransfers();
  o.serve.version = version;
  AddOthers();
}

void CommandLine::AddTransfers() {
  auto& o = *options_;
  OnRun(AddExportCommand(app_, o.export_options), [this, &o] {
    const auto& options = o.export_options;
    const auto progress = ProgressFor(streams_, options.quiet, options.catalog.json);
    return OnCatalog(options.catalog, MissingDirectory::kIsAnError, "", streams_,
                     [&](const CatalogAccess& access) {
                       auto done = RunExport(options, access, *progress, streams_.out);
                       progress->End();
                       return done;
                     });
  });
  OnRun(AddImportCommand(app_, o.import_options), [this, &o] {
    const auto& options = o.import_options;
    const auto progress = ProgressFor(streams_, options.transfer.quiet, options.catalog.json);
    const auto missing =
        options.transfer.dry_run ? MissingDirectory::kIsAnError : MissingDirectory::kIsMade;
    return OnCatalog(options.catalog, missing, "", streams_, [&](const CatalogAccess& access) {
      auto done = RunImport(options, access, streams_.in, *progress, streams_.out);
      progress->End();
      return done;
    });
  });
  OnRun(AddCopyCommand(app_, o.copy), [this, &o] { return RunCopyCommand(o.copy, streams_); });
}

void CommandLine::AddOthers() {
  auto& o = *options_;
  OnRun(AddDoctorCommand(app_, o.doctor), [this, &o] { return RunDoctor(o.doctor, streams_); });
  OnRun(AddServeCommand(app_, o.serve), [this, &o] {
    const Status status = RunServe(o.serve);
    if (status) return kExitOk;
    streams_.err << "gluecat: " << status.error().message << '\n';
    return kExitFailed;
  });
  OnRun(AddCompletionCommand(app_, o.completion), [this, &o] {
    WriteCompletion(o.completion, app_, streams_.out);
    return Finish(true, streams_, {}, false);
  });
  CLI::App* const help = app_.add_subcommand("help", "Say how a command is used");
  help->add_option("command", o.help, "Which command; without one, all are listed")
      ->type_name("COMMAND");
  help->footer("Examples:\n  gluecat help\n  gluecat help copy");
  OnRun(help, [this, &o] {
    const CLI::App* const command = FindCommand(app_, o.help);
    if (!o.help.empty() && command == nullptr) {
      std::string message = "there is no command '" + o.help + "'";
      if (const auto near = Nearest(o.help, NamesOf(app_))) message += "; is it '" + *near + "'?";
      return Finish(Fail(ErrorKind::kInvalidArgument, message), streams_, {}, false);
    }
    // The parsed `help` itself would be what the program's own help is about.
    app_.clear();
    streams_.out << (command == nullptr ? app_.help() : command->help("gluecat"));
    return Finish(true, streams_, {}, false);
  });
}

Error CommandLine::Misunderstood(const std::vector<std::string>& arguments,
                                 const CLI::ParseError& error) {
  const auto failure = [](const std::string& message) {
    return MakeError(ErrorKind::kInvalidArgument, message);
  };
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  const auto name = std::ranges::find_if_not(arguments, is_option);
  const CLI::App* command = nullptr;
  if (name != arguments.end()) {
    command = FindCommand(app_, *name);
    if (command == nullptr) {
      const auto near = Nearest(*name, NamesOf(app_));
      return failure("there is no command '" + *name + "'" +
                     (near ? "; is it '" + *near + "'?" : "") +
                     "\n`gluecat --help` lists the commands");
    }
  }
  const CLI::App& of = command == nullptr ? app_ : *command;
  const std::string advice =
      "\n`gluecat " + (command == nullptr ? "" : command->get_name() + " ") + "--help` says more";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (const std::string& word : arguments) {
      const std::string option = word.substr(0, word.find('='));
      if (!option.starts_with("--") || option == "--" ||
          of.get_option_no_throw(option) != nullptr) {
        continue;
      }
      std::vector<std::string> known;
      for (const CLI::Option* const other : of.get_options()) {
        for (const auto& long_name : other->get_lnames()) known.push_back("--" + long_name);
      }
      const auto near = Nearest(option, known);
      std::string what = "there is no option " + option;
      if (near) what += "; is it " + *near + "?";
      return failure(what + advice);
    }
  }
  return failure(std::string(error.what()) + advice);
}

int CommandLine::Run(const std::vector<std::string>& arguments) {
  try {
    app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app_.exit(error, streams_.out, streams_.err);
      return kExitOk;
    }
    const bool json = std::ranges::find(arguments, "--json") != arguments.end();
    return Finish(Fail(Misunderstood(arguments, error)), streams_, {}, json);
  }
  const auto asked =
      std::ranges::find_if(commands_, [](const auto& command) { return command.first->parsed(); });
  return asked->second();
}

}  // namespace gluecat::cli
