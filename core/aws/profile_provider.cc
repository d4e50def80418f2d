#include "core/aws/profile_provider.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/aws/assume_role_provider.h"
#include "core/aws/container_provider.h"
#include "core/aws/environment_provider.h"
#include "core/aws/instance_provider.h"
#include "core/aws/process_provider.h"
#include "core/aws/sso_provider.h"
#include "core/aws/web_identity_provider.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

constexpr std::size_t kDeepest = 8;

// Always the same credentials: the source of a role in the next profile.
class FixedProvider final : public CredentialsProvider {
 public:
  explicit FixedProvider(Credentials credentials) : credentials_(std::move(credentials)) {}
  std::string_view name() const override { return credentials_.provider; }
  Result<Credentials> Resolve(const CallLimits&) override { return credentials_; }

 private:
  const Credentials credentials_;
};

// Follows one profile to its providers.
class ProfileReader {
 public:
  ProfileReader(const ProfileSet& profiles, const ClientRuntime& runtime,
                const std::optional<std::string>& region)
      : profiles_(profiles), runtime_(runtime), region_(region) {}

  // The provider that `profile` describes. kNotFound if it describes none.
  Result<std::shared_ptr<CredentialsProvider>> Read(const std::string& profile) {
    const bool role = profiles_.Find(profile, "role_arn").has_value();
    if (role && profiles_.Find(profile, "web_identity_token_file")) return ReadWebIdentity(profile);
    if (profiles_.Find(profile, "sso_account_id") || profiles_.Find(profile, "sso_role_name")) {
      return ReadSso(profile);
    }
    if (role) return ReadRole(profile);
    return ReadOwn(profile);
  }

 private:
  std::unexpected<Error> Bad(const std::string& profile, const std::string& what) const {
    return Fail(ErrorKind::kUnauthenticated, "profile '" + profile + "' " + what);
  }

  // A seconds property, within what a Duration holds.
  Result<std::optional<std::chrono::seconds>> Seconds(const std::string& profile) const {
    const auto text = profiles_.Find(profile, "duration_seconds");
    if (!text) return std::optional<std::chrono::seconds>();
    std::int32_t seconds = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
    if (error != std::errc() || end != text->data() + text->size()) {
      return Bad(profile, "has a duration_seconds that is not a number");
    }
    return std::optional(std::chrono::seconds(seconds));
  }

  // Where a role of the profile is assumed.
  Result<std::string> Region(const std::string& profile) const {
    if (auto region = profiles_.Find(profile, "region")) return *region;
    if (region_) return *region_;
    return Bad(profile, "names a role but there is no region to assume it in");
  }

  template <typename Provider>
  static Result<std::shared_ptr<CredentialsProvider>> Of(
      const std::string& profile, Result<std::shared_ptr<Provider>> provider) {
    if (provider) return *std::move(provider);
    return Fail(WithContext(std::move(provider).error(), "profile '" + profile + "'"));
  }

  Result<std::shared_ptr<CredentialsProvider>> ReadWebIdentity(const std::string& profile) const {
    WebIdentityOptions options{.token_file = *profiles_.Find(profile, "web_identity_token_file"),
                               .role_arn = *profiles_.Find(profile, "role_arn")};
    if (auto session = profiles_.Find(profile, "role_session_name")) {
      options.session_name = *std::move(session);
    }
    GLUECAT_ASSIGN_OR_RETURN(options.duration, Seconds(profile));
    GLUECAT_ASSIGN_OR_RETURN(const std::string region, Region(profile));
    return Of(profile, WebIdentityProvider::Create(std::move(options), region, runtime_));
  }

  Result<std::shared_ptr<CredentialsProvider>> ReadSso(const std::string& profile) const {
    GLUECAT_ASSIGN_OR_RETURN(SsoOptions options, ReadSsoOptions(profiles_, profile));
    return Of(profile, SsoProvider::Create(std::move(options), runtime_));
  }

  // What the profile has without another's help: a command to run, or keys.
  Result<std::shared_ptr<CredentialsProvider>> ReadOwn(const std::string& profile) const {
    if (auto command = profiles_.Find(profile, "credential_process")) {
      return std::make_shared<ProcessProvider>(
          *std::move(command), profiles_.Find(profile, "aws_account_id").value_or(""), runtime_);
    }
    if (profiles_.Find(profile, "sso_session") || profiles_.Find(profile, "sso_start_url")) {
      return ReadSso(profile);  // says what is missing
    }
    const auto key = profiles_.Find(profile, "aws_access_key_id");
    const auto secret = profiles_.Find(profile, "aws_secret_access_key");
    if (key && secret) {
      Credentials credentials;
      credentials.access_key_id = *key;
      credentials.secret_access_key = *secret;
      credentials.session_token = profiles_.Find(profile, "aws_session_token").value_or("");
      credentials.account_id = profiles_.Find(profile, "aws_account_id").value_or("");
      credentials.provider = "profile " + profile;
      return std::make_shared<FixedProvider>(std::move(credentials));
    }
    if (key || secret) {
      return Bad(profile,
                 std::string("has no ") + (key ? "aws_secret_access_key" : "aws_access_key_id"));
    }
    return Fail(ErrorKind::kNotFound, "profile '" + profile + "' has no credentials");
  }

