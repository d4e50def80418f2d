// What a catalog's requests over HTTP are made with: connections, retries, the
// endpoint and the identity.
#pragma once

#include <memory>
#include <string>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"
#include "core/aws/endpoint.h"
#include "core/base/clock.h"
#include "core/base/environment.h"
#include "core/base/result.h"
#include "core/catalog/settings.h"
#include "core/glue/transport.h"

namespace gluecat::connect {

// A client with `settings`' timeouts, connections and proxy.
std::shared_ptr<aws::HttpClient> MakeHttpClient(const catalog::HttpSettings& settings,
                                                const std::shared_ptr<Environment>& environment);

// `http` with retries of its own and the kind of endpoints that `settings`, else
// the environment, ask for.
// Errors: those of aws::ResolveEndpointVariants.
Result<aws::ClientRuntime> MakeRuntime(const catalog::Settings& settings,
                                       std::shared_ptr<aws::HttpClient> http,
                                       const std::shared_ptr<Environment>& environment,
                                       const std::shared_ptr<Clock>& clock);

// The identity of the catalog: what is pushed for client.credentials-provider,
// else the role that client.assume-role.arn names, assumed with the default
// chain's identity, else that one. Nothing is asked for yet.
// Errors: kInvalidArgument (a role, session name or duration that STS does not take).
Result<std::shared_ptr<aws::CredentialsProvider>> MakeCredentials(
    const catalog::Settings& settings, const std::string& region,
    const aws::ClientRuntime& runtime);

// Glue at `settings.endpoint`, else where the environment says, else AWS's own.
// Errors: kInvalidArgument; those of aws::ResolveEndpointVariants.
Result<aws::Endpoint> GlueEndpoint(const catalog::Settings& settings, const std::string& region,
                                   const Environment& environment);

// The transport of `settings`, over `runtime` and as `credentials`.
// Errors: kInvalidArgument (a bad endpoint).
Result<std::shared_ptr<glue::Transport>> MakeHttpTransport(
    const catalog::Settings& settings, const std::string& region, const aws::ClientRuntime& runtime,
    std::shared_ptr<aws::CredentialsProvider> credentials);

}  // namespace gluecat::connect
