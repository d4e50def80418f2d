// The Glue Data Catalog that a command works with.
#pragma once

#include <memory>
#include <string>

#include "cli/catalog_options.h"
#include "core/base/clock.h"
#include "core/base/environment.h"
#include "core/base/result.h"
#include "core/catalog/settings.h"
#include "core/glue/client.h"
#include "core/glue/transport.h"

namespace gluecat::cli {

struct CatalogAccess {
  // `transport` is what `settings` lead to.
  CatalogAccess(std::string label, catalog::Settings settings,
                std::shared_ptr<glue::Transport> transport);

  std::string label;  // "111111111111 at http://127.0.0.1:4566", for messages
  catalog::Settings settings;
  std::shared_ptr<glue::Transport> transport;  // for answers as they are
  glue::Client client;
};

// The settings that `options` stand for.
// Errors: those of ToOpenRequest and catalog::ParseSettings.
Result<catalog::Settings> SettingsOf(const CatalogOptions& options);

// What names the catalog of `settings` in messages: its glue.id, if it has one,
// and where it is, as far as its region is known.
std::string LabelOf(const catalog::Settings& settings, const Environment& environment);

// What happens to a `local:` directory that is not there.
enum class MissingDirectory { kIsMade, kIsAnError };

// Makes no network call. `environment` is that of the process; the profile of
// `options` is applied here.
// Errors: those of SettingsOf and connect::Connect; kInvalidArgument for a
// directory that is not there, if that is an error.
Result<CatalogAccess> OpenCatalog(const CatalogOptions& options, MissingDirectory missing,
                                  const std::shared_ptr<Environment>& environment,
                                  const std::shared_ptr<Clock>& clock);

}  // namespace gluecat::cli
