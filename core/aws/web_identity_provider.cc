#include "core/aws/web_identity_provider.h"

#include <utility>

#include "core/aws/assume_role_provider.h"
#include "core/aws/endpoint.h"
#include "core/aws/service_error.h"
#include "core/base/text.h"

namespace gluecat::aws {

Result<std::shared_ptr<WebIdentityProvider>> WebIdentityProvider::Create(
    WebIdentityOptions options, const std::string& region, const ClientRuntime& runtime) {
  GLUECAT_RETURN_IF_ERROR(CheckRole(options.role_arn, options.session_name, options.duration));
  GLUECAT_ASSIGN_OR_RETURN(
      Endpoint endpoint,
      ResolveEndpoint("sts", region, std::nullopt, runtime.variants, *runtime.environment));
  auto sts = std::make_unique<StsClient>(runtime, std::move(endpoint), region);
  return std::shared_ptr<WebIdentityProvider>(
      new WebIdentityProvider(std::move(options), std::move(sts), runtime.environment));
}

WebIdentityProvider::WebIdentityProvider(WebIdentityOptions options, std::unique_ptr<StsClient> sts,
                                         std::shared_ptr<const Environment> environment)
    : options_(std::move(options)), sts_(std::move(sts)), environment_(std::move(environment)) {}

Result<Credentials> WebIdentityProvider::Resolve(const CallLimits& limits) {
  const std::string place = "the web identity token in " + options_.token_file;
  const auto file = environment_->ReadFile(options_.token_file);
  if (!file) {
    return Fail(ErrorKind::kUnauthenticated,
                place + " cannot be read: " + file.error().message + "; check that it is mounted");
  }
  const std::string token(Trim(*file));
  if (token.empty()) return Fail(ErrorKind::kUnauthenticated, place + " is empty");
  auto credentials = sts_->AssumeRoleWithWebIdentity({.role_arn = options_.role_arn,
                                                      .session_name = options_.session_name,
                                                      .token = token,
                                                      .duration = options_.duration},
                                                     limits);
  if (credentials) {
    credentials->provider = "role " + options_.role_arn + " (assumed with " + place + ")";
    return credentials;
  }
  Error error = std::move(credentials).error();
  if (error.kind == ErrorKind::kNotFound) error.kind = ErrorKind::kUnauthenticated;
  if (IsExpiredCredentialsCode(error.code)) {
    error.message += "; whoever writes the file has stopped renewing it";
  } else if (error.kind == ErrorKind::kAccessDenied) {
    error.message +=
        "; let the trust policy of the role allow sts:AssumeRoleWithWebIdentity to the token's "
        "issuer, subject and audience";
  }
  return Fail(WithContext(std::move(error),
                          "cannot assume the role " + options_.role_arn + " with " + place));
}

WebIdentityEnvironmentProvider::WebIdentityEnvironmentProvider(ClientRuntime runtime,
                                                               std::optional<std::string> region)
    : runtime_(std::move(runtime)), region_(std::move(region)) {}

Result<Credentials> WebIdentityEnvironmentProvider::Resolve(const CallLimits& limits) {
  const Environment& environment = *runtime_.environment;
  const auto setting = [&](const char* property, const char* variable) {
    return PropertyOrVariable(environment, property, variable);
  };
  auto token_file = setting("aws.webIdentityTokenFile", "AWS_WEB_IDENTITY_TOKEN_FILE");
  if (!token_file) return Fail(ErrorKind::kNotFound, "AWS_WEB_IDENTITY_TOKEN_FILE is not set");
  auto role = setting("aws.roleArn", "AWS_ROLE_ARN");
  if (!role) {
    return Fail(ErrorKind::kUnauthenticated,
                "AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN, the role to assume with it, "
                "is not");
  }
  if (!region_) {
    return Fail(ErrorKind::kUnauthenticated, "there is no region to assume " + *role + " in");
  }
  WebIdentityOptions options{.token_file = *std::move(token_file), .role_arn = *std::move(role)};
  if (auto session = setting("aws.roleSessionName", "AWS_ROLE_SESSION_NAME")) {
    options.session_name = *std::move(session);
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto provider,
                           WebIdentityProvider::Create(std::move(options), *region_, runtime_));
  return provider->Resolve(limits);
}

}  // namespace gluecat::aws
