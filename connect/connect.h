// From a catalog's settings to the transport that reaches its Glue Data Catalog.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/clock.h"
#include "core/base/environment.h"
#include "core/base/result.h"
#include "core/catalog/settings.h"
#include "core/glue/transport.h"

namespace gluecat::connect {

// Asks the machine itself, as aws::InstanceMetadata::Region.
using InstanceRegion = std::function<Result<std::string>()>;

// The region of the Glue Data Catalog, from the first that says it: client.region;
// the name of the endpoint, where that is one of AWS's (another region's signature
// is not accepted there); what aws::ResolveRegion looks at; `instance`. A `local:`
// catalog needs none and has one all the same, without asking `instance`.
// Errors: kInvalidArgument if nobody says it, or it is no region; those of LoadProfiles.
Result<std::string> RegionOf(const catalog::Settings& settings, const Environment& environment,
                             const InstanceRegion& instance);

// The same, with the instance metadata service of this machine.
Result<std::string> RegionOf(const catalog::Settings& settings,
                             const std::shared_ptr<Environment>& environment,
                             const std::shared_ptr<Clock>& clock);

// The transport for `settings`; makes no network call, unless only the machine
// itself knows its region. Spark opens catalogs
// freely and never closes them, so transports with the same endpoint, region,
// HTTP settings and identity are shared within the process.
//
// Errors: kInvalidArgument (no region, a bad endpoint or role, FIPS or dual stack
// with an endpoint that is not AWS's), those of LoadProfiles, kUnavailable (the
// `local:` directory cannot be used); messages name the catalog.
Result<std::shared_ptr<glue::Transport>> Connect(const catalog::Settings& settings,
                                                 const std::shared_ptr<Environment>& environment,
                                                 const std::shared_ptr<Clock>& clock);

}  // namespace gluecat::connect
