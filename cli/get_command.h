// `gluecat get`: an entry as Glue has it.
#pragma once

#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "core/base/result.h"

namespace gluecat::cli {

struct GetOptions {
  CatalogOptions catalog;
  std::string object;
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddGetCommand(CLI::App& app, GetOptions& options);

// One GetDatabase or GetTable. Writes what Glue answered, every member of it, in
// its order: indented, or with --json on one line.
// Errors: those of ParseObjectName and of Glue; kInvalidData for an answer that
// holds no entry.
Status RunGet(const GetOptions& options, const CatalogAccess& access, std::ostream& out);

}  // namespace gluecat::cli
