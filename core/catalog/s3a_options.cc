#include "core/catalog/s3a_options.h"

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"

namespace gluecat::catalog {
namespace {

constexpr std::string_view kProviderKey = "fs.s3a.aws.credentials.provider";
constexpr std::string_view kBaseProviderKey = "fs.s3a.assumed.role.credentials.provider";
constexpr std::string_view kArnKey = "fs.s3a.assumed.role.arn";
constexpr std::string_view kAssumedRoleProvider =
    "org.apache.hadoop.fs.s3a.auth.AssumedRoleCredentialProvider";

int Number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// fs.s3a.assumed.role.external.id exists since Hadoop 3.4.0.
bool SendsExternalId(std::string_view hadoop_version) {
  const auto parts = Split(hadoop_version, '.');
  const int major = Number(parts[0]);
  const int minor = parts.size() > 1 ? Number(parts[1]) : 0;
  return major > 3 || (major == 3 && minor >= 4);
}

std::string Lookup(const std::map<std::string, std::string>& map, std::string_view key) {
  const auto found = map.find(std::string(key));
  return found == map.end() ? std::string() : found->second;
}

}  // namespace

void DeriveS3aOptions(const OpenRequest& request, Settings& settings) {
  if (!settings.assume_role || settings.credentials_provider) return;
  auto& keys = settings.hadoop_options;
  if (keys.contains(std::string(kProviderKey))) return;
  const AssumeRoleSettings& role = *settings.assume_role;
  const std::string hadoop = Lookup(request.hadoop, "version");
  if (hadoop.empty()) return;  // nobody here reads data
  const bool sends_external_id = SendsExternalId(hadoop);
  if (role.external_id && !sends_external_id && !keys.contains(std::string(kArnKey))) {
    settings.warnings.push_back(
        "S3A of this Hadoop cannot send client.assume-role.external-id, so it does not assume "
        "the catalog's role; set hadoop.fs.s3a.assumed.role.arn to a role without that condition");
    return;
  }
  keys.emplace(kProviderKey, kAssumedRoleProvider);
  keys.emplace(kArnKey, role.arn);
  keys.emplace("fs.s3a.assumed.role.session.name", role.session_name);
  keys.emplace("fs.s3a.assumed.role.session.duration", std::to_string(role.duration_seconds) + "s");
  if (role.external_id && sends_external_id) {
    keys.emplace("fs.s3a.assumed.role.external.id", *role.external_id);
  }

  // S3A's own call to STS runs under what it used before the role was derived.
  if (!Trim(Lookup(request.hadoop, kBaseProviderKey)).empty()) return;
  std::vector<std::string> base;
  const std::string session = Lookup(request.hadoop, kProviderKey);
  for (const std::string_view part : Split(session, ',')) {
    const std::string_view name = Trim(part);
    if (!name.empty() && name != kAssumedRoleProvider) base.emplace_back(name);
  }
  if (!base.empty()) keys.emplace(kBaseProviderKey, Join(base, ","));
}

}  // namespace gluecat::catalog
