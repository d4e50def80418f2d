#include "server/policy_condition.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/aws/time_format.h"
#include "core/base/text.h"
#include "server/ip_network.h"
#include "server/wildcard.h"

namespace gluecat::server {
namespace {

enum class ValueType : std::uint8_t { kText, kArn, kBool, kDate, kAddress };

struct KeyName {
  std::string_view name;
  ConditionKey key;
  ValueType type;
};
constexpr KeyName kKeys[] = {
    {"aws:PrincipalArn", ConditionKey::kPrincipalArn, ValueType::kArn},
    {"aws:PrincipalAccount", ConditionKey::kPrincipalAccount, ValueType::kText},
    {"aws:userid", ConditionKey::kUserId, ValueType::kText},
    {"aws:username", ConditionKey::kUserName, ValueType::kText},
    {"aws:RequestedRegion", ConditionKey::kRequestedRegion, ValueType::kText},
    {"aws:ResourceAccount", ConditionKey::kResourceAccount, ValueType::kText},
    {"aws:SourceIp", ConditionKey::kSourceIp, ValueType::kAddress},
    {"aws:SecureTransport", ConditionKey::kSecureTransport, ValueType::kBool},
    {"aws:CurrentTime", ConditionKey::kCurrentTime, ValueType::kDate},
    {"aws:EpochTime", ConditionKey::kCurrentTime, ValueType::kDate},
    {"sts:ExternalId", ConditionKey::kExternalId, ValueType::kText},
    {"sts:RoleSessionName", ConditionKey::kRoleSessionName, ValueType::kText},
};

struct OperatorName {
  std::string_view name;
  ConditionOperator comparison;
  bool negated;
};
constexpr OperatorName kOperators[] = {
    {"StringEquals", ConditionOperator::kStringEquals, false},
    {"StringNotEquals", ConditionOperator::kStringEquals, true},
    {"StringEqualsIgnoreCase", ConditionOperator::kStringEqualsIgnoreCase, false},
    {"StringNotEqualsIgnoreCase", ConditionOperator::kStringEqualsIgnoreCase, true},
    {"StringLike", ConditionOperator::kStringLike, false},
    {"StringNotLike", ConditionOperator::kStringLike, true},
    {"ArnEquals", ConditionOperator::kArnLike, false},
    {"ArnNotEquals", ConditionOperator::kArnLike, true},
    {"ArnLike", ConditionOperator::kArnLike, false},
    {"ArnNotLike", ConditionOperator::kArnLike, true},
    {"Bool", ConditionOperator::kBool, false},
    {"DateEquals", ConditionOperator::kDateEquals, false},
    {"DateNotEquals", ConditionOperator::kDateEquals, true},
    {"DateLessThan", ConditionOperator::kDateLessThan, false},
    {"DateLessThanEquals", ConditionOperator::kDateLessThanEquals, false},
    {"DateGreaterThan", ConditionOperator::kDateGreaterThan, false},
    {"DateGreaterThanEquals", ConditionOperator::kDateGreaterThanEquals, false},
    {"IpAddress", ConditionOperator::kIpAddress, false},
    {"NotIpAddress", ConditionOperator::kIpAddress, true},
    {"Null", ConditionOperator::kNull, false},
};

bool Compares(ConditionOperator comparison, ValueType type) {
  switch (comparison) {
    case ConditionOperator::kStringEquals:
    case ConditionOperator::kStringEqualsIgnoreCase:
    case ConditionOperator::kStringLike:
      return type == ValueType::kText || type == ValueType::kArn;
    case ConditionOperator::kArnLike:
      return type == ValueType::kArn;
    case ConditionOperator::kBool:
      return type == ValueType::kBool;
    case ConditionOperator::kIpAddress:
      return type == ValueType::kAddress;
    case ConditionOperator::kNull:
      return true;
    default:
      return type == ValueType::kDate;
  }
}

// "2026-01-31T12:00:00Z" or seconds since 1970.
std::optional<Timestamp> ParseDate(std::string_view text) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  constexpr std::int64_t kYear9999 = 253'402'300'799;
  if (error == std::errc() && end == text.data() + text.size()) {
    if (seconds < 0 || seconds > kYear9999) return std::nullopt;
    return Timestamp(std::chrono::seconds(seconds));
  }
  return aws::ParseIso8601(text);
}

bool IsBool(std::string_view text) {
  return EqualsIgnoreCase(text, "true") || EqualsIgnoreCase(text, "false");
}

bool CanCompare(ConditionOperator comparison, std::string_view value) {
  switch (comparison) {
    case ConditionOperator::kArnLike:
      return value.starts_with("arn:") && Split(value, ':').size() >= 6;
    case ConditionOperator::kBool:
    case ConditionOperator::kNull:
      return IsBool(value);
    case ConditionOperator::kIpAddress:
      return IpNetwork::Parse(value).has_value();
    case ConditionOperator::kStringEquals:
    case ConditionOperator::kStringEqualsIgnoreCase:
    case ConditionOperator::kStringLike:
      return true;
    default:
      return ParseDate(value).has_value();
  }
}

std::unexpected<Error> Invalid(std::string message) {
  return Fail(ErrorKind::kInvalidArgument, std::move(message));
}

std::unexpected<Error> NoValueFor(std::string_view operator_name, const std::string& place,
                                  const std::string& value) {
  return Invalid(place + " has the value '" + value + "', which is none for " +
                 std::string(operator_name));
}

Result<std::vector<std::string>> ParseValues(JsonView json, const std::string& place) {
  std::vector<std::string> values;
  for (const auto& element : json.IsArray() ? json.Elements() : std::vector<JsonView>{json}) {
    if (const auto text = element.AsString()) {
      values.emplace_back(*text);
    } else if (const auto flag = element.AsBool()) {
      values.emplace_back(*flag ? "true" : "false");
    } else if (const auto number = element.AsInt()) {
      values.push_back(std::to_string(*number));
    } else {
      return Invalid(place + " must be a text or a list of texts");
    }
  }
  if (values.empty()) return Invalid(place + " needs a value");
  return values;
}

Result<Condition> ParseOperator(std::string_view name) {
  Condition condition;
  constexpr std::string_view kIfExists = "IfExists";
  std::string_view plain = name;
  if (plain.ends_with(kIfExists)) {
    plain.remove_suffix(kIfExists.size());
    condition.if_exists = true;
  }
  const auto* const known =
      std::ranges::find_if(kOperators, [&](const auto& each) { return each.name == plain; });
  if (known == std::end(kOperators) ||
      (condition.if_exists && known->comparison == ConditionOperator::kNull)) {
    return Invalid("Condition has the operator '" + std::string(name) +
                   "', which is not supported");
  }
  condition.comparison = known->comparison;
  condition.negated = known->negated;
  return condition;
}

// nullopt if the request has no such key.
std::optional<std::string> ValueOf(ConditionKey key, const ConditionValues& values) {
  const auto present = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  };
  switch (key) {
    case ConditionKey::kPrincipalArn:
      return present(values.principal_arn);
    case ConditionKey::kPrincipalAccount:
      return present(values.principal_account);
    case ConditionKey::kUserId:
      return present(values.user_id);
    case ConditionKey::kUserName:
      return present(values.user_name);
    case ConditionKey::kRequestedRegion:
      return present(values.requested_region);
    case ConditionKey::kResourceAccount:
      return present(values.resource_account);
    case ConditionKey::kSourceIp:
      return present(values.source_ip);
    case ConditionKey::kSecureTransport:
      return values.secure_transport ? "true" : "false";
    case ConditionKey::kCurrentTime:
      return aws::FormatIso8601(values.current_time);
    case ConditionKey::kExternalId:
      return present(values.external_id);
    case ConditionKey::kRoleSessionName:
      return present(values.role_session_name);
  }
  return std::nullopt;
}

