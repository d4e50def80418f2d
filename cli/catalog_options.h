// Which Glue Data Catalog a command means: options of the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/base/result.h"
#include "core/catalog/settings.h"

namespace gluecat::cli {

// What a command line says about the catalog. Empty texts are not set.
struct CatalogOptions {
  std::string endpoint;           // glue.endpoint
  std::string region;             // client.region
  std::string glue_id;            // glue.id
  std::string profile;            // of ~/.aws/config and ~/.aws/credentials
  std::vector<std::string> conf;  // "key=value", keys of docs/configuration.md
  bool json = false;              // answer in JSON
  std::string end;                // "source-" or "target-": what the options' names begin with
};

// Declares them for `command`; what is given ends up in `options`.
void AddCatalogOptions(CLI::App& command, CatalogOptions& options);

// The same for a command with two catalogs: `end` ("source", "target") stands in front of
// each name, as in --source-region. There is no --source-json.
void AddCatalogOptionsOf(std::string_view end, CLI::App& command, CatalogOptions& options);

// `end`, with what it does not say taken from `common`.
CatalogOptions Completed(CatalogOptions end, const CatalogOptions& common);

// The same as a request that catalog::ParseSettings reads. Keys of --conf may
// carry the prefix that they have in a Spark configuration
// ("spark.sql.catalog.acct_a."). The later of two --conf with one key counts.
// Errors: kInvalidArgument for a --conf that is not key=value, and for an option
// that is given twice in different words.
Result<catalog::OpenRequest> ToOpenRequest(const CatalogOptions& options);

}  // namespace gluecat::cli
