#include "core/aws/instance_metadata.h"

#include <algorithm>
#include <utility>

#include "core/aws/credentials_json.h"
#include "core/aws/profile.h"
#include "core/aws/region.h"
#include "core/aws/unsigned_request.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

constexpr auto kLongest = std::chrono::seconds(2);
constexpr auto kTokenLifetime = std::chrono::hours(6);  // the longest there is
constexpr char kRolePath[] = "/latest/meta-data/iam/security-credentials/";
constexpr char kRegionPath[] = "/latest/meta-data/placement/region";

std::string Label(const Endpoint& place) {
  return "the instance metadata service at " + place.Authority();
}

// An answer that is not what was asked for, as an error.
Error Unexpected(const Endpoint& place, int status, const std::string& what) {
  Error error = MakeError(
      status >= 500 || status == 429 ? ErrorKind::kUnavailable : ErrorKind::kUnauthenticated,
      Label(place) + " does not give " + what + " (HTTP status " + std::to_string(status) + ")");
  error.http_status = status;
  return error;
}

}  // namespace

InstanceMetadata::InstanceMetadata(ClientRuntime runtime) : runtime_(std::move(runtime)) {}

Result<Endpoint> InstanceMetadata::Place(const Environment& environment) {
  auto url = PropertyOrVariable(environment, "aws.ec2MetadataServiceEndpoint",
                                "AWS_EC2_METADATA_SERVICE_ENDPOINT");
  auto mode = PropertyOrVariable(environment, "aws.ec2MetadataServiceEndpointMode",
                                 "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE");
  if (!url) {
    GLUECAT_ASSIGN_OR_RETURN(const ProfileSet profiles, LoadProfiles(environment));
    const std::string profile = ChooseProfile(environment).name;
    url = profiles.Find(profile, "ec2_metadata_service_endpoint");
    if (!mode) mode = profiles.Find(profile, "ec2_metadata_service_endpoint_mode");
  }
  if (url) {
    auto endpoint = ParseEndpoint(*url);
    if (endpoint) return endpoint;
    return Fail(WithContext(std::move(endpoint).error(), "AWS_EC2_METADATA_SERVICE_ENDPOINT"));
  }
  if (!mode || EqualsIgnoreCase(*mode, "IPv4")) return Endpoint{"http", "169.254.169.254", 80, ""};
  if (EqualsIgnoreCase(*mode, "IPv6")) return Endpoint{"http", "[fd00:ec2::254]", 80, ""};
  return Fail(ErrorKind::kInvalidArgument,
              "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE is '" + *mode + "'; allowed is IPv4 or IPv6");
}

Result<CallLimits> InstanceMetadata::Begin(const CallLimits& limits) const {
  const auto disabled = PropertyOrVariable(*runtime_.environment, "aws.disableEc2Metadata",
                                           "AWS_EC2_METADATA_DISABLED");
  if (disabled && EqualsIgnoreCase(Trim(*disabled), "true")) {
    return Fail(ErrorKind::kNotFound, "AWS_EC2_METADATA_DISABLED is true");
  }
  CallLimits bounded = limits;
  const Deadline latest = runtime_.retry->clock().SteadyNow() + kLongest;
  bounded.deadline = limits.deadline ? std::min(*limits.deadline, latest) : latest;
  return bounded;
}

Result<std::string> InstanceMetadata::SessionToken(const Endpoint& place,
                                                   const CallLimits& limits) {
  Clock& clock = runtime_.retry->clock();
  {
    const std::lock_guard lock(mutex_);
    if (token_ && clock.SteadyNow() < token_->renew_at) return token_->text;
  }
  const Deadline asked = clock.SteadyNow();
  const auto lifetime = std::chrono::duration_cast<std::chrono::seconds>(kTokenLifetime);
  UnsignedRequest request;
  request.method = "PUT";
  request.endpoint = place;
  request.path = "/latest/api/token";
  request.headers = {{"X-aws-ec2-metadata-token-ttl-seconds", std::to_string(lifetime.count())}};
  auto response = SendUnsigned(runtime_, request, limits);
  if (!response) {
    Error error = std::move(response).error();
    if (error.kind == ErrorKind::kCancelled) return Fail(std::move(error));
    // Nobody there: this is no instance, or one whose metadata containers cannot reach.
    return Fail(ErrorKind::kNotFound, Label(place) + " cannot be reached: " + error.message);
  }
  if (response->status == 403 || response->status == 404 || response->status == 405) {
    return Fail(ErrorKind::kNotFound, Label(place) + " gives no session token (HTTP status " +
                                          std::to_string(response->status) + ")");
  }
  if (response->status != 200) return Fail(Unexpected(place, response->status, "a session token"));
  std::string token(Trim(response->body));
  if (token.empty() || token.size() > 4096 || token.find_first_of("\r\n") != std::string::npos) {
    return Fail(ErrorKind::kInvalidData, Label(place) + " answered with what is no session token");
  }
  const std::lock_guard lock(mutex_);
  token_ = Token{token, asked + kTokenLifetime / 2};
  return token;
}

