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

// `end` is "source", "target", or empty for the only catalog of a command.
void Declare(CLI::App& command, CatalogOptions& options, std::string_view end,
             const std::string& group) {
  const std::string begin = "--" + options.end;
  const auto description = [&](std::string_view name, std::string_view text) {
    return end.empty() ? std::string(text)
                       : "--" + std::string(name) + " of the " + std::string(end);
  };
  command
      .add_option(begin + "endpoint", options.endpoint,
                  description("endpoint",
                              "http://host:port, https://host or local:DIRECTORY; default: "
                              "AWS_ENDPOINT_URL_GLUE, AWS_ENDPOINT_URL, AWS itself"))
      ->type_name("URL")
      ->group(group);
  command
      .add_option(
          begin + "region", options.region,
          description("region", "Default: AWS_REGION, AWS_DEFAULT_REGION, that of the profile"))
      ->type_name("REGION")
      ->group(group);
  command
      .add_option(begin + "glue-id", options.glue_id,
                  description("glue-id",
                              "Glue catalog id (an AWS account id); default: the caller's account"))
      ->type_name("ID")
      ->group(group);
  command
      .add_option(
          begin + "profile", options.profile,
          description("profile",
                      "Profile whose keys or role are used, whatever keys the environment holds"))
      ->type_name("NAME")
      ->group(group);
  command
      .add_option(
          begin + "conf", options.conf,
          description(
              "conf",
              "Any option of docs/configuration.md, such as client.assume-role.arn=ARN; may be "
              "repeated"))
      ->type_name("KEY=VALUE")
      ->take_all()
      ->allow_extra_args(false)
      ->group(group);
}

}  // namespace

void AddCatalogOptions(CLI::App& command, CatalogOptions& options) {
  Declare(command, options, "", "Which Glue Data Catalog");
  command.add_flag("--json", options.json, "Answer, and fail, in JSON");
}

void AddCatalogOptionsOf(std::string_view end, CLI::App& command, CatalogOptions& options) {
  options.end = std::string(end) + "-";
  Declare(command, options, end, "Only for the " + std::string(end));
}

CatalogOptions Completed(CatalogOptions end, const CatalogOptions& common) {
  const auto complete = [](std::string& value, const std::string& fallback) {
    if (value.empty()) value = fallback;
  };
  complete(end.endpoint, common.endpoint);
  complete(end.region, common.region);
  complete(end.glue_id, common.glue_id);
  complete(end.profile, common.profile);
  end.conf.insert(end.conf.begin(), common.conf.begin(), common.conf.end());
  end.json = common.json;
  return end;
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
      return Fail(ErrorKind::kInvalidArgument, "--" + options.end +
                                                   "conf takes KEY=VALUE, such as --" +
                                                   options.end + "conf client.region=eu-central-1");
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
  } named[] = {{"endpoint", "glue.endpoint", options.endpoint},
               {"region", "client.region", options.region},
               {"glue-id", "glue.id", options.glue_id}};
  for (const auto& [option, key, value] : named) {
    if (value.empty()) continue;
    const auto [other, added] = request.options.emplace(key, value);
    if (!added && other->second != value) {
      return Fail(ErrorKind::kInvalidArgument, "--" + options.end + option + " and --" +
                                                   options.end + "conf " + key +
                                                   " say different things; give one of them");
    }
  }
  return request;
}

}  // namespace gluecat::cli
