#include "core/aws/assume_role_provider.h"

#include <utility>

#include "core/aws/endpoint.h"
#include "core/aws/service_error.h"

namespace gluecat::aws {

bool IsRoleSessionName(std::string_view name) {
  if (name.size() < 2 || name.size() > 64) return false;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("_+=,.@-").find(c) != std::string_view::npos;
    if (!plain) return false;
  }
  return true;
}

bool IsExternalId(std::string_view id) { return id.size() >= 2 && id.size() <= 1224; }

Status CheckRole(std::string_view role_arn, std::string_view session_name,
                 std::optional<std::chrono::seconds> duration) {
  if (!role_arn.starts_with("arn:") || role_arn.size() < 20 || role_arn.size() > 2048) {
    return Fail(ErrorKind::kInvalidArgument, "'" + std::string(role_arn) +
                                                 "' is not the ARN of a role "
                                                 "(arn:aws:iam::…:role/…)");
  }
  if (!IsRoleSessionName(session_name)) {
    return Fail(ErrorKind::kInvalidArgument,
                "'" + std::string(session_name) +
                    "' is not a role session name (2 to 64 of letters, digits and _+=,.@-)");
  }
  if (duration && (*duration < kShortestRoleSession || *duration > kLongestRoleSession)) {
    return Fail(ErrorKind::kInvalidArgument, "a role session of " +
                                                 std::to_string(duration->count()) +
                                                 " s is not possible (900 to 43200)");
  }
  return {};
}

Result<std::shared_ptr<AssumeRoleProvider>> AssumeRoleProvider::Create(
    AssumeRoleOptions options, std::shared_ptr<CredentialsProvider> source,
    const ClientRuntime& runtime) {
  GLUECAT_RETURN_IF_ERROR(CheckRole(options.role_arn, options.session_name, options.duration));
  if (options.external_id && !IsExternalId(*options.external_id)) {
    return Fail(ErrorKind::kInvalidArgument, "an external id has 2 to 1224 characters");
  }
  GLUECAT_ASSIGN_OR_RETURN(Endpoint endpoint,
                           ResolveEndpoint("sts", options.region, options.sts_endpoint,
                                           runtime.variants, *runtime.environment));
  auto sts = std::make_unique<StsClient>(runtime, std::move(endpoint), options.region);
  return std::shared_ptr<AssumeRoleProvider>(
      new AssumeRoleProvider(std::move(options), std::move(source), std::move(sts)));
}

AssumeRoleProvider::AssumeRoleProvider(AssumeRoleOptions options,
                                       std::shared_ptr<CredentialsProvider> source,
                                       std::unique_ptr<StsClient> sts)
    : request_{.role_arn = std::move(options.role_arn),
               .session_name = std::move(options.session_name),
               .external_id = std::move(options.external_id),
               .duration = options.duration},
      source_(std::move(source)),
      sts_(std::move(sts)) {}

Result<Credentials> AssumeRoleProvider::Resolve(const CallLimits& limits) {
  for (bool first = true;; first = false) {
    auto identity = source_->Resolve(limits);
    if (!identity) {
      Error error = std::move(identity).error();
      // Not configured is no excuse here: the role was asked for.
      if (error.kind == ErrorKind::kNotFound) error.kind = ErrorKind::kUnauthenticated;
      return Fail(WithContext(std::move(error), "to assume the role " + request_.role_arn));
    }
    auto credentials = sts_->AssumeRole(request_, *identity, limits);
    if (credentials) {
      credentials->provider =
          "role " + request_.role_arn + " (assumed by " + identity->Describe() + ")";
      return credentials;
    }
    Error error = std::move(credentials).error();
    if (first && IsExpiredCredentialsCode(error.code)) {
      source_->Invalidate(*identity);
      continue;
    }
    if (error.kind == ErrorKind::kNotFound) error.kind = ErrorKind::kUnauthenticated;
    return Fail(WithContext(std::move(error), "cannot assume the role " + request_.role_arn +
                                                  " as " + identity->Describe()));
  }
}

}  // namespace gluecat::aws
