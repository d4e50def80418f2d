// The conditions of policy statements (AWS, "IAM JSON policy elements: Condition").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/result.h"

namespace gluecat::server {

// What the keys of conditions stand for in one request. A key that has no value is absent.
struct ConditionValues {
  std::string principal_arn;      // aws:PrincipalArn: of a session, its role's
  std::string principal_account;  // aws:PrincipalAccount
  std::string user_id;            // aws:userid
  std::string user_name;          // aws:username; absent for sessions
  std::string requested_region;   // aws:RequestedRegion
  std::string resource_account;   // aws:ResourceAccount
  std::string source_ip;          // aws:SourceIp; IPv4 also as ::ffff:192.0.2.1
  bool secure_transport = false;  // aws:SecureTransport
  Timestamp current_time;         // aws:CurrentTime, aws:EpochTime
  std::string external_id;        // sts:ExternalId
  std::string role_session_name;  // sts:RoleSessionName
};

enum class ConditionKey : std::uint8_t {
  kPrincipalArn,
  kPrincipalAccount,
  kUserId,
  kUserName,
  kRequestedRegion,
  kResourceAccount,
  kSourceIp,
  kSecureTransport,
  kCurrentTime,
  kExternalId,
  kRoleSessionName,
};

enum class ConditionOperator : std::uint8_t {
  kStringEquals,
  kStringEqualsIgnoreCase,
  kStringLike,
  kArnLike,  // ArnEquals is the same
  kBool,
  kDateEquals,
  kDateLessThan,
  kDateLessThanEquals,
  kDateGreaterThan,
  kDateGreaterThanEquals,
  kIpAddress,
  kNull,
};

// One key of one operator: holds if one of `values` fits, or with `negated` if none does.
struct Condition {
  ConditionOperator comparison = ConditionOperator::kStringEquals;
  bool negated = false;    // StringNotEquals, NotIpAddress, …
  bool if_exists = false;  // holds where the key is absent
  ConditionKey key = ConditionKey::kPrincipalArn;
  std::vector<std::string> values;
};

// Reads a Condition element. Operators and keys that are not known here are errors, as are values
// that the operator cannot compare: a restriction must not be ignored.
// Errors: kInvalidArgument, saying what is wrong with which operator or key.
Result<std::vector<Condition>> ParseConditions(JsonView json);

// A condition on an absent key holds if it is negated or has IfExists.
bool Holds(const Condition& condition, const ConditionValues& values);

}  // namespace gluecat::server
