#include "core/catalog/settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>

#include "core/base/text.h"
#include "core/catalog/s3a_options.h"

namespace gluecat::catalog {
namespace {

constexpr std::string_view kLocalScheme = "local:";

// Every key under glue., client. and http-client. that is known, besides the
// free-form client.credentials-provider.<key>.
constexpr std::array kKnownKeys = std::to_array<std::string_view>({
    "glue.id",
    "glue.endpoint",
    "glue.skip-archive",
    "client.region",
    "client.credentials-provider",
    "client.assume-role.arn",
    "client.assume-role.external-id",
    "client.assume-role.session-name",
    "client.assume-role.region",
    "client.assume-role.timeout-sec",
    "http-client.type",
    "http-client.proxy-endpoint",
    "http-client.proxy-use-system-property-values",
    "http-client.proxy-use-environment-variable-values",
    "http-client.urlconnection.socket-timeout-ms",
    "http-client.urlconnection.connection-timeout-ms",
    "http-client.apache.socket-timeout-ms",
    "http-client.apache.connection-timeout-ms",
    "http-client.apache.connection-acquisition-timeout-ms",
    "http-client.apache.connection-max-idle-time-ms",
    "http-client.apache.connection-time-to-live-ms",
    "http-client.apache.expect-continue-enabled",
    "http-client.apache.max-connections",
    "http-client.apache.tcp-keep-alive-enabled",
    "http-client.apache.use-idle-connection-reaper-enabled",
});

constexpr std::string_view kProviderOptions = "client.credentials-provider.";
constexpr std::string_view kHadoopPrefix = "hadoop.";

// Levenshtein distance, for "did you mean".
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

std::string_view NearestKey(std::string_view key) {
  return *std::min_element(kKnownKeys.begin(), kKnownKeys.end(), [&](auto x, auto y) {
    return EditDistance(key, x) < EditDistance(key, y);
  });
}

bool IsOurs(std::string_view key) {
  return key.starts_with("glue.") || key.starts_with("client.") || key.starts_with("http-client.");
}

// Typed access to the options; the first bad value is remembered.
class Options {
 public:
  explicit Options(const OpenRequest& request) : catalog_(request.catalog) {
    for (const auto& [key, value] : request.options) {
      // Keys are matched without case: Spark hands options through a
      // case-insensitive map. The keys below hadoop. keep their case.
      const bool hadoop = ToLowerAscii(key.substr(0, kHadoopPrefix.size())) == kHadoopPrefix;
      const std::string_view trimmed = Trim(value);
      if (!trimmed.empty()) values_.emplace(hadoop ? key : ToLowerAscii(key), trimmed);
    }
  }

