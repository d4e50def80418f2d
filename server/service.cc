#include "server/service.h"

#include <chrono>
#include <optional>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "server/random.h"
#include "server/resource.h"
#include "server/sts.h"
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

// Whether the caller may carry out a Glue operation on `resource`, which the request names or a
// resource link leads to. Errors: AccessDeniedException.
Status MayReach(const Caller& caller, std::string_view operation, const Resource& resource,
                std::string_view region) {
  if (caller.permissions == nullptr) return {};
  const std::string action = "glue:" + std::string(operation);
  const std::string arn = resource.Arn(region);
  GLUECAT_RETURN_IF_ERROR(caller.MayCall(action, arn));
  if (caller.permissions->ReachesCatalog(caller.account, resource.catalog_id)) return {};
  return store::ServiceError(
      "AccessDeniedException",
      "User: " + caller.arn + " is not authorized to perform: " + action + " on resource: " + arn +
          " because no resource-based policy allows the " + action + " action");
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
  const std::string_view target = request.Header("X-Amz-Target");
  if (!target.starts_with(kTargetPrefix)) {
    return store::ServiceError("UnknownOperationException",
                               "X-Amz-Target must be AWSGlue.<operation>.");
  }
  entry.operation = target.substr(kTargetPrefix.size());
  GLUECAT_ASSIGN_OR_RETURN(const auto caller, authenticator_.Authenticate(request, "glue"));
  entry.account = caller.account;
  entry.access_key_id = caller.access_key_id;
  entry.arn = caller.arn;
  entry.region = caller.region;

  const auto document = JsonDocument::Parse(request.body.empty() ? "{}" : request.body);
  if (!document) return store::ServiceError("SerializationException", document.error().message);
  const JsonView root = document->root();
  const Resource resource = ResourceOf(entry.operation, root, caller.account);
  entry.catalog_id = resource.catalog_id;
  entry.database = resource.database;
  entry.table = resource.table;
  if (log_ != nullptr && !HoldsSecrets(root)) entry.request = root.Dump();
  GLUECAT_RETURN_IF_ERROR(MayReach(caller, entry.operation, resource, caller.region));
  store::Principal principal{.account = caller.account, .region = caller.region, .arn = caller.arn};
  principal.may_follow = [&](const store::LinkTarget& to) {
    const Resource behind{.catalog_id = to.catalog_id, .database = to.database, .table = to.table};
    return MayReach(caller, entry.operation, behind, to.region);
  };
  return store_->Execute(principal, entry.operation, root);
}

Result<std::string> Service::HandleSts(const Request& request, LogEntry& entry) {
  const auto parameters = ParseForm(request.method == "GET" ? request.query : request.body);
  if (const auto action = parameters.find("Action"); action != parameters.end()) {
    entry.operation = action->second.substr(0, 128);
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto caller, authenticator_.Authenticate(request, "sts"));
  entry.account = caller.account;
  entry.access_key_id = caller.access_key_id;
  entry.arn = caller.arn;
  entry.region = caller.region;
  const StsContext context{.accounts = authenticator_.accounts(),
                           .temporary = temporary_,
                           .clock = *clock_,
                           .request_id = entry.request_id};
  return CallSts(context, caller, parameters);
}

}  // namespace gluecat::server
