// `gluecat export`: databases as files.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "core/base/result.h"
#include "transfer/progress.h"

namespace gluecat::cli {

struct ExportOptions {
  CatalogOptions catalog;
  // As with cp: databases, and last the file or directory; a directory alone means all
  // databases. "-" is standard output.
  std::vector<std::string> arguments;
  std::string statistics = "tables";
  bool quiet = false;
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddExportCommand(CLI::App& app, ExportOptions& options);

// Writes each database to a file of its own (transfer/export_file.h), "<database>.jsonl" in a
// directory, which is made if it is missing, and then says what is in them. The requests are
// those of transfer::ReadCatalog, and GetDatabases for all databases.
//
// False if tables could not be read; they are listed and not in the file. Errors: those of
// transfer::ReadCatalog; kInvalidArgument for names and places that cannot be used. A file is
// replaced when its database is complete, and stays as it was otherwise.
Result<bool> RunExport(const ExportOptions& options, const CatalogAccess& access,
                       transfer::Progress& progress, std::ostream& out);

}  // namespace gluecat::cli
