#include "server/service.h"

#include <chrono>
#include <optional>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "server/authorization.h"
#include "server/listing_filter.h"
#include "server/random.h"
#include "server/sts.h"
#include "server/web_identity.h"
#include "store/service_errors.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kTargetPrefix = "AWSGlue.";
constexpr const char* kJsonType = "application/x-amz-json-1.1";
constexpr const char* kXmlType = "text/xml";

// Errors of the service's own model say "Message", those of every AWS service "message".
std::string JsonError(const Error& error) {
  const bool common =
      error.code == "ValidationException" || error.code == "SerializationException" ||
      error.code == "UnknownOperationException" ||
      error.code == "MissingAuthenticationTokenException" ||
      error.code == "IncompleteSignatureException" || error.code == "UnrecognizedClientException" ||
      error.code == "InvalidSignatureException" || error.code == "ExpiredTokenException";
  JsonWriter writer;
  writer.BeginObject().Member("__type", error.code);
  writer.Member(common ? "message" : "Message", error.message);
  return writer.EndObject().Take();
}

// The inputs that passwords come in; what they hold is not for the log.
bool HoldsSecrets(JsonView request) {
  return !request["ConnectionInput"].IsNull() || !request["TestConnectionInput"].IsNull();
}

void NoteCaller(const Caller& caller, LogEntry& entry) {
  entry.account = caller.account;
  entry.access_key_id = caller.access_key_id;
  entry.arn = caller.arn;
  entry.region = caller.region;
}

bool IsAboutResourcePolicies(std::string_view operation) {
  return operation.ends_with("ResourcePolicy") || operation == "GetResourcePolicies";
}

// `request` as it would name what a resource link in it leads to.
std::string RequestBehind(JsonView request, const store::LinkTarget& to) {
  const std::string_view database = request["DatabaseName"].IsMissing() ? "Name" : "DatabaseName";
  const std::string_view table = request["TableName"].IsMissing() ? "Name" : "TableName";
  JsonWriter writer;
  writer.BeginObject().Member("CatalogId", to.catalog_id).Member(database, to.database);
  for (const auto& [name, value] : request.Members()) {
    if (name == "CatalogId" || name == database) continue;
    if (name == table && !to.table.empty()) {
      writer.Member(name, to.table);
    } else {
      writer.Key(name).Raw(value.Dump());
    }
  }
  return writer.EndObject().Take();
}

std::unexpected<Error> UnreadablePolicy(const Caller& caller, const GlueTarget& target,
                                        const std::string& why) {
  return store::ServiceError(
      "AccessDeniedException",
      "User: " + caller.arn + " is not authorized to perform: " + target.action.name +
          " on resource: " + target.resources.front().arn +
          " because the resource policy of the catalog cannot be read: " + why +
          ". Somebody of its account has to put another one, or delete it.");
}

}  // namespace

Result<std::unique_ptr<Service>> Service::Make(std::shared_ptr<store::Store> store,
                                               std::shared_ptr<const Accounts> accounts,
                                               std::shared_ptr<Clock> clock,
                                               std::unique_ptr<RequestLog> log,
                                               std::shared_ptr<Metrics> metrics) {
  GLUECAT_ASSIGN_OR_RETURN(auto key, store->Secret("temporary_credentials"));
  return std::unique_ptr<Service>(new Service(std::move(store), std::move(accounts),
                                              std::move(clock), std::move(log), std::move(metrics),
                                              std::move(key)));
}

Service::Service(std::shared_ptr<store::Store> store, std::shared_ptr<const Accounts> accounts,
                 std::shared_ptr<Clock> clock, std::unique_ptr<RequestLog> log,
                 std::shared_ptr<Metrics> metrics, std::string key)
    : store_(std::move(store)),
      clock_(std::move(clock)),
      log_(std::move(log)),
      metrics_(std::move(metrics)),
      catalog_policies_(store_),
      temporary_(std::move(key)),
      authenticator_(std::move(accounts), temporary_, clock_) {}

Answer Service::Handle(const Request& request) {
  std::optional<Metrics::Present> in_flight;
  if (metrics_ != nullptr) in_flight.emplace(metrics_->requests_in_flight());
  const auto started = clock_->SteadyNow();
  LogEntry entry;
  entry.request_id = RandomUuid();
  Answer answer = Dispatch(request, entry);
  const Duration latency = clock_->SteadyNow() - started;
  if (metrics_ != nullptr) metrics_->Count(entry.service, entry.operation, entry.code, latency);
  if (log_ != nullptr) {
    entry.status = answer.status;
    entry.latency_ms = std::chrono::duration<double, std::milli>(latency).count();
    log_->Write(entry, clock_->Now());
  }
  return answer;
}

