// Credentials from a profile of the shared configuration files.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"
#include "core/aws/profile.h"

namespace gluecat::aws {

// What a profile says, in this order: a role with a web identity token
// (web_identity_token_file), IAM Identity Center (sso_account_id, sso_role_name), a
// role with source_profile or credential_source (Environment, EcsContainer,
// Ec2InstanceMetadata), credential_process, static keys. Profiles may lead to
// others, eight deep at most. The files are read anew on every Resolve; put a
// CachingProvider in front.
class ProfileProvider final : public CredentialsProvider {
 public:
  // `region` is STS's where the profile names none.
  ProfileProvider(ClientRuntime runtime, std::optional<std::string> region);
  std::string_view name() const override { return "profile"; }

  // Errors: kNotFound if there is no such profile and nobody asked for it by
  // name, or it says nothing about credentials; kUnauthenticated if it is
  // incomplete, missing though asked for, or leads in a circle; kUnsupported if it
  // asks for MFA, which needs a person; those of LoadProfiles and of the providers
  // that it leads to, named with the profile.
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  const ClientRuntime runtime_;
  const std::optional<std::string> region_;
};

}  // namespace gluecat::aws
