#include "cli/doctor.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/catalog_access.h"
#include "cli/profile_environment.h"
#include "connect/connect.h"
#include "connect/http_access.h"
#include "core/aws/default_chain.h"
#include "core/aws/endpoint.h"
#include "core/aws/instance_metadata.h"
#include "core/aws/profile.h"
#include "core/aws/sts.h"
#include "core/aws/time_format.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "store/local_transport.h"

namespace gluecat::cli {
namespace {

constexpr char kNotSet[] = "not set";

// The end of an access key id is enough to tell keys apart.
std::string Masked(std::string_view access_key_id) {
  constexpr std::size_t kShown = 4;
  if (access_key_id.size() <= 2 * kShown) return "****";
  return "****" + std::string(access_key_id.substr(access_key_id.size() - kShown));
}

std::string Shown(const aws::Credentials& credentials) {
  std::string text = "access key " + Masked(credentials.access_key_id);
  if (credentials.expiration) {
    text += ", until " + aws::FormatIso8601(*credentials.expiration);
  } else if (!credentials.session_token.empty()) {
    text += ", with a session token";
  }
  return text;
}

Step Failed(Step step, const Error& error, std::string advice) {
  step.state = StepState::kFailed;
  step.result = error.message;
  if (!error.code.empty() && error.message.find(error.code) == std::string::npos) {
    step.result += " (" + error.code + ")";
  }
  step.advice = std::move(advice);
  return step;
}

std::string AdviceOnAccess(const Error& error, const std::optional<aws::CallerIdentity>& caller) {
  switch (error.kind) {
    case ErrorKind::kAccessDenied:
      return "allow glue:GetDatabases" + (caller ? " to " + caller->arn : std::string()) +
             ", in its IAM policy and, for the catalog of another account, in that catalog's "
             "resource policy or in Lake Formation";
    case ErrorKind::kUnauthenticated:
      return "the service does not accept these credentials: renew them, and check that they "
             "belong to this endpoint";
    case ErrorKind::kUnavailable:
    case ErrorKind::kTimeout:
      return "check that the endpoint is right and can be reached from here: network, proxy, "
             "VPC endpoint";
    case ErrorKind::kNotFound:
    case ErrorKind::kInvalidArgument:
      return "check glue.id (--glue-id): it is the 12 digits of an AWS account";
    case ErrorKind::kInvalidData:
      return "check the endpoint: what answers there is not Glue";
    default:
      return "try again; if it stays, the message above is the service's own";
  }
}

class Doctor {
 public:
  Doctor(const CatalogOptions& options, const DoctorWorld& world)
      : options_(options), world_(world), environment_(world.environment) {}

  Diagnosis Run() {
    if (Options() && Region() && Endpoint()) {
      GlueId();
      if (settings_.LocalDirectory()) {
        LocalAccess();
      } else if (Credentials() && Role()) {
        Identity();
        Access(connect::MakeHttpTransport(settings_, region_, runtime_, provider_));
      }
    }
    return std::move(diagnosis_);
  }

 private:
  bool Add(Step step) {
    diagnosis_.steps.push_back(std::move(step));
    return diagnosis_.steps.back().state != StepState::kFailed;
  }

  bool Options() {
    Step step{.name = "options"};
    auto settings = SettingsOf(options_);
    if (!settings) {
      return Add(Failed(std::move(step), settings.error(), "see docs/configuration.md"));
    }
    settings_ = *std::move(settings);
    for (const auto& warning : settings_.warnings) step.tried.push_back({"warning", warning});
    step.result = "understood";
    if (!settings_.LocalDirectory()) {
      environment_ = WithProfile(world_.environment, options_.profile);
    }
    return Add(std::move(step));
  }

  // Asks `sources` in turn, up to the first that is set.
  using Sources = std::vector<std::pair<std::string, std::optional<std::string>>>;
  static bool Try(Step& step, const Sources& sources, bool show_value) {
    for (const auto& [source, value] : sources) {
      step.tried.push_back({source, !value ? kNotSet : show_value ? *value : "set"});
      if (value) return true;
    }
    return false;
  }