bool DateFits(ConditionOperator comparison, Timestamp now, std::string_view value) {
  const auto date = ParseDate(value);
  if (!date) return false;
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  switch (comparison) {
    case ConditionOperator::kDateEquals:
      return second == *date;
    case ConditionOperator::kDateLessThan:
      return now < *date;
    case ConditionOperator::kDateLessThanEquals:
      return second <= *date;
    case ConditionOperator::kDateGreaterThan:
      return second > *date;
    default:
      return now >= *date;
  }
}

bool Fits(const Condition& condition, const std::string& actual, const std::string& value,
          Timestamp now) {
  switch (condition.comparison) {
    case ConditionOperator::kStringEquals:
      return actual == value;
    case ConditionOperator::kStringEqualsIgnoreCase:
    case ConditionOperator::kBool:
      return EqualsIgnoreCase(actual, value);
    case ConditionOperator::kStringLike:
      return MatchesWildcard(value, actual, LetterCase::kMatters);
    case ConditionOperator::kArnLike:
      return MatchesArn(value, actual, LetterCase::kMatters);
    case ConditionOperator::kIpAddress: {
      const auto network = IpNetwork::Parse(value);
      return network && network->Contains(actual);
    }
    default:
      return DateFits(condition.comparison, now, value);
  }
}

}  // namespace

Result<std::vector<Condition>> ParseConditions(JsonView json) {
  std::vector<Condition> conditions;
  if (json.IsMissing()) return conditions;
  if (!json.IsObject()) return Invalid("Condition must be an object");
  for (const auto& [operator_name, keys] : json.Members()) {
    GLUECAT_ASSIGN_OR_RETURN(const Condition common, ParseOperator(operator_name));
    const std::string place = "Condition." + std::string(operator_name);
    if (!keys.IsObject() || keys.Members().empty()) return Invalid(place + " must name a key");
    for (const auto& [key_name, value] : keys.Members()) {
      const auto* const known = std::ranges::find_if(
          kKeys, [&](const auto& each) { return EqualsIgnoreCase(each.name, key_name); });
      if (known == std::end(kKeys)) {
        return Invalid(place + " has the key '" + std::string(key_name) +
                       "', which is not supported");
      }
      if (!Compares(common.comparison, known->type)) {
        return Invalid(place + " cannot compare the key '" + std::string(key_name) + "'");
      }
      Condition condition = common;
      condition.key = known->key;
      const std::string key_place = place + "." + std::string(key_name);
      GLUECAT_ASSIGN_OR_RETURN(condition.values, ParseValues(value, key_place));
      for (const auto& each : condition.values) {
        if (!CanCompare(condition.comparison, each)) {
          return NoValueFor(operator_name, key_place, each);
        }
      }
      conditions.push_back(std::move(condition));
    }
  }
  return conditions;
}

bool Holds(const Condition& condition, const ConditionValues& values) {
  const auto actual = ValueOf(condition.key, values);
  if (condition.comparison == ConditionOperator::kNull) {
    return std::ranges::any_of(condition.values, [&](const auto& value) {
      return EqualsIgnoreCase(value, "true") == !actual.has_value();
    });
  }
  if (!actual) return condition.negated || condition.if_exists;
  const bool any = std::ranges::any_of(condition.values, [&](const auto& value) {
    return Fits(condition, *actual, value, values.current_time);
  });
  return any != condition.negated;
}

}  // namespace gluecat::server
