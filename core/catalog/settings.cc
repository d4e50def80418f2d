#include "core/catalog/settings.h"

#include <limits>
#include <string_view>

#include "core/aws/assume_role_provider.h"
#include "core/aws/region.h"
#include "core/base/text.h"
#include "core/catalog/option_reader.h"
#include "core/catalog/s3a_options.h"

namespace gluecat::catalog {
namespace {

constexpr std::string_view kLocalScheme = "local:";
constexpr std::string_view kProvider = "client.credentials-provider";
constexpr std::int64_t kMostMilliseconds = std::numeric_limits<std::int32_t>::max();

bool IsGlueId(std::string_view id) { return id.size() <= 255; }

bool IsEndpoint(std::string_view url) {
  if (url.starts_with(kLocalScheme)) return url.size() > kLocalScheme.size();
  return url.starts_with("http://") || url.starts_with("https://");
}

bool IsRoleArn(std::string_view arn) {
  return arn.starts_with("arn:") && arn.find(":iam::") != std::string_view::npos &&
         arn.find(":role/") != std::string_view::npos && arn.size() <= 2048;
}

std::optional<AssumeRoleSettings> ReadAssumeRole(OptionReader& options, Settings& settings) {
  AssumeRoleSettings role;
  // Checked without a role too: it may be added later, and then nobody looks here again.
  role.external_id = options.Checked("client.assume-role.external-id", aws::IsExternalId,
                                     "a text of 2 to 1224 characters");
  role.session_name = options
                          .Checked("client.assume-role.session-name", aws::IsRoleSessionName,
                                   "2 to 64 of letters, digits and _+=,.@-")
                          .value_or(role.session_name);
  role.region = options.Checked("client.assume-role.region", aws::IsValidRegion,
                                "the name of a region such as eu-central-1");
  role.duration_seconds =
      options
          .Integer("client.assume-role.timeout-sec", aws::kShortestRoleSession.count(),
                   aws::kLongestRoleSession.count())
          .value_or(role.duration_seconds);
  const auto arn = options.Checked("client.assume-role.arn", IsRoleArn,
                                   "a role ARN such as arn:aws:iam::111111111111:role/name");
  if (arn) {
    role.arn = *arn;
    return role;
  }
  for (const auto& [key, value] : options.values()) {
    if (key.starts_with("client.assume-role.")) {
      settings.warnings.push_back("option '" + key +
                                  "' has no effect without client.assume-role.arn");
    }
  }
  return std::nullopt;
}

std::optional<CredentialsProviderSettings> ReadCredentialsProvider(const OptionReader& options,
                                                                   Settings& settings) {
  const auto class_name = options.Text(kProvider);
  std::map<std::string, std::string> own;
  for (const auto& [key, value] : options.values()) {
    if (key.starts_with(kProviderOptions)) own.emplace(key.substr(kProviderOptions.size()), value);
  }
  if (!class_name) {
    if (!own.empty()) {
      settings.warnings.push_back("option '" + std::string(kProviderOptions) + own.begin()->first +
                                  "' has no effect without " + std::string(kProvider));
    }
    return std::nullopt;
  }
  if (settings.assume_role) {
    settings.warnings.push_back("client.assume-role.arn has no effect with " +
                                std::string(kProvider) +
                                ", whose credentials are used as they are");
  }
  return CredentialsProviderSettings{*class_name, std::move(own)};
}

Status ReadStringMap(JsonView json, std::string_view member,
                     std::map<std::string, std::string>& target) {
  if (!json.IsObject()) {
    return Fail(ErrorKind::kInvalidArgument,
                "open: member '" + std::string(member) + "' is not an object");
  }
  for (const auto& [key, value] : json.Members()) {
    if (!value.IsString()) {
      return Fail(ErrorKind::kInvalidArgument,
                  "open: '" + std::string(member) + "." + std::string(key) + "' is not a string");
    }
    target.emplace(key, *value.AsString());
  }
  return {};
}

}  // namespace

std::optional<std::string> Settings::LocalDirectory() const {
  if (!endpoint || !endpoint->starts_with(kLocalScheme)) return std::nullopt;
  return endpoint->substr(kLocalScheme.size());
}

Result<OpenRequest> ParseOpenRequest(std::string_view json) {
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(json));
  if (!document.root().IsObject()) {
    return Fail(ErrorKind::kInvalidArgument, "open: the request is not a JSON object");
  }
  OpenRequest request;
  for (const auto& [key, value] : document.root().Members()) {
    if (key == "catalog") {
      request.catalog = value.StringOr("");
    } else if (key == "spark_version") {
      request.spark_version = value.StringOr("");
    } else if (key == "options") {
      GLUECAT_RETURN_IF_ERROR(ReadStringMap(value, key, request.options));
    } else if (key == "system_properties") {
      GLUECAT_RETURN_IF_ERROR(ReadStringMap(value, key, request.system_properties));
    } else if (key == "hadoop") {
      GLUECAT_RETURN_IF_ERROR(ReadStringMap(value, key, request.hadoop));
    } else {
      return Fail(ErrorKind::kInvalidArgument, "open: unknown member '" + std::string(key) + "'");
    }
  }
  if (request.catalog.empty()) {
    return Fail(ErrorKind::kInvalidArgument, "open: member 'catalog' is missing");
  }
  return request;
}

Result<Settings> ParseSettings(const OpenRequest& request) {
  OptionReader options(request.catalog, request.options);
  Settings settings;
  settings.catalog = request.catalog;
  settings.glue_id = options.Checked("glue.id", IsGlueId, "at most 255 characters");
  settings.endpoint = options.Checked("glue.endpoint", IsEndpoint,
                                      "http://host:port, https://host or local:<directory>");
  settings.skip_archive = options.Flag("glue.skip-archive", true);
  settings.max_attempts = options.Integer("glue.max-attempts", 1, 100).value_or(3);
  settings.request_timeout_ms = options.Integer("glue.request-timeout-ms", 1, kMostMilliseconds);
  settings.cache_expiration_ms =
      options.Integer("cache.expiration-interval-ms", 0, kMostMilliseconds).value_or(0);
  settings.region = options.Checked("client.region", aws::IsValidRegion,
                                    "the name of a region such as eu-central-1");
  settings.use_fips = options.Flag("client.use-fips-endpoint");
  settings.use_dual_stack = options.Flag("client.use-dualstack-endpoint");
  settings.assume_role = ReadAssumeRole(options, settings);
  settings.credentials_provider = ReadCredentialsProvider(options, settings);
  settings.http = ReadHttpSettings(options, settings.warnings);
  settings.warehouse = options.Text("warehouse");
  if (settings.warehouse) {
    while (settings.warehouse->ends_with('/')) settings.warehouse->pop_back();
  }
  settings.default_namespace = options.Text("default-namespace").value_or("default");
  settings.purge_enabled = options.Flag("purge.enabled", false);

  const auto unknown = options.UnknownKeys();
  settings.warnings.insert(settings.warnings.end(), unknown.begin(), unknown.end());
  if (options.error()) return Fail(*options.error());

  for (const auto& [key, value] : options.values()) {
    if (!key.starts_with(kHadoopPrefix)) continue;
    const std::string name = key.substr(kHadoopPrefix.size());
    if (!name.empty()) settings.hadoop_options.emplace(name, value);
  }
  DeriveS3aOptions(request, settings);
  return settings;
}

}  // namespace gluecat::catalog
