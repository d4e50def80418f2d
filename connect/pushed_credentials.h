// Credentials that a Java credentials provider gives and the JVM side hands down.
#pragma once

#include <memory>

#include "core/aws/pushed_provider.h"
#include "core/base/clock.h"
#include "core/catalog/settings.h"

namespace gluecat::connect {

// Where the credentials of `settings`' client.credentials-provider are pushed to;
// nullptr without that option. As transports are, it is shared within the process
// by the catalogs that name the same class with the same options, and lives as
// long as one of them.
std::shared_ptr<aws::PushedProvider> PushedCredentials(const catalog::Settings& settings,
                                                       const std::shared_ptr<Clock>& clock);

}  // namespace gluecat::connect
