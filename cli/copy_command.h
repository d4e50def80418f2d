// `gluecat copy`: databases from one catalog to another.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "cli/transfer_command.h"
#include "core/base/result.h"
#include "transfer/progress.h"

namespace gluecat::cli {

struct CopyOptions {
  CatalogOptions common;  // of both catalogs, where theirs say nothing else
  CatalogOptions source;
  CatalogOptions target;
  std::vector<std::string> databases;
  bool all = false;
  std::string statistics = "tables";
  TransferOptions transfer;
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddCopyCommand(CLI::App& app, CopyOptions& options);

// Brings the databases of `source` into `target`, as RunTransfer does. The requests to the
// source are those of transfer::ReadCatalog, and GetDatabases for all databases.
//
// Errors: those of RunTransfer and transfer::ReadCatalog; kInvalidArgument for names that
// cannot be used, and for a database that would be copied onto itself.
Result<bool> RunCopy(const CopyOptions& options, const CatalogAccess& source,
                     const CatalogAccess& target, transfer::Progress& progress, std::ostream& out);

}  // namespace gluecat::cli
