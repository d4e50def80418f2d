// `gluecat put`: creates or updates an entry.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "core/base/result.h"

namespace gluecat::cli {

struct PutOptions {
  CatalogOptions catalog;
  std::string object;
  std::string file = "-";    // "-": standard input
  bool create_only = false;  // fail if it exists
  bool update_only = false;  // fail if it does not
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddPutCommand(CLI::App& app, PutOptions& options);

// Makes the entry `options.object` what the JSON of the file says (entry_file.h);
// the file's own names do not count. A table is updated under a VersionId: the
// file's, if the file is about this very table, so that a change made since `get`
// is not lost; else that of the entry as it is now. `in` is standard input.
//
// Errors: those of ParseObjectName, of ReadTableFile and of Glue; kInvalidArgument if
// the file cannot be read; kConflict if the table has another version by now.
Status RunPut(const PutOptions& options, const CatalogAccess& access, std::istream& in,
              std::ostream& out);

}  // namespace gluecat::cli
