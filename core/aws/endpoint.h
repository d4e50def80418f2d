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

// AWS's endpoint of `service` ("glue", "sts"). Regions that are not known yet
// belong to the partition whose name pattern they fit, otherwise to "aws".
// Errors: kInvalidArgument if `region` cannot be part of a host name.
Result<Endpoint> ServiceEndpoint(std::string_view service, std::string_view region,
                                 EndpointVariants variants = {});

// The endpoint to use for `service`: `custom` if given, then
// AWS_ENDPOINT_URL_<SERVICE>, then AWS_ENDPOINT_URL (neither if
// AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is true), then AWS's own.
// Errors: kInvalidArgument; FIPS or dual stack together with a custom endpoint too.
Result<Endpoint> ResolveEndpoint(std::string_view service, std::string_view region,
                                 const std::optional<std::string>& custom,
                                 EndpointVariants variants, const Environment& environment);

}  // namespace gluecat::aws
