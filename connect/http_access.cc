#include "connect/http_access.h"

#include <chrono>
#include <utility>

#include "connect/pushed_credentials.h"
#include "core/aws/assume_role_provider.h"
#include "core/aws/caching_provider.h"
#include "core/aws/curl_http_client.h"
#include "core/aws/default_chain.h"
#include "core/aws/retry.h"
#include "core/glue/http_transport.h"

namespace gluecat::connect {
namespace {

Result<aws::Endpoint> EndpointWith(const aws::EndpointVariants& variants,
                                   const catalog::Settings& settings, const std::string& region,
                                   const Environment& environment) {
  auto endpoint = aws::ResolveEndpoint("glue", region, settings.endpoint, variants, environment);
  if (endpoint || !(variants.fips || variants.dual_stack)) return endpoint;
  return Fail(WithContext(
      std::move(endpoint).error(),
      std::string(variants.fips ? "client.use-fips-endpoint" : "client.use-dualstack-endpoint") +
          " (or the environment, or the profile) asks for an endpoint of AWS's, "
          "and glue.endpoint or AWS_ENDPOINT_URL for another one"));
}

}  // namespace

std::shared_ptr<aws::HttpClient> MakeHttpClient(const catalog::HttpSettings& settings,
                                                const std::shared_ptr<Environment>& environment) {
  aws::HttpClientOptions options;
  if (settings.connection_timeout_ms) {
    options.connect_timeout = std::chrono::milliseconds(*settings.connection_timeout_ms);
  }
  if (settings.socket_timeout_ms) {
    options.socket_timeout = std::chrono::milliseconds(*settings.socket_timeout_ms);
  }
  if (settings.acquisition_timeout_ms) {
    options.acquire_timeout = std::chrono::milliseconds(*settings.acquisition_timeout_ms);
  }
  if (settings.max_idle_time_ms) {
    options.max_idle_time = std::chrono::milliseconds(*settings.max_idle_time_ms);
  }
  if (settings.time_to_live_ms && *settings.time_to_live_ms > 0) {
    options.max_lifetime = std::chrono::milliseconds(*settings.time_to_live_ms);
  }
  if (settings.max_connections) {
    options.max_connections = static_cast<std::size_t>(*settings.max_connections);
  }
  options.expect_continue = settings.expect_continue;
  options.tcp_keep_alive = settings.tcp_keep_alive;
  options.ca_bundle = settings.ca_bundle;
  options.proxy.endpoint = settings.proxy_endpoint;
  options.proxy.use_system_properties = settings.proxy_from_system_properties;
  options.proxy.use_environment_variables = settings.proxy_from_environment;
  return std::make_shared<aws::CurlHttpClient>(std::move(options), environment);
}

Result<aws::ClientRuntime> MakeRuntime(const catalog::Settings& settings,
                                       std::shared_ptr<aws::HttpClient> http,
                                       const std::shared_ptr<Environment>& environment,
                                       const std::shared_ptr<Clock>& clock) {
  aws::ClientRuntime runtime;
  GLUECAT_ASSIGN_OR_RETURN(
      runtime.variants,
      aws::ResolveEndpointVariants(settings.use_fips, settings.use_dual_stack, *environment));
  runtime.environment = environment;
  runtime.http = std::move(http);
  aws::RetryOptions retry;
  retry.max_attempts = static_cast<int>(settings.max_attempts);
  runtime.retry = std::make_shared<aws::RetryPolicy>(retry, clock);
  return runtime;
}

Result<std::shared_ptr<aws::CredentialsProvider>> MakeCredentials(
    const catalog::Settings& settings, const std::string& region,
    const aws::ClientRuntime& runtime) {
  if (auto pushed = PushedCredentials(settings, runtime.retry->shared_clock())) return pushed;
  std::shared_ptr<aws::CredentialsProvider> chain = aws::DefaultCredentialsChain(runtime, region);
  if (!settings.assume_role) return chain;
  const catalog::AssumeRoleSettings& role = *settings.assume_role;
  aws::AssumeRoleOptions options;
  options.role_arn = role.arn;
  options.external_id = role.external_id;
  options.session_name = role.session_name;
  options.duration = std::chrono::seconds(role.duration_seconds);
  options.region = role.region.value_or(region);
  GLUECAT_ASSIGN_OR_RETURN(const auto provider, aws::AssumeRoleProvider::Create(
                                                    std::move(options), std::move(chain), runtime));
  return std::make_shared<aws::CachingProvider>(provider, runtime.retry->shared_clock(),
                                                runtime.warnings);
}

Result<aws::Endpoint> GlueEndpoint(const catalog::Settings& settings, const std::string& region,
                                   const Environment& environment) {
  GLUECAT_ASSIGN_OR_RETURN(
      const aws::EndpointVariants variants,
      aws::ResolveEndpointVariants(settings.use_fips, settings.use_dual_stack, environment));
  return EndpointWith(variants, settings, region, environment);
}

Result<std::shared_ptr<glue::Transport>> MakeHttpTransport(
    const catalog::Settings& settings, const std::string& region, const aws::ClientRuntime& runtime,
    std::shared_ptr<aws::CredentialsProvider> credentials) {
  glue::HttpTransportOptions options;
  options.region = region;
  if (settings.request_timeout_ms) {
    options.request_timeout = std::chrono::milliseconds(*settings.request_timeout_ms);
  }
  GLUECAT_ASSIGN_OR_RETURN(options.endpoint,
                           EndpointWith(runtime.variants, settings, region, *runtime.environment));
  return std::make_shared<glue::HttpTransport>(std::move(options), runtime.http,
                                               std::move(credentials), runtime.retry);
}

}  // namespace gluecat::connect
