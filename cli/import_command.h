// `gluecat import`: the files of `gluecat export` into a catalog.
#pragma once

#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "cli/transfer_command.h"
#include "core/base/result.h"
#include "transfer/progress.h"

namespace gluecat::cli {

struct ImportOptions {
  CatalogOptions catalog;
  std::vector<std::string> files;  // or directories; "-" is standard input
  TransferOptions transfer;
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddImportCommand(CLI::App& app, ImportOptions& options);

// Brings the databases of the files into the catalog, as RunTransfer does. Of a directory
// every file whose name ends with .jsonl is read. `in` is standard input.
//
// Errors: those of RunTransfer and of transfer::ReadExport; kInvalidArgument for files
// that cannot be read.
Result<bool> RunImport(const ImportOptions& options, const CatalogAccess& access, std::istream& in,
                       transfer::Progress& progress, std::ostream& out);

}  // namespace gluecat::cli
