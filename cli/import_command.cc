#include "cli/import_command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "cli/object_name.h"
#include "transfer/export_file.h"

namespace gluecat::cli {
namespace {

Result<std::vector<std::string>> FilesIn(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->path().extension() == ".jsonl") files.push_back(entry->path().string());
  }
  if (failed) {
    return Fail(ErrorKind::kInvalidArgument,
                "the directory " + directory + " cannot be read: " + failed.message());
  }
  if (files.empty()) {
    return Fail(ErrorKind::kInvalidArgument,
                "the directory " + directory + " holds no file whose name ends with .jsonl");
  }
  std::ranges::sort(files);
  return files;
}

Result<std::vector<std::string>> AllFiles(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  for (const auto& argument : arguments) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(argument, ignored)) {
      files.push_back(argument);
      continue;
    }
    GLUECAT_ASSIGN_OR_RETURN(const auto more, FilesIn(argument));
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

Status ReadFile(const std::string& file, std::istream& in, transfer::RecordSink& sink) {
  if (file == "-") return transfer::ReadExport(in, "standard input", sink);
  std::ifstream opened(file, std::ios::binary);
  if (!opened) {
    return Fail(ErrorKind::kInvalidArgument, "the file " + file + " cannot be read");
  }
  return transfer::ReadExport(opened, file, sink);
}

}  // namespace

CLI::App* AddImportCommand(CLI::App& app, ImportOptions& options) {
  CLI::App* const command =
      app.add_subcommand("import", "Bring the databases of `gluecat export` into a catalog");
  command
      ->add_option("files", options.files,
                   "Files of `gluecat export`, or directories of them; - is standard input")
      ->type_name("FILE|DIR")
      ->required();
  AddTransferOptions(*command, options.transfer);
  AddCatalogOptions(*command, options.catalog);
  command->footer(
      "Examples:\n  gluecat import sales.jsonl --dry-run\n"
      "  gluecat import backup/ --endpoint local:/tmp/glue\n"
      "  gluecat import sales.jsonl --as sales_test --location-prefix "
      "s3://prod/=s3://test/\n"
      "  gluecat import sales.jsonl --on-conflict replace --profile etl");
  return command;
}

Result<bool> RunImport(const ImportOptions& options, const CatalogAccess& access, std::istream& in,
                       transfer::Progress& progress, std::ostream& out) {
  GLUECAT_ASSIGN_OR_RETURN(const auto files, AllFiles(options.files));
  TransferOptions transfer = options.transfer;
  if (!transfer.as.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(transfer.as, ParseDatabaseName(transfer.as));
    if (files.size() > 1) {
      return Fail(ErrorKind::kInvalidArgument, "--as names one database, and there are " +
                                                   std::to_string(files.size()) + " files");
    }
  }
  std::vector<DatabaseSource> sources;
  sources.reserve(files.size());
  for (const auto& file : files) {
    sources.emplace_back(
        [&in, file](transfer::RecordSink& sink) { return ReadFile(file, in, sink); });
  }
  return RunTransfer(sources, transfer, access, options.catalog.json, progress, out);
}

}  // namespace gluecat::cli
