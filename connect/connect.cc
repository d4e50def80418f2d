#include "connect/connect.h"

#include <string>
#include <utility>

#include "connect/http_access.h"
#include "connect/shared_transports.h"
#include "core/aws/endpoint.h"
#include "core/aws/instance_metadata.h"
#include "core/aws/region.h"
#include "store/local_transport.h"

namespace gluecat::connect {
namespace {

// The region of a `local:` catalog whose configuration names none: a laptop
// needs no AWS configuration at all.
constexpr char kLocalRegion[] = "us-east-1";

Result<std::shared_ptr<glue::Transport>> ConnectHttp(
    const catalog::Settings& settings, const std::string& region,
    const std::shared_ptr<Environment>& environment, const std::shared_ptr<Clock>& clock) {
  GLUECAT_ASSIGN_OR_RETURN(
      const aws::ClientRuntime runtime,
      MakeRuntime(settings, MakeHttpClient(settings.http, environment), environment, clock));
  GLUECAT_ASSIGN_OR_RETURN(auto credentials, MakeCredentials(settings, region, runtime));
  return MakeHttpTransport(settings, region, runtime, std::move(credentials));
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
  Key& Add(const std::optional<bool>& part) {
    return Add(part ? std::optional(std::string(*part ? "1" : "0")) : std::nullopt);
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
  if (const auto& provider = settings.credentials_provider) {
    key.Add(provider->class_name);
    for (const auto& [name, value] : provider->options) key.Add(name).Add(value);
  } else if (const auto& role = settings.assume_role) {
    key.Add(role->arn).Add(role->external_id).Add(role->session_name).Add(role->region);
    key.Add(std::optional(role->duration_seconds));
  }
  key.Add(std::optional(settings.max_attempts)).Add(settings.request_timeout_ms);
  key.Add(settings.use_fips).Add(settings.use_dual_stack);
  const catalog::HttpSettings& http = settings.http;
  key.Add(http.connection_timeout_ms).Add(http.socket_timeout_ms).Add(http.max_connections);
  key.Add(http.acquisition_timeout_ms).Add(http.max_idle_time_ms).Add(http.time_to_live_ms);
  key.Add(std::optional(http.expect_continue)).Add(std::optional(http.tcp_keep_alive));
  key.Add(http.proxy_endpoint).Add(http.ca_bundle);
  key.Add(std::optional(http.proxy_from_system_properties));
  key.Add(std::optional(http.proxy_from_environment));
  // System properties and the environment may change between two opens.
  for (const char* property : {"aws.accessKeyId",
                               "aws.secretAccessKey",
                               "aws.secretKey",
                               "aws.sessionToken",
                               "aws.accountId",
                               "aws.profile",
                               "aws.configFile",
                               "aws.sharedCredentialsFile",
                               "aws.webIdentityTokenFile",
                               "aws.roleArn",
                               "aws.roleSessionName",
                               "aws.disableEc2Metadata",
                               "aws.ec2MetadataServiceEndpoint",
                               "aws.ec2MetadataServiceEndpointMode",
                               "aws.useFipsEndpoint",
                               "aws.useDualstackEndpoint",
                               "https.proxyHost",
                               "https.proxyPort",
                               "https.proxyUser",
                               "https.proxyPassword",
                               "http.proxyHost",
                               "http.proxyPort",
                               "http.proxyUser",
                               "http.proxyPassword",
                               "http.nonProxyHosts"}) {
    key.Add(environment.SystemProperty(property));
  }
  return key.text();
}

}  // namespace

Result<std::string> RegionOf(const catalog::Settings& settings, const Environment& environment,
                             const InstanceRegion& instance) {
  const bool local = settings.LocalDirectory().has_value();
  if (!settings.region && !local) {
    const auto url = aws::ConfiguredEndpointUrl("glue", settings.endpoint, environment);
    if (const auto endpoint = url ? aws::ParseEndpoint(*url) : std::unexpected(Error())) {
      if (auto region = aws::RegionOfHost(endpoint->host)) return *std::move(region);
    }
  }
  auto region = aws::ResolveRegion(settings.region, environment);
  if (!region && local) return kLocalRegion;
  if (region || region.error().kind != ErrorKind::kNotFound) return region;
  auto asked = instance();
  if (asked) return asked;
  Error error = std::move(region).error();
  error.kind = ErrorKind::kInvalidArgument;
  error.message += ", and " + asked.error().message;
  return Fail(std::move(error));
}

Result<std::string> RegionOf(const catalog::Settings& settings,
                             const std::shared_ptr<Environment>& environment,
                             const std::shared_ptr<Clock>& clock) {
  return RegionOf(settings, *environment, [&]() -> Result<std::string> {
    GLUECAT_ASSIGN_OR_RETURN(
        const aws::ClientRuntime runtime,
        MakeRuntime(settings, MakeHttpClient(settings.http, environment), environment, clock));
    return aws::InstanceMetadata(runtime).Region({});
  });
}

Result<std::shared_ptr<glue::Transport>> Connect(const catalog::Settings& settings,
                                                 const std::shared_ptr<Environment>& environment,
                                                 const std::shared_ptr<Clock>& clock) {
  const std::string label = "catalog '" + settings.catalog + "'";
  const auto explained = [&](Error error) { return Fail(WithContext(std::move(error), label)); };
  const auto directory = settings.LocalDirectory();
  auto region = RegionOf(settings, environment, clock);
  if (!region) {
    Error error = std::move(region).error();
    error.message += "; set spark.sql.catalog." + settings.catalog + ".client.region";
    return explained(std::move(error));
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

}  // namespace gluecat::connect
