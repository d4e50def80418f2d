// `gluecat show`: what a database or a table is.
#pragma once

#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "core/base/result.h"

namespace gluecat::cli {

struct ShowOptions {
  CatalogOptions catalog;
  std::string object;
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddShowCommand(CLI::App& app, ShowOptions& options);

// One GetDatabase or GetTable. A table is described as gluecat understands it,
// and where it does not, with the reason and the columns of the Glue entry.
// Errors: those of ParseObjectName and of Glue; kInvalidData for an entry that
// cannot be decoded.
Status RunShow(const ShowOptions& options, const CatalogAccess& access, std::ostream& out);

}  // namespace gluecat::cli
