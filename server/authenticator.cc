#include "server/authenticator.h"

#include <chrono>
#include <utility>

#include "core/aws/crypto.h"
#include "core/aws/time_format.h"
#include "core/base/text.h"
#include "server/policy.h"
#include "store/local_transport.h"
#include "store/service_errors.h"

namespace gluecat::server {
namespace {

using store::ServiceError;

constexpr auto kMaxSkew = std::chrono::minutes(5);

std::unexpected<Error> BadToken() {
  return ServiceError("UnrecognizedClientException",
                      "The security token included in the request is invalid.");
}

}  // namespace

std::string_view Request::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (EqualsIgnoreCase(key, name)) return value;
  }
  return {};
}

Authenticator::Authenticator(std::shared_ptr<const Accounts> accounts,
                             const TemporaryCredentials& temporary, std::shared_ptr<Clock> clock)
    : accounts_(std::move(accounts)), temporary_(temporary), clock_(std::move(clock)) {}

std::shared_ptr<const Accounts> Authenticator::accounts() const {
  const std::lock_guard lock(accounts_mutex_);
  return accounts_;
}

void Authenticator::ReplaceAccounts(std::shared_ptr<const Accounts> accounts) {
  const std::lock_guard lock(accounts_mutex_);
  accounts_.swap(accounts);
}

Result<Caller> Authenticator::Authenticate(const Request& request, std::string_view service) const {
  const std::string_view header = request.Header("Authorization");
  if (header.empty()) {
    return ServiceError("MissingAuthenticationTokenException", "Missing Authentication Token");
  }
  const auto authorization = aws::ParseAuthorization(header);
  if (!authorization) {
    return ServiceError("IncompleteSignatureException",
                        "The Authorization header is not a complete AWS4-HMAC-SHA256 signature.");
  }
  if (authorization->scope.service != service) {
    return ServiceError(
        "InvalidSignatureException",
        "Credential should be scoped to correct service: '" + std::string(service) + "'.");
  }
  GLUECAT_ASSIGN_OR_RETURN(auto caller, Identify(request, *authorization));
  caller.access_key_id = authorization->access_key_id;
  caller.region = authorization->scope.region;
  caller.service = authorization->scope.service;
  caller.source_ip = request.source_ip;
  caller.secure_transport = request.tls;
  return caller;
}

Result<Caller> Authenticator::Identify(const Request& request,
                                       const aws::Authorization& authorization) const {
  if (const auto accounts = this->accounts(); accounts != nullptr) {
    std::string secret;
    GLUECAT_ASSIGN_OR_RETURN(auto caller, IdentifyKnown(accounts, request, authorization, secret));
    GLUECAT_RETURN_IF_ERROR(CheckSignature(request, authorization, secret));
    return caller;
  }
  const std::string& key = authorization.access_key_id;
  Caller caller;
  if (const auto session = temporary_.Open(key, request.Header("X-Amz-Security-Token"))) {
    caller.account = session->account();
    caller.arn = session->arn();
    caller.user_id = "AROA" + session->account() + ":" + session->session_name;
    caller.role_arn = session->role_arn;
    return caller;
  }
  const auto principal = store::PrincipalOfAccessKey(AccountOfTemporaryKey(key).value_or(key),
                                                     authorization.scope.region);
  caller.account = principal.account;
  caller.arn = principal.arn;
  caller.user_id = principal.account;
  return caller;
}

Result<Caller> Authenticator::IdentifyKnown(const std::shared_ptr<const Accounts>& accounts,
                                            const Request& request,
                                            const aws::Authorization& authorization,
                                            std::string& secret) const {
  Caller caller;
  const std::string_view token = request.Header("X-Amz-Security-Token");
  if (const User* const user = accounts->FindUser(authorization.access_key_id)) {
    if (!token.empty()) return BadToken();
    secret = user->secret_access_key;
    caller.account = user->account;
    caller.arn = user->arn;
    caller.user_id = "AIDA" + user->access_key_id;
    caller.user_name = user->name;
    caller.permissions = {accounts, &user->permissions};
    return caller;
  }
  const auto session = temporary_.Open(authorization.access_key_id, token);
  if (!session) return BadToken();
  const Role* const role = accounts->FindRole(session->role_arn);
  if (role == nullptr) return BadToken();  // gone since
  if (session->expiration <= clock_->Now()) {
    return ServiceError("ExpiredTokenException",
                        "The security token included in the request is expired");
  }
  secret = temporary_.SecretOf(authorization.access_key_id);
  caller.account = role->account;
  caller.arn = session->arn();
  caller.user_id = "AROA" + role->account + ":" + session->session_name;
  caller.role_arn = role->arn;
  caller.permissions = {accounts, &role->permissions};
  if (session->policy.empty()) return caller;
  // It was read before it was sealed into the token; what we cannot read any more, we refuse.
  auto policy = ParseIdentityPolicy(session->policy, kMaxSessionPolicy);
  if (!policy) return BadToken();
  caller.session_policy = std::make_shared<const Policy>(*std::move(policy));
  return caller;
}

Status Authenticator::CheckSignature(const Request& request,
                                     const aws::Authorization& authorization,
                                     std::string_view secret) const {
  const std::string_view date = request.Header("X-Amz-Date");
  const auto time = aws::ParseAmzDate(date);
  if (!time) {
    return ServiceError("IncompleteSignatureException",
                        "Authorization header requires existence of a valid 'X-Amz-Date' header.");
  }
  const auto now = clock_->Now();
  if (*time < now - kMaxSkew) {
    return ServiceError("InvalidSignatureException", "Signature expired: " + std::string(date) +
                                                         " is now earlier than " +
                                                         aws::FormatAmzDate(now - kMaxSkew) + " (" +
                                                         aws::FormatAmzDate(now) + " - 5 min.)");
  }
  if (*time > now + kMaxSkew) {
    return ServiceError("InvalidSignatureException",
                        "Signature not yet current: " + std::string(date) +
                            " is still later than " + aws::FormatAmzDate(now + kMaxSkew) + " (" +
                            aws::FormatAmzDate(now) + " + 5 min.)");
  }
  const aws::SignableRequest signable{.method = request.method,
                                      .path = request.path,
                                      .query = request.query,
                                      .headers = request.headers,
                                      .body = request.body};
  const auto expected = aws::ExpectedSignature(signable, authorization, secret);
  if (!expected || !aws::EqualInConstantTime(*expected, authorization.signature)) {
    return ServiceError(
        "InvalidSignatureException",
        "The request signature we calculated does not match the signature you provided. "
        "Check your AWS Secret Access Key and signing method. Consult the service "
        "documentation for details.");
  }
  return {};
}

}  // namespace gluecat::server
