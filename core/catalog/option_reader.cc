#include "core/catalog/option_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/text.h"

namespace gluecat::catalog {
namespace {

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
  return *std::ranges::min_element(KnownKeys(), {},
                                   [&](auto known) { return EditDistance(key, known); });
}

// Spark hands options through a case-insensitive map.
std::string Normalized(const std::string& key) {
  for (const std::string_view prefix : {kHadoopPrefix, kProviderOptions}) {
    if (EqualsIgnoreCase(std::string_view(key).substr(0, prefix.size()), prefix)) {
      return std::string(prefix) + key.substr(prefix.size());
    }
  }
  return ToLowerAscii(key);
}

bool IsOurs(std::string_view key) {
  return key.starts_with("glue.") || key.starts_with("client.") ||
         key.starts_with("http-client.") || key.starts_with("cache.");
}

}  // namespace

const std::vector<std::string_view>& KnownKeys() {
  static const std::vector<std::string_view>* const keys = new std::vector<std::string_view>{
      "glue.id",
      "glue.endpoint",
      "glue.skip-archive",
      "glue.max-attempts",
      "glue.request-timeout-ms",
      "cache.expiration-interval-ms",
      "client.region",
      "client.use-fips-endpoint",
      "client.use-dualstack-endpoint",
      "client.credentials-provider",
      "client.assume-role.arn",
      "client.assume-role.external-id",
      "client.assume-role.session-name",
      "client.assume-role.region",
      "client.assume-role.timeout-sec",
      "http-client.type",
      "http-client.ca-bundle",
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
  };
  return *keys;
}

OptionReader::OptionReader(std::string catalog, const std::map<std::string, std::string>& options)
    : catalog_(std::move(catalog)) {
  for (const auto& [key, value] : options) {
    const std::string_view trimmed = Trim(value);
    if (!trimmed.empty()) values_.emplace(Normalized(key), trimmed);
  }
}

bool OptionReader::HasAnyBelow(std::string_view prefix) const {
  const auto first = values_.lower_bound(prefix);
  return first != values_.end() && first->first.starts_with(prefix);
}

std::optional<std::string> OptionReader::Text(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<bool> OptionReader::Flag(std::string_view key) {
  const auto value = Text(key);
  if (!value) return std::nullopt;
  if (EqualsIgnoreCase(*value, "true")) return true;
  if (EqualsIgnoreCase(*value, "false")) return false;
  Bad(key, *value, "true or false");
  return std::nullopt;
}

std::optional<std::int64_t> OptionReader::Integer(std::string_view key, std::int64_t least,
                                                  std::int64_t most) {
  const auto value = Text(key);
  if (!value) return std::nullopt;
  std::int64_t number = 0;
  const char* const end = value->data() + value->size();
  const auto parsed = std::from_chars(value->data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && number >= least && number <= most) {
    return number;
  }
  Bad(key, *value, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

std::optional<std::string> OptionReader::Checked(std::string_view key,
                                                 bool (*valid)(std::string_view),
                                                 std::string_view allowed) {
  auto value = Text(key);
  if (value && !valid(*value)) Bad(key, *value, allowed);
  return value;
}

void OptionReader::Bad(std::string_view key, std::string_view value, std::string_view allowed) {
  const bool may_hold_a_password =
      value.find("://") != std::string_view::npos && value.find('@') != std::string_view::npos;
  Wrong("option " + std::string(key) + " is " +
        (may_hold_a_password ? "a URL with a user" : "'" + std::string(value) + "'") +
        "; allowed is " + std::string(allowed));
}

void OptionReader::Wrong(std::string_view what) {
  if (error_) return;
  error_ =
      MakeError(ErrorKind::kInvalidArgument, "catalog '" + catalog_ + "': " + std::string(what));
}

std::vector<std::string> OptionReader::UnknownKeys() const {
  std::vector<std::string> warnings;
  for (const auto& [key, value] : values_) {
    if (!IsOurs(key) || key.starts_with(kProviderOptions)) continue;
    if (std::ranges::find(KnownKeys(), key) != KnownKeys().end()) continue;
    warnings.push_back("unknown option '" + key + "' is ignored; did you mean '" +
                       std::string(NearestKey(key)) + "'?");
  }
  return warnings;
}

}  // namespace gluecat::catalog
