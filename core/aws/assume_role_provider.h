// Credentials of a role, assumed with another provider's identity.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"
#include "core/aws/sts.h"

namespace gluecat::aws {

struct AssumeRoleOptions {
  std::string role_arn;
  std::optional<std::string> external_id;
  std::string session_name = "gluecat";
  std::chrono::seconds duration{3600};
  std::string region;                       // of STS
  std::optional<std::string> sts_endpoint;  // URL; else see ResolveEndpoint
};

// Bounds of the AWS STS API, AssumeRole.
inline constexpr std::chrono::seconds kShortestRoleSession{900};
inline constexpr std::chrono::seconds kLongestRoleSession{43200};
// 2 to 64 of letters, digits and _+=,.@-
bool IsRoleSessionName(std::string_view name);
// 2 to 1224 characters.
bool IsExternalId(std::string_view id);

// What STS takes of a role, its session's name and duration; nullopt for a duration
// that is not sent. Errors: kInvalidArgument, naming what and its bounds.
Status CheckRole(std::string_view role_arn, std::string_view session_name,
                 std::optional<std::chrono::seconds> duration);

// Asks STS on every Resolve: put a CachingProvider in front.
class AssumeRoleProvider final : public CredentialsProvider {
 public:
  // `source` gives the identity that assumes the role.
  // Errors: kInvalidArgument if an option is out of STS's bounds or the endpoint
  // is not one.
  static Result<std::shared_ptr<AssumeRoleProvider>> Create(
      AssumeRoleOptions options, std::shared_ptr<CredentialsProvider> source,
      const ClientRuntime& runtime);

  std::string_view name() const override { return "assume-role"; }

  // Errors: those of the source (one that is not configured is kUnauthenticated)
  // and of StsClient::AssumeRole; messages name the role and who assumes it.
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  AssumeRoleProvider(AssumeRoleOptions options, std::shared_ptr<CredentialsProvider> source,
                     std::unique_ptr<StsClient> sts);

  const AssumeRoleRequest request_;
  const std::shared_ptr<CredentialsProvider> source_;
  const std::unique_ptr<StsClient> sts_;
};

}  // namespace gluecat::aws
