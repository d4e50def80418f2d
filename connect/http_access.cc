#include "connect/http_access.h"

#include <chrono>
#include <utility>

#include "core/aws/assume_role_provider.h"
#include "core/aws/caching_provider.h"
#include "core/aws/curl_http_client.h"
#include "core/aws/default_chain.h"
#include "core/aws/retry.h"
#include "core/glue/http_transport.h"

namespace gluecat::connect {

std::shared_ptr<aws::HttpClient> MakeHttpClient(const catalog::HttpSettings& settings,
                                                const std::shared_ptr<Environment>& environment) {
  aws::HttpClientOptions options;
  if (settings.connection_timeout_ms) {
    options.connect_timeout = std::chrono::milliseconds(*settings.connection_timeout_ms);
  }
  if (settings.socket_timeout_ms) {
    options.socket_timeout = std::chrono::milliseconds(*settings.socket_timeout_ms);
  }
  if (settings.max_connections) {
    options.max_connections = static_cast<std::size_t>(*settings.max_connections);
  }
  options.proxy.endpoint = settings.proxy_endpoint;
  options.proxy.use_system_properties = settings.proxy_from_system_properties;
  options.proxy.use_environment_variables = settings.proxy_from_environment;
  return std::make_shared<aws::CurlHttpClient>(std::move(options), environment);
}

aws::ClientRuntime MakeRuntime(std::shared_ptr<aws::HttpClient> http,
                               const std::shared_ptr<Environment>& environment,
                               const std::shared_ptr<Clock>& clock) {
  aws::ClientRuntime runtime;
  runtime.environment = environment;
  runtime.http = std::move(http);
  runtime.retry = std::make_shared<aws::RetryPolicy>(aws::RetryOptions(), clock);
  return runtime;
}

Result<std::shared_ptr<aws::CredentialsProvider>> MakeCredentials(
    const catalog::Settings& settings, const std::string& region,
    const aws::ClientRuntime& runtime) {
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
  return std::make_shared<aws::CachingProvider>(provider, runtime.retry->shared_clock());
}

Result<aws::Endpoint> GlueEndpoint(const catalog::Settings& settings, const std::string& region,
                                   const Environment& environment) {
  return aws::ResolveEndpoint("glue", region, settings.endpoint, {}, environment);
}

Result<std::shared_ptr<glue::Transport>> MakeHttpTransport(
    const catalog::Settings& settings, const std::string& region, const aws::ClientRuntime& runtime,
    std::shared_ptr<aws::CredentialsProvider> credentials) {
  glue::HttpTransportOptions options;
  options.region = region;
  GLUECAT_ASSIGN_OR_RETURN(options.endpoint, GlueEndpoint(settings, region, *runtime.environment));
  return std::make_shared<glue::HttpTransport>(std::move(options), runtime.http,
                                               std::move(credentials), runtime.retry);
}

}  // namespace gluecat::connect
