// The options of one catalog (spark.sql.catalog.<name>.*), checked and typed.
//
// docs/configuration.md is the reference; names and defaults are public API.
// Blank values count as not set. A key of ours that is unknown gives a warning
// with the nearest known key; a bad value is an error that names the key, the
// value and what is allowed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/catalog/http_settings.h"

namespace gluecat::catalog {

// client.assume-role.*
struct AssumeRoleSettings {
  std::string arn;
  std::optional<std::string> external_id;
  std::string session_name = "gluecat";
  std::optional<std::string> region;  // of STS; default: the catalog's
  std::int64_t duration_seconds = 3600;
  bool operator==(const AssumeRoleSettings&) const = default;
};

// client.credentials-provider: a Java class, so that only a JVM can ask it.
struct CredentialsProviderSettings {
  std::string class_name;
  std::map<std::string, std::string> options;  // client.credentials-provider.<key> by key
  bool operator==(const CredentialsProviderSettings&) const = default;
};

struct Settings {
  std::string catalog;                  // Spark's name for it
  std::optional<std::string> glue_id;   // CatalogId of every call
  std::optional<std::string> endpoint;  // glue.endpoint, verbatim
  bool skip_archive = true;
  std::int64_t max_attempts = 3;                   // of a request, the first one included
  std::optional<std::int64_t> request_timeout_ms;  // of a request with all its attempts
  std::int64_t cache_expiration_ms = 0;            // how long a table may be remembered
  std::optional<std::string> region;               // client.region
  std::optional<bool> use_fips;                    // nullopt: as the environment says
  std::optional<bool> use_dual_stack;
  // Whose requests these are: the first of the two that is set, else the default chain.
  std::optional<CredentialsProviderSettings> credentials_provider;
  std::optional<AssumeRoleSettings> assume_role;
  HttpSettings http;
  std::optional<std::string> warehouse;  // without trailing slashes
  std::string default_namespace = "default";
  // Whether DROP TABLE … PURGE deletes the data of tables whose location the catalog chose.
  bool purge_enabled = false;
  std::map<std::string, std::string> hadoop_options;  // explicit and derived
  std::vector<std::string> warnings;

  // The directory of `glue.endpoint = local:<directory>`; nullopt for others.
  std::optional<std::string> LocalDirectory() const;
};

// What `open` receives; see docs/waist.md.
struct OpenRequest {
  std::string catalog;
  std::map<std::string, std::string> options;
  std::map<std::string, std::string> system_properties;
  std::string spark_version;
  std::map<std::string, std::string> hadoop;
};

// Errors: kInvalidArgument for anything but the documented members.
Result<OpenRequest> ParseOpenRequest(std::string_view json);

// Errors: kInvalidArgument, naming catalog, key, value and what is allowed.
Result<Settings> ParseSettings(const OpenRequest& request);

}  // namespace gluecat::catalog
