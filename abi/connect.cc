#include "abi/connect.h"

#include <chrono>
#include <string>
#include <utility>

#include "abi/shared_transports.h"
#include "core/aws/assume_role_provider.h"
#include "core/aws/caching_provider.h"
#include "core/aws/client_runtime.h"
#include "core/aws/curl_http_client.h"
#include "core/aws/default_chain.h"
#include "core/aws/endpoint.h"
#include "core/aws/region.h"
#include "core/aws/retry.h"
#include "core/glue/http_transport.h"
#include "store/local_transport.h"

namespace gluecat::abi {
namespace {

// The region of a `local:` catalog whose configuration names none: a laptop
// needs no AWS configuration at all.
constexpr char kLocalRegion[] = "us-east-1";

using ProviderPointer = std::shared_ptr<aws::CredentialsProvider>;

Result<ProviderPointer> Credentials(const catalog::Settings& settings, const std::string& region,
                                    const aws::ClientRuntime& runtime,
                                    const std::shared_ptr<Clock>& clock) {
  ProviderPointer chain = aws::DefaultCredentialsChain(runtime, region);
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
  return std::make_shared<aws::CachingProvider>(provider, clock);
}

aws::HttpClientOptions HttpOptions(const catalog::HttpSettings& settings) {
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
  return options;
}

Result<std::shared_ptr<glue::Transport>> ConnectHttp(
    const catalog::Settings& settings, const std::string& region,
    const std::shared_ptr<Environment>& environment, const std::shared_ptr<Clock>& clock) {
  glue::HttpTransportOptions options;
  options.region = region;
  GLUECAT_ASSIGN_OR_RETURN(
      options.endpoint, aws::ResolveEndpoint("glue", region, settings.endpoint, {}, *environment));
  aws::ClientRuntime runtime;
  runtime.environment = environment;
  runtime.http = std::make_shared<aws::CurlHttpClient>(HttpOptions(settings.http), environment);
  runtime.retry = std::make_shared<aws::RetryPolicy>(aws::RetryOptions(), clock);
  GLUECAT_ASSIGN_OR_RETURN(auto credentials, Credentials(settings, region, runtime, clock));
  return std::make_shared<glue::HttpTransport>(std::move(options), runtime.http,
                                               std::move(credentials), runtime.retry);
}

// Everything that two catalogs must have in common to share a transport: where
// it goes and as whom. Parts are length-prefixed, so that no two lists of parts
// give the same key.
class Key {
 public:
  Key& Add(const std::optional<std::string>& part) {
    text_ += part ? std::to_string(part->size()) + ":" + *part : "-";
    text_ += ';';
    return *this;
  }
  Key& Add(const std::optional<std::int64_t>& part) {
    return Add(part ? std::optional(std::to_string(*part)) : std::nullopt);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string HttpKey(const catalog::Settings& settings, const std::string& region,
                    const Environment& environment) {
  Key key;
  key.Add(settings.endpoint).Add(region);
  if (const auto& role = settings.assume_role) {
    key.Add(role->arn).Add(role->external_id).Add(role->session_name).Add(role->region);
    key.Add(std::optional(role->duration_seconds));
  }
  const catalog::HttpSettings& http = settings.http;
  key.Add(http.connection_timeout_ms).Add(http.socket_timeout_ms).Add(http.max_connections);
  key.Add(http.proxy_endpoint);
  key.Add(std::string(http.proxy_from_system_properties ? "p" : ""));
  key.Add(std::string(http.proxy_from_environment ? "e" : ""));
  // System properties and the environment may change between two opens.
  for (const char* property :
       {"aws.accessKeyId", "aws.secretAccessKey", "aws.secretKey", "aws.sessionToken",
        "aws.profile", "aws.configFile", "aws.sharedCredentialsFile", "https.proxyHost",
        "https.proxyPort", "http.proxyHost", "http.proxyPort", "http.nonProxyHosts"}) {
    key.Add(environment.SystemProperty(property));
  }
  return key.text();
}

}  // namespace

Result<std::shared_ptr<glue::Transport>> Connect(const catalog::Settings& settings,
                                                 const std::shared_ptr<Environment>& environment,
                                                 const std::shared_ptr<Clock>& clock) {
  const std::string label = "catalog '" + settings.catalog + "'";
  const auto explained = [&](Error error) { return Fail(WithContext(std::move(error), label)); };
  const auto directory = settings.LocalDirectory();
  auto region = aws::ResolveRegion(settings.region, *environment);
  if (!region) {
    if (!directory) {
      Error error = std::move(region).error();
      error.message += "; set spark.sql.catalog." + settings.catalog + ".client.region";
      return explained(std::move(error));
    }
    region = kLocalRegion;
  }
  if (directory) {
    const auto account = environment->Variable("AWS_ACCESS_KEY_ID");
    auto transport = SharedTransports::Process().FindOrMake(
        Key().Add(settings.endpoint).Add(*region).Add(account).text(),
        [&] { return store::OpenLocalTransport(*directory, account, *region, clock); });
    if (!transport) return explained(std::move(transport).error());
    return transport;
  }
  auto transport = SharedTransports::Process().FindOrMake(
      HttpKey(settings, *region, *environment),
      [&] { return ConnectHttp(settings, *region, environment, clock); });
  if (!transport) return explained(std::move(transport).error());
  return transport;
}

}  // namespace gluecat::abi
