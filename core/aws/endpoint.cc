#include "core/aws/endpoint.h"

#include <array>
#include <charconv>

#include "core/aws/profile.h"
#include "core/aws/region.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

struct Partition {
  std::string_view region_prefix;
  std::string_view dns_suffix;
  std::string_view dual_stack_dns_suffix;
};

// botocore's partitions.json; the last one takes every other region.
constexpr std::array<Partition, 8> kPartitions = {{
    {"cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn"},
    {"us-gov-", "amazonaws.com", "api.aws"},
    {"eusc-", "amazonaws.eu", "api.amazonwebservices.eu"},
    {"us-iso-", "c2s.ic.gov", "api.aws.ic.gov"},
    {"us-isob-", "sc2s.sgov.gov", "api.aws.scloud"},
    {"eu-isoe-", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk"},
    {"us-isof-", "csp.hci.ic.gov", "api.aws.hci.ic.gov"},
    {"", "amazonaws.com", "api.aws"},
}};

const Partition& PartitionOf(std::string_view region) {
  for (const auto& partition : kPartitions) {
    if (region.starts_with(partition.region_prefix)) return partition;
  }
  return kPartitions.back();
}

// How a service is called in AWS_ENDPOINT_URL_<SERVICE>, where that is not its host name.
std::string VariableNameOf(std::string_view service) {
  if (service == "portal.sso") return "SSO";
  if (service == "oidc") return "SSO_OIDC";
  std::string name;
  for (const char c : service) {
    name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c == ' ' ? '_' : c;
  }
  return name;
}

// The names of one of the two endpoint variants.
struct VariantNames {
  const char* property;
  const char* variable;
  const char* in_profile;
};

// Reads the profiles only if they are asked, and once.
class VariantReader {
 public:
  explicit VariantReader(const Environment& environment) : environment_(environment) {}

  Result<bool> Read(std::optional<bool> option, const VariantNames& names) {
    if (option) return *option;
    std::string origin = std::string("the system property ") + names.property;
    auto value = environment_.SystemProperty(names.property);
    if (!value) {
      origin = names.variable;
      value = environment_.Variable(names.variable);
    }
    if (!value) {
      if (!profiles_) {
        GLUECAT_ASSIGN_OR_RETURN(profiles_, LoadProfiles(environment_));
      }
      const std::string profile = ChooseProfile(environment_).name;
      origin = std::string(names.in_profile) + " of the profile '" + profile + "'";
      value = profiles_->Find(profile, names.in_profile);
    }
    if (!value) return false;
    if (EqualsIgnoreCase(Trim(*value), "true")) return true;
    if (EqualsIgnoreCase(Trim(*value), "false")) return false;
    return Fail(ErrorKind::kInvalidArgument,
                origin + " is '" + *value + "'; allowed is true or false");
  }

 private:
  const Environment& environment_;
  std::optional<ProfileSet> profiles_;
};

std::uint16_t DefaultPort(std::string_view scheme) { return scheme == "https" ? 443 : 80; }

std::unexpected<Error> Bad(std::string_view url, std::string_view why) {
  return Fail(ErrorKind::kInvalidArgument,
              "'" + std::string(url) + "' is not an endpoint URL: " + std::string(why));
}

bool IsHostCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_';
}

bool IsValidHost(std::string_view host) {
  if (host.empty() || host.size() > 255) return false;
  if (host.front() == '[') {
    if (host.size() < 4 || host.back() != ']') return false;
    return host.substr(1, host.size() - 2).find_first_not_of("0123456789abcdefABCDEF:.%") ==
           std::string_view::npos;
  }
  for (const char c : host) {
    if (!IsHostCharacter(c)) return false;
  }
  return true;
}

}  // namespace

std::string Endpoint::HostHeader() const {
  return port == DefaultPort(scheme) ? host : Authority();
}

std::string Endpoint::Authority() const { return host + ":" + std::to_string(port); }

std::string Endpoint::Url() const { return scheme + "://" + HostHeader() + path; }

