// From a catalog's settings to the transport that reaches its Glue Data Catalog.
#pragma once

#include <memory>
#include <string>

#include "core/base/clock.h"
#include "core/base/environment.h"
#include "core/base/result.h"
#include "core/catalog/settings.h"
#include "core/glue/transport.h"

namespace gluecat::connect {

// The region of the Glue Data Catalog: as aws::ResolveRegion finds it; a `local:`
// catalog needs none and has one all the same.
// Errors: those of aws::ResolveRegion, unless the catalog is a `local:` one.
Result<std::string> RegionOf(const catalog::Settings& settings, const Environment& environment);

// The transport for `settings`; makes no network call. Spark opens catalogs
// freely and never closes them, so transports with the same endpoint, region,
// HTTP settings and identity are shared within the process.
//
// Errors: kInvalidArgument (no region, a bad endpoint), kUnavailable (the
// `local:` directory cannot be used); messages name the catalog.
Result<std::shared_ptr<glue::Transport>> Connect(const catalog::Settings& settings,
                                                 const std::shared_ptr<Environment>& environment,
                                                 const std::shared_ptr<Clock>& clock);

}  // namespace gluecat::connect
