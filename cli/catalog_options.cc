#include "cli/catalog_options.h"

#include <string_view>

#include "core/base/text.h"

namespace gluecat::cli {
namespace {

constexpr std::string_view kSparkPrefix = "spark.sql.catalog.";

// "spark.sql.catalog.acct_a.glue.id" → "glue.id"
std::string_view WithoutSparkPrefix(std::string_view key) {
  if (!key.starts_with(kSparkPrefix)) return key;
  const auto dot = key.find('.', kSparkPrefix.size());
  return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

}  // namespace

void AddCatalogOptions(CLI::App& command, CatalogOptions& options) {
  constexpr char kGroup[] = "Which Glue Data Catalog";
  command
      .add_option("--endpoint", options.endpoint,
                  "http://host:port, https://host or local:DIRECTORY; default: "
                  "AWS_ENDPOINT_URL_GLUE, AWS_ENDPOINT_URL, AWS itself")
      ->type_name("URL")
      ->group(kGroup);
  command
      .add_option("--region", options.region,
                  "Default: AWS_REGION, AWS_DEFAULT_REGION, that of the profile")
      ->type_name("REGION")
      ->group(kGroup);
  command
      .add_option("--glue-id", options.glue_id,
                  "Glue catalog id (an AWS account id); default: the caller's account")
      ->type_name("ID")
      ->group(kGroup);
  command
      .add_option("--profile", options.profile,
                  "Profile whose keys or role are used, whatever keys the environment holds")
      ->type_name("NAME")
      ->group(kGroup);
  command
      .add_option("--conf", options.conf,
                  "Any option of docs/configuration.md, such as client.assume-role.arn=ARN; may be "
                  "repeated")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->allow_extra_args(false)
      ->group(kGroup);
  command.add_flag("--json", options.json, "Answer, and fail, in JSON");
}

Result<catalog::OpenRequest> ToOpenRequest(const CatalogOptions& options) {
  catalog::OpenRequest request;
  request.catalog = "command line";
  for (const std::string& setting : options.conf) {
    const auto equals = setting.find('=');
    const std::string_view key =
        WithoutSparkPrefix(Trim(std::string_view(setting).substr(0, equals)));
    // What was given is not repeated: it may be a secret.
    if (equals == std::string::npos || key.empty()) {
      return Fail(ErrorKind::kInvalidArgument,
                  "--conf takes KEY=VALUE, such as --conf client.region=eu-central-1");
    }
    // As Spark takes them: without case, but for Hadoop's own.
    request.options.insert_or_assign(
        key.starts_with("hadoop.") ? std::string(key) : ToLowerAscii(key),
        setting.substr(equals + 1));
  }
  const struct {
    const char* option;
    const char* key;
    const std::string& value;
  } named[] = {{"--endpoint", "glue.endpoint", options.endpoint},
               {"--region", "client.region", options.region},
               {"--glue-id", "glue.id", options.glue_id}};
  for (const auto& [option, key, value] : named) {
    if (value.empty()) continue;
    const auto [other, added] = request.options.emplace(key, value);
    if (!added && other->second != value) {
      return Fail(ErrorKind::kInvalidArgument, std::string(option) + " and --conf " + key +
                                                   " say different things; give one of them");
    }
  }
  return request;
}

}  // namespace gluecat::cli
