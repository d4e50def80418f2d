// Where a service is: AWS's own endpoints in every partition, and custom ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/environment.h"
#include "core/base/result.h"

namespace gluecat::aws {

struct Endpoint {
  std::string scheme;      // "https" or "http"
  std::string host;        // a name, an IPv4 address, or an IPv6 address in brackets
  std::uint16_t port = 0;  // never 0 once made
  std::string path;        // prefix of every request's path: "" or "/a/b"

  // The Host header: without the port where it is the scheme's own.
  std::string HostHeader() const;
  // "host:port", for messages.
  std::string Authority() const;
  // "https://host/prefix", without a slash at the end.
  std::string Url() const;

  bool operator==(const Endpoint&) const = default;
};

// "http://127.0.0.1:4566/prefix". The scheme is required; user, query and
// fragment are not accepted.
// Errors: kInvalidArgument.
Result<Endpoint> ParseEndpoint(std::string_view url);

struct EndpointVariants {
  bool fips = false;
  bool dual_stack = false;
};

// Each from the first that is set of: the option given here, the system property
// (aws.useFipsEndpoint, aws.useDualstackEndpoint), the variable
// (AWS_USE_FIPS_ENDPOINT, AWS_USE_DUALSTACK_ENDPOINT), the profile's property
// (use_fips_endpoint, use_dualstack_endpoint).
// Errors: kInvalidArgument for what is neither true nor false; those of
// LoadProfiles: whoever asked for FIPS there must not get another endpoint.
Result<EndpointVariants> ResolveEndpointVariants(std::optional<bool> fips,
                                                 std::optional<bool> dual_stack,
                                                 const Environment& environment);

// AWS's endpoint of `service`: "glue", "sts", "portal.sso" or "oidc". Regions that are not known
// yet belong to the partition whose name pattern they fit, otherwise to "aws". Errors:
// kInvalidArgument if `region` cannot be part of a host name.
Result<Endpoint> ServiceEndpoint(std::string_view service, std::string_view region,
                                 EndpointVariants variants = {});

// The URL that is configured for `service`, as ResolveEndpoint looks for it;
// nullopt if AWS's own endpoint is meant.
std::optional<std::string> ConfiguredEndpointUrl(std::string_view service,
                                                 const std::optional<std::string>& custom,
                                                 const Environment& environment);

// The endpoint to use for `service`: `custom` if given, then
// AWS_ENDPOINT_URL_<SERVICE> (GLUE, STS, SSO, SSO_OIDC), then AWS_ENDPOINT_URL
// (neither if AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is true), then AWS's own.
// Errors: kInvalidArgument; FIPS or dual stack together with a custom endpoint too.
Result<Endpoint> ResolveEndpoint(std::string_view service, std::string_view region,
                                 const std::optional<std::string>& custom,
                                 EndpointVariants variants, const Environment& environment);

// The region in the name of an endpoint of AWS's: "eu-west-1" of
// "glue.eu-west-1.amazonaws.com", of its FIPS and dual-stack forms in every
// partition, and of "vpce-0a1b.glue.eu-west-1.vpce.amazonaws.com"; nullopt for
// hosts that are not AWS's.
std::optional<std::string> RegionOfHost(std::string_view host);

}  // namespace gluecat::aws
