// `gluecat partitions`: the partitions of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/catalog_access.h"
#include "core/base/result.h"

namespace gluecat::cli {

struct PartitionsOptions {
  CatalogOptions catalog;
  std::string table;
  std::string where;  // empty: all partitions
  std::optional<std::uint64_t> limit;
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddPartitionsCommand(CLI::App& app, PartitionsOptions& options);

// One GetTable, for the names of the keys, and as many pages of GetPartitions as
// the limit needs. `where` is Glue's expression language and goes to Glue as it is.
// Errors: those of ParseTableName and of Glue.
Status RunPartitions(const PartitionsOptions& options, const CatalogAccess& access,
                     std::ostream& out);

}  // namespace gluecat::cli
