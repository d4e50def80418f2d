#include "core/aws/sso_provider.h"

#include <utility>

#include "core/aws/unsigned_request.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

std::unexpected<Error> Bad(const std::string& profile, const std::string& what) {
  return Fail(ErrorKind::kUnauthenticated, "profile '" + profile + "' " + what);
}

}  // namespace

Result<SsoOptions> ReadSsoOptions(const ProfileSet& profiles, const std::string& profile) {
  SsoOptions options;
  options.login.profile = profile;
  const auto session_name = profiles.Find(profile, "sso_session");
  const auto session =
      session_name ? profiles.sso_sessions.find(*session_name) : profiles.sso_sessions.end();
  if (session_name && session == profiles.sso_sessions.end()) {
    return Bad(profile, "names the sso_session '" + *session_name +
                            "', but the config file has no [sso-session " + *session_name + "]");
  }
  // Of the session, where the profile names one; it may say the same once more.
  const auto shared = [&](const char* name) -> Result<std::string> {
    auto value = profiles.Find(profile, name);
    if (session_name) {
      const auto found = session->second.find(name);
      if (found == session->second.end() || found->second.empty()) {
        return Bad(profile, "names the sso_session '" + *session_name + "', which has no " + name);
      }
      if (value && *value != found->second) {
        return Bad(profile, std::string("and its sso_session contradict each other in ") + name);
      }
      value = found->second;
    }
    if (!value) return Bad(profile, std::string("uses IAM Identity Center and has no ") + name);
    return *value;
  };
  GLUECAT_ASSIGN_OR_RETURN(options.login.region, shared("sso_region"));
  GLUECAT_ASSIGN_OR_RETURN(const std::string start_url, shared("sso_start_url"));
  options.login.cache_key = session_name ? *session_name : start_url;
  for (const auto& [name, target] :
       {std::pair<const char*, std::string&>{"sso_account_id", options.account_id},
        {"sso_role_name", options.role_name}}) {
    auto value = profiles.Find(profile, name);
    if (!value) return Bad(profile, std::string("uses IAM Identity Center and has no ") + name);
    target = *std::move(value);
  }
  return options;
}

Result<std::shared_ptr<SsoProvider>> SsoProvider::Create(SsoOptions options,
                                                         const ClientRuntime& runtime) {
  GLUECAT_ASSIGN_OR_RETURN(Endpoint endpoint,
                           ResolveEndpoint("portal.sso", options.login.region, std::nullopt,
                                           runtime.variants, *runtime.environment));
  return std::shared_ptr<SsoProvider>(
      new SsoProvider(std::move(options), std::move(endpoint), runtime));
}

SsoProvider::SsoProvider(SsoOptions options, Endpoint endpoint, ClientRuntime runtime)
    : options_(std::move(options)), endpoint_(std::move(endpoint)), runtime_(std::move(runtime)) {}

Result<Credentials> SsoProvider::Resolve(const CallLimits& limits) {
  GLUECAT_ASSIGN_OR_RETURN(const std::string token,
                           SsoAccessToken(options_.login, runtime_, limits));
  const std::string label = "IAM Identity Center at " + endpoint_.Authority();
  const std::string role = "the role " + options_.role_name + " of account " + options_.account_id;
  UnsignedRequest request;
  request.endpoint = endpoint_;
  request.path = "/federation/credentials?role_name=" + PercentEncode(options_.role_name) +
                 "&account_id=" + PercentEncode(options_.account_id);
  request.headers = {{"x-amz-sso_bearer_token", token}};
  request.bypass_proxy = false;
  auto response = SendUnsigned(runtime_, request, limits);
  if (!response) return Fail(WithContext(std::move(response).error(), label));
  const auto document = JsonDocument::Parse(response->body);
  const JsonView root = document ? document->root() : JsonView();
  if (response->status != 200) {
    const bool refused = response->status == 401;
    Error error = MakeError(
        refused                   ? ErrorKind::kUnauthenticated
        : response->status == 403 ? ErrorKind::kAccessDenied
        : response->status >= 500 ? ErrorKind::kUnavailable
                                  : ErrorKind::kUnauthenticated,
        label + " does not give " + role + " (HTTP status " + std::to_string(response->status) +
            "): " + root["message"].StringOr("it gives no reason").substr(0, 1024) +
            (refused ? options_.login.Advice() : std::string()));
    error.http_status = response->status;
    return Fail(std::move(error));
  }
  const JsonView given = root["roleCredentials"];
  const auto expiration = given["expiration"].AsInt();  // milliseconds
  Credentials credentials{.access_key_id = given["accessKeyId"].StringOr(""),
                          .secret_access_key = given["secretAccessKey"].StringOr(""),
                          .session_token = given["sessionToken"].StringOr(""),
                          .account_id = options_.account_id,
                          .provider = "IAM Identity Center, " + role};
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty() || !expiration) {
    return Fail(ErrorKind::kInvalidData, label + " answered with what is no credentials");
  }
  credentials.expiration = Timestamp(std::chrono::milliseconds(*expiration));
  return credentials;
}

}  // namespace gluecat::aws