  bool Region() {
    Step step{.name = "region"};
    Sources sources = {{"client.region", settings_.region}};
    const auto url =
        aws::ConfiguredEndpointUrl("glue", settings_.endpoint, *environment_).value_or("");
    if (const auto endpoint = aws::ParseEndpoint(url)) {
      sources.emplace_back("name of the endpoint", aws::RegionOfHost(endpoint->host));
    }
    for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
      sources.emplace_back(name, environment_->Variable(name));
    }
    if (!Try(step, sources, true)) {
      const std::string profile = aws::ChooseProfile(*environment_).name;
      const auto profiles = aws::LoadProfiles(*environment_);
      const auto region = profiles ? profiles->Find(profile, "region") : std::nullopt;
      step.tried.push_back({"region of profile " + profile,
                            !profiles ? profiles.error().message : region.value_or(kNotSet)});
    }
    auto region = connect::RegionOf(settings_, *environment_, [&]() -> Result<std::string> {
      GLUECAT_ASSIGN_OR_RETURN(const aws::ClientRuntime runtime, Runtime());
      auto instance = aws::InstanceMetadata(runtime).Region({});
      step.tried.push_back({"instance metadata", instance ? *instance : instance.error().message});
      return instance;
    });
    if (!region) {
      return Add(Failed(std::move(step), region.error(),
                        "give --region, or set AWS_REGION or `region` in the profile"));
    }
    region_ = *region;
    if (!settings_.LocalDirectory()) settings_.region = region_;
    step.result = region_;
    return Add(std::move(step));
  }

  bool EnvironmentEndpointsCount() const {
    const auto ignored = environment_->Variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
    return !ignored || !EqualsIgnoreCase(*ignored, "true");
  }

  bool Endpoint() {
    Step step{.name = "endpoint"};
    Sources sources = {{"glue.endpoint", settings_.endpoint}};
    if (EnvironmentEndpointsCount()) {
      for (const char* name : {"AWS_ENDPOINT_URL_GLUE", "AWS_ENDPOINT_URL"}) {
        sources.emplace_back(name, environment_->Variable(name));
      }
    }
    // Values are not shown: a URL may hold a password.
    own_endpoint_ = !Try(step, sources, false);
    if (own_endpoint_) step.tried.push_back({"AWS's own", "used"});
    if (settings_.LocalDirectory()) {
      step.result = *settings_.endpoint;
      return Add(std::move(step));
    }
    const auto endpoint = connect::GlueEndpoint(settings_, region_, *environment_);
    if (!endpoint) {
      return Add(Failed(std::move(step), endpoint.error(),
                        "an endpoint looks like http://127.0.0.1:4566 or https://host/prefix"));
    }
    step.result = endpoint->Url();
    return Add(std::move(step));
  }

  void GlueId() {
    Step step{.name = "glue.id"};
    Try(step, {{"glue.id", settings_.glue_id}}, true);
    step.result = settings_.glue_id.value_or(settings_.LocalDirectory() ? LocalAccount()
                                                                        : "the caller's account");
    Add(std::move(step));
  }

  // The account that a directory takes the caller for.
  std::string LocalAccount() const {
    const auto key = environment_->Variable("AWS_ACCESS_KEY_ID").value_or("");
    return store::PrincipalOfAccessKey(key, region_).account;
  }

  Result<aws::ClientRuntime> Runtime() const {
    return connect::MakeRuntime(settings_, world_.make_http(settings_.http, environment_),
                                environment_, world_.clock);
  }

  // Asks the members of the default chain as a catalog does.
  bool Credentials() {
    Step step{.name = "credentials"};
    auto runtime = Runtime();
    if (!runtime) {
      return Add(Failed(std::move(step), runtime.error(), "correct the setting it names"));
    }
    runtime_ = *std::move(runtime);
    for (const auto& member : aws::DefaultChainMembers(runtime_, region_)) {
      const std::string_view name = member->name();
      if (!options_.profile.empty() && ComesBeforeTheProfile(name)) {
        step.tried.push_back({std::string(name), "not asked, since --profile is given"});
        continue;
      }
      if (const auto found = CredentialsFrom(*member, step)) return *found;
    }
    return Add(Failed(std::move(step), MakeError(ErrorKind::kUnauthenticated, "there are none"),
                      "configure one of these sources: set AWS_ACCESS_KEY_ID and "
                      "AWS_SECRET_ACCESS_KEY, or give --profile"));
  }

  static bool ComesBeforeTheProfile(std::string_view member) {
    return member == "environment" || member == "web identity";
  }

  // nullopt if `provider` is not configured; else whether it gave credentials.
  std::optional<bool> CredentialsFrom(aws::CredentialsProvider& provider, Step& step) {
    std::string source(provider.name());
    if (source == "profile") source += " " + aws::ChooseProfile(*environment_).name;
    auto credentials = provider.Resolve({});
    if (!credentials && credentials.error().kind == ErrorKind::kNotFound) {
      step.tried.push_back({std::move(source), credentials.error().message});
      return std::nullopt;
    }
    step.tried.push_back({source, credentials ? "used" : "failed"});
    if (!credentials) {
      return Add(Failed(std::move(step), credentials.error(),
                        "correct or remove what is configured there: no other source is asked "
                        "after one that fails"));
    }
    step.result = Shown(*credentials) + ", from " + source;
    credentials_ = *std::move(credentials);
    return Add(std::move(step));
  }

