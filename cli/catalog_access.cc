#include "cli/catalog_access.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/profile_environment.h"
#include "connect/connect.h"
#include "connect/http_access.h"

namespace gluecat::cli {

CatalogAccess::CatalogAccess(std::string its_label, catalog::Settings its_settings,
                             std::shared_ptr<glue::Transport> its_transport)
    : label(std::move(its_label)),
      settings(std::move(its_settings)),
      transport(std::move(its_transport)),
      client(transport, settings.glue_id, settings.skip_archive) {}

Result<catalog::Settings> SettingsOf(const CatalogOptions& options) {
  GLUECAT_ASSIGN_OR_RETURN(const catalog::OpenRequest request, ToOpenRequest(options));
  GLUECAT_ASSIGN_OR_RETURN(catalog::Settings settings, catalog::ParseSettings(request));
  if (settings.credentials_provider && !settings.LocalDirectory()) {
    return Fail(ErrorKind::kUnsupported,
                "client.credentials-provider names the Java class " +
                    settings.credentials_provider->class_name +
                    ", which only Spark can ask; leave it out and give --profile, "
                    "client.assume-role.arn or keys in the environment");
  }
  return settings;
}

std::string LabelOf(const catalog::Settings& settings, const Environment& environment) {
  std::string place = settings.endpoint.value_or("");
  if (!settings.LocalDirectory() && settings.region) {
    if (const auto endpoint = connect::GlueEndpoint(settings, *settings.region, environment)) {
      place = endpoint->Url();
    }
  }
  if (place.empty()) return settings.glue_id.value_or(settings.catalog);
  return settings.glue_id ? *settings.glue_id + " at " + place : place;
}

Result<CatalogAccess> OpenCatalog(const CatalogOptions& options, MissingDirectory missing,
                                  const std::shared_ptr<Environment>& environment,
                                  const std::shared_ptr<Clock>& clock) {
  GLUECAT_ASSIGN_OR_RETURN(catalog::Settings settings, SettingsOf(options));
  const auto directory = settings.LocalDirectory();
  std::error_code ignored;
  if (directory && missing == MissingDirectory::kIsAnError &&
      !std::filesystem::exists(*directory, ignored)) {
    return Fail(ErrorKind::kInvalidArgument,
                "there is no directory " + *directory +
                    "; Spark, `gluecat serve`, `put`, `import` and `copy` make it");
  }
  // A local directory knows no profiles: the key of the environment names its account.
  const auto chosen = directory ? environment : WithProfile(environment, options.profile);
  auto region = connect::RegionOf(settings, chosen, clock);
  if (!region) {
    Error error = std::move(region).error();
    error.message += "; give --region";
    return Fail(std::move(error));
  }
  settings.region = *std::move(region);
  GLUECAT_ASSIGN_OR_RETURN(auto transport, connect::Connect(settings, chosen, clock));
  std::string label = LabelOf(settings, *chosen);
  return CatalogAccess(std::move(label), std::move(settings), std::move(transport));
}

}  // namespace gluecat::cli
