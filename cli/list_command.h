// `gluecat ls`: databases, or the tables of one.
#pragma once

#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "core/base/result.h"

namespace gluecat::cli {

struct ListOptions {
  CatalogOptions catalog;
  std::string database;  // empty: list databases
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddListCommand(CLI::App& app, ListOptions& options);

// One GetDatabases or GetTables listing, sorted by name. An entry that cannot be
// decoded is listed as unsupported, with the reason.
// Errors: those of ParseObjectName and of Glue.
Status RunList(const ListOptions& options, const CatalogAccess& access, std::ostream& out);

}  // namespace gluecat::cli
