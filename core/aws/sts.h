// The Security Token Service: AssumeRole, AssumeRoleWithWebIdentity and
// GetCallerIdentity (AWS STS API 2011-06-15, query protocol).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/aws/client_runtime.h"
#include "core/aws/clock_skew.h"
#include "core/aws/credentials.h"
#include "core/aws/endpoint.h"

namespace gluecat::aws {

struct AssumeRoleRequest {
  std::string role_arn;
  std::string session_name;
  std::optional<std::string> external_id;
  std::chrono::seconds duration{3600};  // STS takes 900 to 43200
};

struct WebIdentityRequest {
  std::string role_arn;
  std::string session_name;
  std::string token;                                  // of the identity provider; a secret
  std::optional<std::chrono::seconds> duration = {};  // nullopt: STS's own, an hour
};

// Who signs with some credentials.
struct CallerIdentity {
  std::string account;  // 12 digits
  std::string arn;      // "arn:aws:sts::111111111111:assumed-role/name/session"
  std::string user_id;
  bool operator==(const CallerIdentity&) const = default;
};

// Thread-safe.
class StsClient {
 public:
  // `region` is signed for.
  StsClient(ClientRuntime runtime, Endpoint endpoint, std::string region);

  // Errors: kAccessDenied (the identity may not assume the role, or the role does
  // not exist: STS does not say which), kUnauthenticated, kInvalidArgument,
  // kUnavailable, kTimeout, kThrottled, kCancelled, kInvalidData.
  Result<Credentials> AssumeRole(const AssumeRoleRequest& request, const Credentials& identity,
                                 const CallLimits& limits);

  // The token is the identity: nothing is signed.
  // Errors: those of AssumeRole; a token that has expired, or that nobody who is
  // trusted has signed, is kUnauthenticated.
  Result<Credentials> AssumeRoleWithWebIdentity(const WebIdentityRequest& request,
                                                const CallLimits& limits);

  // Whose `identity` it is. Needs no permission.
  // Errors: those of AssumeRole; never kAccessDenied from STS itself.
  Result<CallerIdentity> GetCallerIdentity(const Credentials& identity, const CallLimits& limits);

  const Endpoint& endpoint() const { return endpoint_; }

 private:
  // Without an identity the request is not signed.
  Result<HttpResponse> Call(const std::string& body, const Credentials* identity,
                            const CallLimits& limits);

  const ClientRuntime runtime_;
  const Endpoint endpoint_;
  const std::string region_;
  ClockSkew skew_;
};

// The form bodies of the requests.
std::string AssumeRoleBody(const AssumeRoleRequest& request);
std::string WebIdentityBody(const WebIdentityRequest& request);

// The credentials in a successful answer to either.
// Errors: kInvalidData.
Result<Credentials> ParseAssumeRoleAnswer(std::string_view xml);

// The identity in a successful answer.
// Errors: kInvalidData.
Result<CallerIdentity> ParseCallerIdentityAnswer(std::string_view xml);

// The error in a failed answer.
Error ParseStsError(const HttpResponse& response, std::string_view place);

// The text of the first element <name>…</name> without child elements, with the
// five predefined and the numeric entities resolved; nullopt if there is none.
// Enough of XML for what STS answers.
std::optional<std::string> XmlElementText(std::string_view xml, std::string_view name);

}  // namespace gluecat::aws
