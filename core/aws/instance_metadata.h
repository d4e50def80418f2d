// The instance metadata service of EC2, version 2 (Amazon EC2 User Guide, "Use the
// Instance Metadata Service"): http://169.254.169.254, asked with a session token.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"

namespace gluecat::aws {

// Version 1, which hands out credentials without a token, is never asked.
// Thread-safe.
class InstanceMetadata {
 public:
  explicit InstanceMetadata(ClientRuntime runtime);

  // The region of the instance. All requests of a call together have two seconds.
  // Errors: as Credentials().
  Result<std::string> Region(const CallLimits& limits);

  // The credentials of the instance's role. All requests of a call together have
  // two seconds: where there is no such service, nothing answers at its address.
  //
  // Errors: kNotFound, with the reason, if it is switched off
  // (AWS_EC2_METADATA_DISABLED, system property aws.disableEc2Metadata), cannot be
  // reached, refuses a session token, or the instance has no role;
  // kInvalidArgument for a bad setting; kUnavailable (it fails), kInvalidData,
  // kCancelled; those of LoadProfiles.
  Result<Credentials> RoleCredentials(const CallLimits& limits);

  // Where it is: system property aws.ec2MetadataServiceEndpoint,
  // AWS_EC2_METADATA_SERVICE_ENDPOINT or ec2_metadata_service_endpoint of the
  // profile; else the address of the mode IPv4 or IPv6 that
  // aws.ec2MetadataServiceEndpointMode, AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE or
  // ec2_metadata_service_endpoint_mode of the profile names.
  // Errors: kInvalidArgument; those of LoadProfiles.
  static Result<Endpoint> Place(const Environment& environment);

 private:
  struct Token {
    std::string text;
    Deadline renew_at;
  };
  // A request with the deadline of the whole call.
  Result<HttpResponse> Get(const Endpoint& place, const std::string& path,
                           const CallLimits& limits);
  Result<std::string> SessionToken(const Endpoint& place, const CallLimits& limits);
  Result<std::string> GetText(const Endpoint& place, const std::string& path,
                              const std::string& what, const CallLimits& limits);
  Result<CallLimits> Begin(const CallLimits& limits) const;

  const ClientRuntime runtime_;
  std::mutex mutex_;
  std::optional<Token> token_;
};

}  // namespace gluecat::aws