Result<Endpoint> ParseEndpoint(std::string_view url) {
  const auto text = Trim(url);
  // Not shown in messages before it is known to hold no password.
  if (text.find('@') != std::string_view::npos) {
    return Fail(ErrorKind::kInvalidArgument, "an endpoint URL must not contain a user or '@'");
  }
  const auto scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) {
    return Bad(text, "it must begin with http:// or https://");
  }
  Endpoint endpoint;
  endpoint.scheme = ToLowerAscii(text.substr(0, scheme_end));
  if (endpoint.scheme != "http" && endpoint.scheme != "https") {
    return Bad(text, "it must begin with http:// or https://");
  }
  auto rest = text.substr(scheme_end + 3);
  for (const char c : rest) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') {
      return Bad(text, "it contains a space or control character");
    }
  }
  if (rest.find_first_of("?#") != std::string_view::npos) {
    return Bad(text, "query and fragment are not accepted");
  }
  const auto path_start = rest.find('/');
  auto authority = rest.substr(0, path_start);
  if (path_start != std::string_view::npos) endpoint.path = rest.substr(path_start);
  while (endpoint.path.ends_with('/')) endpoint.path.pop_back();

  endpoint.port = DefaultPort(endpoint.scheme);
  const auto bracket = authority.rfind(']');
  const auto colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    const auto digits = authority.substr(colon + 1);
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value == 0 ||
        value > 65535) {
      return Bad(text, "the port must be a number from 1 to 65535");
    }
    endpoint.port = static_cast<std::uint16_t>(value);
    authority = authority.substr(0, colon);
  }
  endpoint.host = ToLowerAscii(authority);
  if (!IsValidHost(endpoint.host)) return Bad(text, "the host name is missing or not valid");
  return endpoint;
}

Result<EndpointVariants> ResolveEndpointVariants(std::optional<bool> fips,
                                                 std::optional<bool> dual_stack,
                                                 const Environment& environment) {
  VariantReader reader(environment);
  EndpointVariants variants;
  GLUECAT_ASSIGN_OR_RETURN(
      variants.fips,
      reader.Read(fips, {"aws.useFipsEndpoint", "AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint"}));
  GLUECAT_ASSIGN_OR_RETURN(
      variants.dual_stack,
      reader.Read(dual_stack, {"aws.useDualstackEndpoint", "AWS_USE_DUALSTACK_ENDPOINT",
                               "use_dualstack_endpoint"}));
  return variants;
}

std::optional<std::string> RegionOfHost(std::string_view host) {
  for (const Partition& partition : kPartitions) {
    for (const auto suffix : {partition.dns_suffix, partition.dual_stack_dns_suffix}) {
      if (!host.ends_with(suffix)) continue;
      auto rest = host.substr(0, host.size() - suffix.size());
      if (!rest.ends_with('.')) continue;
      rest.remove_suffix(1);
      if (rest.ends_with(".vpce")) rest.remove_suffix(5);
      // <service>.<region>, with more in front at a VPC endpoint.
      const auto dot = rest.rfind('.');
      if (dot == std::string_view::npos) continue;
      const auto region = rest.substr(dot + 1);
      if (region.find('-') != std::string_view::npos && IsValidRegion(region)) {
        return std::string(region);
      }
    }
  }
  return std::nullopt;
}

Result<Endpoint> ServiceEndpoint(std::string_view service, std::string_view region,
                                 EndpointVariants variants) {
  if (region.empty()) {
    return Fail(ErrorKind::kInvalidArgument, "Invalid Configuration: Missing Region");
  }
  if (!IsValidRegion(region)) {
    return Fail(ErrorKind::kInvalidArgument,
                "'" + std::string(region) + "' is not the name of an AWS region");
  }
  const Partition& partition = PartitionOf(region);
  Endpoint endpoint;
  endpoint.scheme = "https";
  endpoint.port = DefaultPort(endpoint.scheme);
  endpoint.host = service;
  // STS of the government partition is FIPS by itself and has no name of its own for it.
  const bool fips_name = variants.fips && !(service == "sts" && !variants.dual_stack &&
                                            partition.region_prefix == "us-gov-");
  if (fips_name) endpoint.host += "-fips";
  endpoint.host.append(1, '.').append(region).append(1, '.');
  endpoint.host += variants.dual_stack ? partition.dual_stack_dns_suffix : partition.dns_suffix;
  return endpoint;
}

std::optional<std::string> ConfiguredEndpointUrl(std::string_view service,
                                                 const std::optional<std::string>& custom,
                                                 const Environment& environment) {
  if (custom) return custom;
  const auto ignored = environment.Variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
  if (ignored && EqualsIgnoreCase(*ignored, "true")) return std::nullopt;
  auto url = environment.Variable("AWS_ENDPOINT_URL_" + VariableNameOf(service));
  return url ? url : environment.Variable("AWS_ENDPOINT_URL");
}

Result<Endpoint> ResolveEndpoint(std::string_view service, std::string_view region,
                                 const std::optional<std::string>& custom,
                                 EndpointVariants variants, const Environment& environment) {
  const auto url = ConfiguredEndpointUrl(service, custom, environment);
  if (!url) return ServiceEndpoint(service, region, variants);
  if (variants.fips) {
    return Fail(ErrorKind::kInvalidArgument,
                "Invalid Configuration: FIPS and custom endpoint are not supported");
  }
  if (variants.dual_stack) {
    return Fail(ErrorKind::kInvalidArgument,
                "Invalid Configuration: Dualstack and custom endpoint are not supported");
  }
  return ParseEndpoint(*url);
}

}  // namespace gluecat::aws