  Result<std::shared_ptr<CredentialsProvider>> ReadRole(const std::string& profile) {
    if (visited_.size() >= kDeepest) return Bad(profile, "leads through too many profiles");
    if (std::find(visited_.begin(), visited_.end(), profile) != visited_.end()) {
      return Bad(profile, "leads back to itself through source_profile");
    }
    visited_.push_back(profile);
    if (profiles_.Find(profile, "mfa_serial")) {
      return Fail(ErrorKind::kUnsupported,
                  "profile '" + profile +
                      "' has mfa_serial, and nobody can be asked for the code of its device here; "
                      "use a profile without it, or keys that `aws sts get-session-token` gave");
    }
    GLUECAT_ASSIGN_OR_RETURN(auto source, ReadSource(profile));
    AssumeRoleOptions options;
    options.role_arn = *profiles_.Find(profile, "role_arn");
    options.external_id = profiles_.Find(profile, "external_id");
    if (auto session = profiles_.Find(profile, "role_session_name")) {
      options.session_name = std::move(*session);
    }
    GLUECAT_ASSIGN_OR_RETURN(const auto duration, Seconds(profile));
    options.duration = duration.value_or(options.duration);
    GLUECAT_ASSIGN_OR_RETURN(options.region, Region(profile));
    return Of(profile, AssumeRoleProvider::Create(std::move(options), std::move(source), runtime_));
  }

  Result<std::shared_ptr<CredentialsProvider>> ReadSource(const std::string& profile) {
    const auto source_profile = profiles_.Find(profile, "source_profile");
    const auto credential_source = profiles_.Find(profile, "credential_source");
    if (source_profile && credential_source) {
      return Bad(profile, "has both source_profile and credential_source");
    }
    if (credential_source) {
      if (EqualsIgnoreCase(*credential_source, "Environment")) {
        return std::make_shared<EnvironmentProvider>(runtime_.environment);
      }
      if (EqualsIgnoreCase(*credential_source, "EcsContainer")) {
        return std::make_shared<ContainerProvider>(runtime_);
      }
      if (EqualsIgnoreCase(*credential_source, "Ec2InstanceMetadata")) {
        return std::make_shared<InstanceProvider>(runtime_);
      }
      return Bad(profile, "has credential_source = " + *credential_source +
                              "; allowed is Environment, EcsContainer or Ec2InstanceMetadata");
    }
    if (!source_profile) {
      return Bad(profile, "has role_arn but neither source_profile nor credential_source");
    }
    if (profiles_.profiles.find(*source_profile) == profiles_.profiles.end()) {
      return Bad(profile, "names the source_profile '" + *source_profile + "', which is missing");
    }
    // A profile may be its own source: its keys then assume its role.
    auto source = *source_profile == profile ? ReadOwn(profile) : Read(*source_profile);
    if (!source && source.error().kind == ErrorKind::kNotFound) {
      return Bad(*source_profile,
                 "has no credentials, but is the source_profile of '" + profile + "'");
    }
    return source;
  }

  const ProfileSet& profiles_;
  const ClientRuntime& runtime_;
  const std::optional<std::string>& region_;
  std::vector<std::string> visited_;
};

}  // namespace

ProfileProvider::ProfileProvider(ClientRuntime runtime, std::optional<std::string> region)
    : runtime_(std::move(runtime)), region_(std::move(region)) {}

Result<Credentials> ProfileProvider::Resolve(const CallLimits& limits) {
  GLUECAT_ASSIGN_OR_RETURN(const ProfileSet profiles, LoadProfiles(*runtime_.environment));
  const ProfileChoice choice = ChooseProfile(*runtime_.environment);
  if (profiles.profiles.find(choice.name) == profiles.profiles.end()) {
    return Fail(choice.explicitly_named ? ErrorKind::kUnauthenticated : ErrorKind::kNotFound,
                "there is no profile '" + choice.name + "' in " +
                    ConfigFilePath(*runtime_.environment).value_or("~/.aws/config") + " or " +
                    CredentialsFilePath(*runtime_.environment).value_or("~/.aws/credentials"));
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto provider,
                           ProfileReader(profiles, runtime_, region_).Read(choice.name));
  auto credentials = provider->Resolve(limits);
  if (credentials) return credentials;
  Error error = std::move(credentials).error();
  // What the profile asks for is configured, whatever a source of it says.
  if (error.kind == ErrorKind::kNotFound) error.kind = ErrorKind::kUnauthenticated;
  return Fail(WithContext(std::move(error), "profile '" + choice.name + "'"));
}

}  // namespace gluecat::aws
