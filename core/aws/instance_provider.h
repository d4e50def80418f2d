// Credentials of the role of an EC2 instance.
#pragma once

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"
#include "core/aws/instance_metadata.h"

namespace gluecat::aws {

// Asks the instance metadata service on every Resolve: put a CachingProvider in front.
class InstanceProvider final : public CredentialsProvider {
 public:
  explicit InstanceProvider(const ClientRuntime& runtime) : metadata_(runtime) {}
  std::string_view name() const override { return "instance metadata"; }

  // Errors: those of InstanceMetadata::RoleCredentials.
  Result<Credentials> Resolve(const CallLimits& limits) override {
    return metadata_.RoleCredentials(limits);
  }

 private:
  InstanceMetadata metadata_;
};

}  // namespace gluecat::aws