  std::optional<std::string> Text(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

  bool Flag(std::string_view key, bool fallback) {
    const auto value = Text(key);
    if (!value) return fallback;
    if (EqualsIgnoreCase(*value, "true")) return true;
    if (EqualsIgnoreCase(*value, "false")) return false;
    Bad(key, *value, "true or false");
    return fallback;
  }

  std::optional<std::int64_t> PositiveInteger(std::string_view key) {
    const auto value = Text(key);
    if (!value) return std::nullopt;
    std::int64_t number = 0;
    const char* const end = value->data() + value->size();
    const auto parsed = std::from_chars(value->data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number > 0 &&
        number <= std::numeric_limits<std::int32_t>::max()) {
      return number;
    }
    Bad(key, *value, "a positive integer up to 2147483647");
    return std::nullopt;
  }

  void Bad(std::string_view key, std::string_view value, std::string_view allowed) {
    if (error_) return;
    error_ = MakeError(ErrorKind::kInvalidArgument,
                       "catalog '" + catalog_ + "': option " + std::string(key) + " is '" +
                           std::string(value) + "'; allowed is " + std::string(allowed));
  }

  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::string catalog_;
  std::map<std::string, std::string, std::less<>> values_;
  std::optional<Error> error_;
};

bool IsRoleArn(std::string_view arn) {
  return arn.starts_with("arn:") && arn.find(":iam::") != std::string_view::npos &&
         arn.find(":role/") != std::string_view::npos && arn.size() <= 2048;
}

std::optional<AssumeRoleSettings> ReadAssumeRole(Options& options, Settings& settings) {
  const auto arn = options.Text("client.assume-role.arn");
  if (!arn) {
    for (const auto& [key, value] : options.values()) {
      if (key.starts_with("client.assume-role.")) {
        settings.warnings.push_back("option '" + key +
                                    "' has no effect without client.assume-role.arn");
      }
    }
    return std::nullopt;
  }
  AssumeRoleSettings role;
  role.arn = *arn;
  if (!IsRoleArn(role.arn)) {
    options.Bad("client.assume-role.arn", role.arn,
                "a role ARN such as arn:aws:iam::111111111111:role/name");
  }
  role.external_id = options.Text("client.assume-role.external-id");
  role.session_name = options.Text("client.assume-role.session-name").value_or(role.session_name);
  role.region = options.Text("client.assume-role.region");
  role.duration_seconds =
      options.PositiveInteger("client.assume-role.timeout-sec").value_or(role.duration_seconds);
  return role;
}

// The keys of one of the two client types the options know; the native client
// takes whichever type is meant.
HttpSettings ReadHttp(Options& options, Settings& settings) {
  constexpr std::string_view kApache = "http-client.apache.";
  constexpr std::string_view kUrlConnection = "http-client.urlconnection.";
  const auto any = [&](std::string_view prefix) {
    return std::any_of(options.values().begin(), options.values().end(),
                       [&](const auto& option) { return option.first.starts_with(prefix); });
  };
  const auto type = options.Text("http-client.type");
  if (type && *type != "apache" && *type != "urlconnection") {
    options.Bad("http-client.type", *type, "apache or urlconnection");
  }
  if (!type && any(kApache) && any(kUrlConnection)) {
    options.Bad("http-client.type", "",
                "apache or urlconnection: it must be set when there are keys under both "
                "http-client.apache. and http-client.urlconnection.");
  }
  const bool url_connection = type ? *type == "urlconnection" : any(kUrlConnection);
  const std::string prefix(url_connection ? kUrlConnection : kApache);
  const std::string_view other = url_connection ? kApache : kUrlConnection;
  for (const auto& [key, value] : options.values()) {
    if (key.starts_with(other)) {
      settings.warnings.push_back("option '" + key + "' is for the other http-client.type");
    }
  }
  HttpSettings http;
  http.connection_timeout_ms = options.PositiveInteger(prefix + "connection-timeout-ms");
  http.socket_timeout_ms = options.PositiveInteger(prefix + "socket-timeout-ms");
  if (!url_connection) {
    http.max_connections = options.PositiveInteger(prefix + "max-connections");
    for (const std::string_view key :
         {"connection-acquisition-timeout-ms", "connection-max-idle-time-ms",
          "connection-time-to-live-ms", "expect-continue-enabled", "tcp-keep-alive-enabled",
          "use-idle-connection-reaper-enabled"}) {
      if (options.Text(prefix + std::string(key))) {
        settings.warnings.push_back("option '" + prefix + std::string(key) +
                                    "' has no meaning for the native client and is ignored");
      }
    }
  }
  http.proxy_endpoint = options.Text("http-client.proxy-endpoint");
  http.proxy_from_system_properties =
      options.Flag("http-client.proxy-use-system-property-values", true);
  http.proxy_from_environment =
      options.Flag("http-client.proxy-use-environment-variable-values", true);
  return http;
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
  Options options(request);
  Settings settings;
  settings.catalog = request.catalog;
  settings.glue_id = options.Text("glue.id");
  settings.endpoint = options.Text("glue.endpoint");
  settings.skip_archive = options.Flag("glue.skip-archive", true);
  settings.region = options.Text("client.region");
  settings.assume_role = ReadAssumeRole(options, settings);
  settings.http = ReadHttp(options, settings);
  settings.warehouse = options.Text("warehouse");
  if (settings.warehouse) {
    while (settings.warehouse->ends_with('/')) settings.warehouse->pop_back();
  }
  settings.default_namespace = options.Text("default-namespace").value_or("default");

  if (options.Text("client.credentials-provider")) {
    return Fail(ErrorKind::kUnsupported,
                "catalog '" + request.catalog +
                    "': client.credentials-provider is not supported yet; use Java system "
                    "properties, the environment, a profile or client.assume-role.arn");
  }
  if (settings.glue_id && settings.glue_id->size() > 255) {
    options.Bad("glue.id", *settings.glue_id, "at most 255 characters");
  }
  if (settings.endpoint) {
    const auto directory = settings.LocalDirectory();
    const bool http =
        settings.endpoint->starts_with("http://") || settings.endpoint->starts_with("https://");
    if (directory ? directory->empty() : !http) {
      options.Bad("glue.endpoint", *settings.endpoint,
                  "http://host:port, https://host or local:<directory>");
    }
  }
  for (const auto& [key, value] : options.values()) {
    if (!IsOurs(key) || key.starts_with(kProviderOptions)) continue;
    if (std::find(kKnownKeys.begin(), kKnownKeys.end(), key) == kKnownKeys.end()) {
      settings.warnings.push_back("unknown option '" + key + "' is ignored; did you mean '" +
                                  std::string(NearestKey(key)) + "'?");
    }
  }
  if (options.error()) return Fail(*options.error());

  DeriveS3aOptions(request, settings);
  for (const auto& [key, value] : options.values()) {
    if (ToLowerAscii(key.substr(0, kHadoopPrefix.size())) != kHadoopPrefix) continue;
    const std::string name = key.substr(kHadoopPrefix.size());
    if (!name.empty()) settings.hadoop_options.insert_or_assign(name, value);
  }
  return settings;
}

}  // namespace gluecat::catalog
