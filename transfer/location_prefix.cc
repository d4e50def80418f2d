#include "transfer/location_prefix.h"

namespace gluecat::transfer {
namespace {

void Apply(const std::vector<LocationPrefix>& prefixes, std::string& location) {
  for (const auto& [from, to] : prefixes) {
    if (!location.starts_with(from)) continue;
    const bool whole_part =
        location.size() == from.size() || from.ends_with('/') || location[from.size()] == '/';
    if (!whole_part) continue;
    location.replace(0, from.size(), to);
    return;
  }
}

void Apply(const std::vector<LocationPrefix>& prefixes,
           std::optional<glue::StorageDescriptor>& descriptor) {
  if (!descriptor) return;
  if (descriptor->location) Apply(prefixes, *descriptor->location);
  if (!descriptor->serde_info) return;
  auto& parameters = descriptor->serde_info->parameters;
  if (const auto path = parameters.find("path"); path != parameters.end()) {
    Apply(prefixes, path->second);
  }
}

}  // namespace

Result<LocationPrefix> ParseLocationPrefix(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == text.size()) {
    return Fail(ErrorKind::kInvalidArgument,
                "--location-prefix takes FROM=TO, such as "
                "--location-prefix s3://old-bucket/=s3://new-bucket/, and not '" +
                    std::string(text) + "'");
  }
  return LocationPrefix{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

void Rewrite(const std::vector<LocationPrefix>& prefixes, glue::Database& database) {
  if (database.location_uri) Apply(prefixes, *database.location_uri);
}

void Rewrite(const std::vector<LocationPrefix>& prefixes, glue::Table& table) {
  Apply(prefixes, table.storage_descriptor);
}

void Rewrite(const std::vector<LocationPrefix>& prefixes, glue::Partition& partition) {
  Apply(prefixes, partition.storage_descriptor);
}

}  // namespace gluecat::transfer
