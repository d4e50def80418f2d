// From a catalog's settings to the transport that reaches its Glue Data Catalog.
#pragma once

#include <memory>

#include "core/base/clock.h"
#include "core/base/environment.h"
#include "core/base/result.h"
#include "core/catalog/settings.h"
#include "core/glue/transport.h"

namespace gluecat::abi {

// The transport for `settings`; makes no network call. Spark opens catalogs
// freely and never closes them, so transports with the same endpoint, region,
// HTTP settings and identity are shared within the process.
//
// Errors: kInvalidArgument (no region, a bad endpoint), kUnavailable (the
// `local:` directory cannot be used); messages name the catalog.
Result<std::shared_ptr<glue::Transport>> Connect(const catalog::Settings& settings,
                                                 const std::shared_ptr<Environment>& environment,
                                                 const std::shared_ptr<Clock>& clock);

}  // namespace gluecat::abi
