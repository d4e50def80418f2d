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

// Static keys (aws_access_key_id, aws_secret_access_key, aws_session_token), or a
// role: role_arn with source_profile or credential_source = Environment, and
// external_id, role_session_name, duration_seconds, region. Profiles may lead to
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
  // asks for what gluecat cannot do (SSO, credential_process, web identity, MFA);
  // those of LoadProfiles and AssumeRoleProvider.
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  const ClientRuntime runtime_;
  const std::optional<std::string> region_;
};

}  // namespace gluecat::aws