Answer Service::Dispatch(const Request& request, LogEntry& entry) {
  const bool json = !request.Header("X-Amz-Target").empty() ||
                    request.Header("Content-Type").starts_with("application/x-amz-json");
  entry.service = json ? "glue" : "sts";
  const auto body = json ? HandleGlue(request, entry) : HandleSts(request, entry);

  Answer answer;
  answer.request_id = entry.request_id;
  answer.content_type = json ? kJsonType : kXmlType;
  if (body) {
    answer.body = *body;
  } else {
    entry.code = body.error().code;
    answer.status = body.error().http_status == 0 ? 500 : body.error().http_status;
    answer.body =
        json ? JsonError(body.error()) : StsErrorXml(body.error(), entry.request_id, answer.status);
  }
  return answer;
}

Result<std::string> Service::HandleGlue(const Request& request, LogEntry& entry) {
  const std::string_view header = request.Header("X-Amz-Target");
  if (!header.starts_with(kTargetPrefix)) {
    return store::ServiceError("UnknownOperationException",
                               "X-Amz-Target must be AWSGlue.<operation>.");
  }
  entry.operation = header.substr(kTargetPrefix.size());
  GLUECAT_ASSIGN_OR_RETURN(const auto caller, authenticator_.Authenticate(request, "glue"));
  NoteCaller(caller, entry);

  const auto document = JsonDocument::Parse(request.body.empty() ? "{}" : request.body);
  if (!document) return store::ServiceError("SerializationException", document.error().message);
  const JsonView root = document->root();
  const GlueTarget target = TargetOf(entry.operation, root, caller.account, caller.region);
  entry.catalog_id = target.catalog_id;
  entry.database = target.database;
  entry.table = target.table;
  if (log_ != nullptr && !HoldsSecrets(root)) entry.request = root.Dump();
  return ExecuteAllowed(caller, target, entry.operation, root);
}

Result<CatalogAccess> Service::Allow(const Caller& caller, const GlueTarget& target,
                                     std::string_view operation, const std::string& region) {
  auto policy = catalog_policies_.Of(target.owner(), region);
  if (!policy) {
    if (policy.error().kind != ErrorKind::kInvalidData) return Fail(std::move(policy).error());
    // A deny in it may be meant for anybody.
    if (target.owner() != caller.account || !IsAboutResourcePolicies(operation)) {
      return UnreadablePolicy(caller, target, policy.error().message);
    }
  }
  CatalogAccess access{.caller = caller,
                       .catalog_id = target.catalog_id,
                       .owner = target.owner(),
                       .region = region,
                       .action = target.action,
                       .resource_policy = policy.value_or(nullptr),
                       .values = ConditionValuesOf(caller, target.owner(), clock_->Now())};
  GLUECAT_RETURN_IF_ERROR(Authorize(access, target.resources));
  return access;
}

Result<std::string> Service::ExecuteAllowed(const Caller& caller, const GlueTarget& target,
                                            std::string_view operation, JsonView request) {
  store::Principal principal{.account = caller.account, .region = caller.region, .arn = caller.arn};
  // One that is missing or too short is the store's to refuse, as any other member.
  const std::string policy_text = request["PolicyInJson"].StringOr("");
  const bool puts_policy = operation == "PutResourcePolicy" && policy_text.size() >= 2;
  if (caller.permissions == nullptr) {
    if (puts_policy) {
      GLUECAT_RETURN_IF_ERROR(CheckNewPolicy(policy_text, target.owner(), caller.region, nullptr));
    }
    return store_->Execute(principal, operation, request);
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto access, Allow(caller, target, operation, caller.region));
  if (puts_policy) {
    GLUECAT_RETURN_IF_ERROR(CheckNewPolicy(policy_text, target.owner(), caller.region, &access));
  }
  std::optional<CatalogAccess> behind_link;
  principal.may_follow = [&](const store::LinkTarget& to) -> Status {
    GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(RequestBehind(request, to)));
    const GlueTarget behind = TargetOf(operation, document.root(), caller.account, to.region);
    GLUECAT_ASSIGN_OR_RETURN(auto reached, Allow(caller, behind, operation, to.region));
    behind_link.emplace(std::move(reached));
    return {};
  };
  GLUECAT_ASSIGN_OR_RETURN(auto answer, store_->Execute(principal, operation, request));
  return KeepPermitted(operation, std::move(answer), behind_link ? *behind_link : access);
}

Result<std::string> Service::HandleSts(const Request& request, LogEntry& entry) {
  const auto parameters = ParseForm(request.method == "GET" ? request.query : request.body);
  if (const auto action = parameters.find("Action"); action != parameters.end()) {
    entry.operation = action->second.substr(0, 128);
  }
  const auto accounts = authenticator_.accounts();
  const StsContext context{.accounts = accounts.get(),
                           .temporary = temporary_,
                           .clock = *clock_,
                           .request_id = entry.request_id};
  if (IsUnsignedStsOperation(entry.operation)) {
    GLUECAT_ASSIGN_OR_RETURN(auto session, AssumeRoleWithWebIdentity(context, parameters));
    entry.account = std::move(session.account);
    entry.arn = std::move(session.arn);
    return std::move(session.answer);
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto caller, authenticator_.Authenticate(request, "sts"));
  NoteCaller(caller, entry);
  return CallSts(context, caller, parameters);
}

}  // namespace gluecat::server