  bool Role() {
    auto provider = connect::MakeCredentials(settings_, region_, runtime_);
    Step step{.name = "role"};
    if (!provider)
      return Add(Failed(std::move(step), provider.error(), "see docs/configuration.md"));
    provider_ = *std::move(provider);
    if (!settings_.assume_role) return true;
    step.tried.push_back({"client.assume-role.arn", settings_.assume_role->arn});
    auto credentials = provider_->Resolve({});
    if (!credentials) {
      return Add(Failed(std::move(step), credentials.error(),
                        "let the trust policy of the role allow sts:AssumeRole to this identity, "
                        "and check client.assume-role.external-id"));
    }
    step.result = "assumed: " + Shown(*credentials);
    credentials_ = *std::move(credentials);
    return Add(std::move(step));
  }

  // Whether STS belongs to whoever runs the Glue endpoint.
  bool StsIsMeant() const {
    if (own_endpoint_ || settings_.assume_role) return true;
    return EnvironmentEndpointsCount() && (environment_->Variable("AWS_ENDPOINT_URL_STS") ||
                                           environment_->Variable("AWS_ENDPOINT_URL"));
  }

  void Identity() {
    Step step{.name = "identity"};
    if (!StsIsMeant()) {
      step.state = StepState::kSkipped;
      step.result = "the endpoint is not AWS's, and AWS_ENDPOINT_URL_STS names no STS beside it";
      Add(std::move(step));
      return;
    }
    const std::string region =
        settings_.assume_role ? settings_.assume_role->region.value_or(region_) : region_;
    auto endpoint =
        aws::ResolveEndpoint("sts", region, std::nullopt, runtime_.variants, *environment_);
    if (!endpoint) {
      Add(Failed(std::move(step), endpoint.error(), "check AWS_ENDPOINT_URL_STS"));
      return;
    }
    step.tried.push_back({"GetCallerIdentity", endpoint->Url()});
    aws::StsClient sts(runtime_, *std::move(endpoint), region);
    const auto caller = sts.GetCallerIdentity(credentials_, {});
    if (!caller) {
      Add(Failed(std::move(step), caller.error(),
                 caller.error().kind == ErrorKind::kUnauthenticated
                     ? "the keys are wrong or have expired: renew them"
                     : "check that STS can be reached from here; Glue itself does not need it"));
      return;
    }
    caller_ = *caller;
    step.result = caller_->arn;
    if (settings_.glue_id && *settings_.glue_id != caller_->account) {
      step.tried.push_back({"account", caller_->account +
                                           ", which is not glue.id: the catalog of " +
                                           *settings_.glue_id + " must allow it"});
    }
    Add(std::move(step));
  }

  void LocalAccess() { Access(connect::Connect(settings_, environment_, world_.clock)); }

  void Access(const Result<std::shared_ptr<glue::Transport>>& transport) {
    Step step{.name = "access"};
    step.tried.push_back({"GetDatabases", "of " + LabelOf(settings_, *environment_)});
    JsonWriter body;
    body.BeginObject();
    if (settings_.glue_id) body.Member("CatalogId", *settings_.glue_id);
    body.Member("MaxResults", 1).EndObject();
    const auto answer = transport ? (*transport)->Call("GetDatabases", body.text(), {})
                                  : Result<std::string>(std::unexpected(transport.error()));
    if (!answer) {
      Add(Failed(std::move(step), answer.error(), AdviceOnAccess(answer.error(), caller_)));
      return;
    }
    step.result = "databases can be listed";
    Add(std::move(step));
  }

  const CatalogOptions& options_;
  const DoctorWorld& world_;
  std::shared_ptr<Environment> environment_;
  catalog::Settings settings_;
  std::string region_;
  bool own_endpoint_ = false;  // AWS's
  aws::ClientRuntime runtime_;
  aws::Credentials credentials_;
  std::shared_ptr<aws::CredentialsProvider> provider_;
  std::optional<aws::CallerIdentity> caller_;
  Diagnosis diagnosis_;
};

}  // namespace

std::string_view StepStateName(StepState state) {
  switch (state) {
    case StepState::kOk:
      return "ok";
    case StepState::kFailed:
      return "failed";
    case StepState::kSkipped:
      return "skipped";
  }
  return {};
}

bool Diagnosis::ok() const {
  return std::ranges::none_of(steps, [](const Step& s) { return s.state == StepState::kFailed; });
}

Diagnosis Diagnose(const CatalogOptions& options, const DoctorWorld& world) {
  return Doctor(options, world).Run();
}

}  // namespace gluecat::cli