Result<HttpResponse> InstanceMetadata::Get(const Endpoint& place, const std::string& path,
                                           const CallLimits& limits) {
  for (bool first = true;; first = false) {
    GLUECAT_ASSIGN_OR_RETURN(const std::string token, SessionToken(place, limits));
    UnsignedRequest request;
    request.endpoint = place;
    request.path = path;
    request.headers = {{"X-aws-ec2-metadata-token", token}};
    auto response = SendUnsigned(runtime_, request, limits);
    if (!response) return Fail(WithContext(std::move(response).error(), Label(place)));
    // A token may end before its time, as when the instance was moved.
    if (response->status == 401 && first) {
      const std::lock_guard lock(mutex_);
      token_.reset();
      continue;
    }
    return response;
  }
}

Result<std::string> InstanceMetadata::GetText(const Endpoint& place, const std::string& path,
                                              const std::string& what, const CallLimits& limits) {
  GLUECAT_ASSIGN_OR_RETURN(const HttpResponse response, Get(place, path, limits));
  if (response.status == 404) {
    return Fail(ErrorKind::kNotFound, Label(place) + " knows no " + what);
  }
  if (response.status != 200) return Fail(Unexpected(place, response.status, what));
  return std::string(Trim(response.body));
}

Result<std::string> InstanceMetadata::Region(const CallLimits& limits) {
  GLUECAT_ASSIGN_OR_RETURN(const CallLimits bounded, Begin(limits));
  GLUECAT_ASSIGN_OR_RETURN(const Endpoint place, Place(*runtime_.environment));
  GLUECAT_ASSIGN_OR_RETURN(std::string region,
                           GetText(place, kRegionPath, "region of the instance", bounded));
  if (!IsValidRegion(region)) {
    return Fail(ErrorKind::kInvalidData, Label(place) + " answered with what is no region");
  }
  return region;
}

Result<Credentials> InstanceMetadata::RoleCredentials(const CallLimits& limits) {
  GLUECAT_ASSIGN_OR_RETURN(const CallLimits bounded, Begin(limits));
  GLUECAT_ASSIGN_OR_RETURN(const Endpoint place, Place(*runtime_.environment));
  GLUECAT_ASSIGN_OR_RETURN(const std::string roles,
                           GetText(place, kRolePath, "role of the instance", bounded));
  const std::string role(Trim(Split(roles, '\n').front()));
  if (role.empty()) {
    return Fail(ErrorKind::kNotFound, Label(place) + " knows no role of the instance");
  }
  GLUECAT_ASSIGN_OR_RETURN(const std::string text,
                           GetText(place, kRolePath + PercentEncode(role),
                                   "credentials of the role " + role.substr(0, 64), bounded));
  if (const auto document = JsonDocument::Parse(text)) {
    const auto code = document->root()["Code"].StringOr("Success");
    if (code != "Success") {
      Error error = MakeError(ErrorKind::kUnauthenticated,
                              Label(place) + " has no credentials for the role " +
                                  role.substr(0, 64) + ": " + code.substr(0, 128) + ": " +
                                  document->root()["Message"].StringOr("").substr(0, 1024));
      return Fail(std::move(error));
    }
  }
  auto credentials = ParseCredentialsJson(text, "Token");
  if (!credentials) return Fail(WithContext(std::move(credentials).error(), Label(place)));
  credentials->provider = "instance role " + role.substr(0, 64);
  return credentials;
}

}  // namespace gluecat::aws
