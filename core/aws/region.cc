#include "core/aws/region.h"

#include "core/aws/profile.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

Result<std::string> Checked(std::string_view region, std::string_view origin) {
  std::string name(Trim(region));
  if (IsValidRegion(name)) return name;
  return Fail(ErrorKind::kInvalidArgument,
              "'" + name + "' (" + std::string(origin) + ") is not the name of an AWS region");
}

}  // namespace

bool IsValidRegion(std::string_view region) {
  if (region.empty() || region.size() > 63 || region.front() == '-' || region.back() == '-') {
    return false;
  }
  for (const char c : region) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return false;
  }
  return true;
}

Result<std::string> ResolveRegion(const std::optional<std::string>& option,
                                  const Environment& environment) {
  if (option && !Trim(*option).empty()) return Checked(*option, "from the catalog's options");
  if (const auto region = environment.SystemProperty("aws.region")) {
    return Checked(*region, "system property aws.region");
  }
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (const auto region = environment.Variable(name)) return Checked(*region, name);
  }
  GLUECAT_ASSIGN_OR_RETURN(const ProfileSet profiles, LoadProfiles(environment));
  const ProfileChoice profile = ChooseProfile(environment);
  if (const auto region = profiles.Find(profile.name, "region")) {
    return Checked(*region, "profile " + profile.name);
  }
  return Fail(ErrorKind::kNotFound,
              "no AWS region is set: not in the catalog's options (client.region), the system "
              "property aws.region, AWS_REGION, AWS_DEFAULT_REGION or 'region' of the profile '" +
                  profile.name + "'");
}

}  // namespace gluecat::aws
