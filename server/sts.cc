#include "server/sts.h"

#include <algorithm>
#include <utility>

#include "core/glue/errors.h"
#include "server/authorization.h"
#include "store/service_errors.h"

namespace gluecat::server {
namespace {

using store::ServiceError;

bool Trusts(const Trust& trust, const Caller& caller, const std::string& external_id) {
  const bool who = trust.principal == "*" || trust.principal == caller.account ||
                   trust.principal == caller.arn ||
                   (!caller.role_arn.empty() && trust.principal == caller.role_arn) ||
                   trust.principal == "arn:aws:iam::" + caller.account + ":root";
  return who && (!trust.external_id || *trust.external_id == external_id);
}

// AWS says the same whether the role is missing, does not trust the caller or
// wants another external id: nothing about it leaks.
Status CheckTrust(const StsContext& context, const Caller& caller, const AssumedSession& session,
                  const std::string& external_id) {
  if (context.accounts == nullptr) return {};
  const Role* const role = context.accounts->FindRole(session.role_arn);
  const bool trusted = role != nullptr &&
                       std::any_of(role->trust.begin(), role->trust.end(), [&](const Trust& trust) {
                         return Trusts(trust, caller, external_id);
                       });
  auto values = ConditionValuesOf(caller, session.account(), context.clock.Now());
  values.external_id = external_id;
  values.role_session_name = session.session_name;
  if (!trusted ||
      !AuthorizeByIdentity(caller, {"sts:AssumeRole", ""}, {session.role_arn, false}, values)) {
    return ServiceError("AccessDenied", "User: " + caller.arn + " is not authorized to perform: " +
                                            "sts:AssumeRole on resource: " + session.role_arn);
  }
  return {};
}

Status CheckExternalId(const std::string& external_id) {
  constexpr std::size_t kLongest = 1224;
  const bool valid = external_id.size() >= 2 && external_id.size() <= kLongest &&
                     std::ranges::all_of(external_id, [](char c) {
                       return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || std::string_view("_+=,.@:/-").contains(c);
                     });
  if (external_id.empty() || valid) return {};
  return InvalidParameter(
      "1 validation error detected: Value at 'externalId' failed to satisfy constraint: Member "
      "must satisfy regular expression pattern: [\\w+=,.@:\\/-]* and have length between 2 and "
      "1224");
}

Result<std::string> AssumeRole(const StsContext& context, const Caller& caller,
                               const FormParameters& parameters) {
  GLUECAT_ASSIGN_OR_RETURN(auto session, ReadSession(context, parameters));
  const std::string external_id = Parameter(parameters, "ExternalId");
  GLUECAT_RETURN_IF_ERROR(CheckExternalId(external_id));
  GLUECAT_RETURN_IF_ERROR(CheckTrust(context, caller, session, external_id));
  const Role* const role =
      context.accounts == nullptr ? nullptr : context.accounts->FindRole(session.role_arn);
  GLUECAT_ASSIGN_OR_RETURN(const auto duration,
                           ReadDuration(parameters, role, !caller.role_arn.empty()));
  GLUECAT_ASSIGN_OR_RETURN(const auto result, OpenSession(context, std::move(session), duration));
  return StsAnswerXml("AssumeRole", result, context.request_id);
}

}  // namespace

bool IsKnownStsOperation(std::string_view operation) {
  return operation == "AssumeRole" || operation == "GetCallerIdentity" ||
         IsUnsignedStsOperation(operation);
}

bool IsUnsignedStsOperation(std::string_view operation) {
  return operation == "AssumeRoleWithWebIdentity";
}

Result<std::string> CallSts(const StsContext& context, const Caller& caller,
                            const FormParameters& parameters) {
  const std::string action = glue::Excerpt(Parameter(parameters, "Action"), 128);
  if (action == "AssumeRole") return AssumeRole(context, caller, parameters);
  if (action == "GetCallerIdentity") {
    return StsAnswerXml("GetCallerIdentity",
                        XmlElement("Arn", caller.arn) + XmlElement("UserId", caller.user_id) +
                            XmlElement("Account", caller.account),
                        context.request_id);
  }
  return ServiceError("InvalidAction",
                      "Could not find operation " + action + " for version 2011-06-15");
}

}  // namespace gluecat::server
