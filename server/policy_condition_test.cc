#include "server/policy_condition.h"

#include <string>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "server/ip_network.h"

namespace gluecat::server {
namespace {

ConditionValues Values() {
  ConditionValues values;
  values.principal_arn = "arn:aws:iam::111111111111:role/team/etl";
  values.principal_account = "111111111111";
  values.user_id = "AROA111111111111:me";
  values.requested_region = "eu-central-1";
  values.resource_account = "222222222222";
  values.source_ip = "192.0.2.7";
  values.secure_transport = true;
  values.current_time = Timestamp(std::chrono::milliseconds(1'700'000'000'500));
  values.external_id = "word";
  return values;
}

// Whether all conditions of a Condition element hold.
bool Hold(std::string_view json, const ConditionValues& values = Values()) {
  const auto document = JsonDocument::Parse(json);
  const auto conditions = ParseConditions(document->root());
  EXPECT_TRUE(conditions) << json << ": " << conditions.error().message;
  if (!conditions) return false;
  for (const auto& condition : *conditions) {
    if (!Holds(condition, values)) return false;
  }
  return true;
}

TEST(PolicyConditionTest, EveryOperator) {
  const std::pair<const char*, bool> cases[] = {
      {R"({"StringEquals":{"aws:PrincipalAccount":"111111111111"}})", true},
      {R"({"StringEquals":{"aws:PrincipalAccount":"222222222222"}})", false},
      {R"({"StringEquals":{"sts:ExternalId":"WORD"}})", false},
      {R"({"StringEquals":{"sts:ExternalId":["other","word"]}})", true},
      {R"({"StringEquals":{"AWS:PRINCIPALACCOUNT":"111111111111"}})", true},
      {R"({"StringEquals":{"aws:PrincipalAccount":111111111111}})", true},
      {R"({"StringNotEquals":{"aws:RequestedRegion":"eu-central-1"}})", false},
      {R"({"StringNotEquals":{"aws:RequestedRegion":["us-east-1","us-west-2"]}})", true},
      {R"({"StringNotEquals":{"aws:RequestedRegion":["us-east-1","eu-central-1"]}})", false},
      {R"({"StringEqualsIgnoreCase":{"sts:ExternalId":"WORD"}})", true},
      {R"({"StringNotEqualsIgnoreCase":{"sts:ExternalId":"WORD"}})", false},
      {R"({"StringLike":{"aws:userid":"*:me"}})", true},
      {R"({"StringLike":{"aws:RequestedRegion":"us-*"}})", false},
      {R"({"StringNotLike":{"aws:RequestedRegion":"us-*"}})", true},
      {R"({"StringLike":{"aws:ResourceAccount":"2222????????"}})", true},
      {R"({"ArnEquals":{"aws:PrincipalArn":"arn:aws:iam::111111111111:role/team/*"}})", true},
      {R"({"ArnLike":{"aws:PrincipalArn":"arn:aws:iam::*:role/*"}})", true},
      {R"({"ArnLike":{"aws:PrincipalArn":"arn:aws:iam::*:user/*"}})", false},
      {R"({"ArnNotEquals":{"aws:PrincipalArn":"arn:aws:iam::111111111111:role/team/etl"}})", false},
      {R"({"ArnNotLike":{"aws:PrincipalArn":"arn:aws:iam::222222222222:*"}})", true},
      {R"({"Bool":{"aws:SecureTransport":"true"}})", true},
      {R"({"Bool":{"aws:SecureTransport":false}})", false},
      {R"({"IpAddress":{"aws:SourceIp":"192.0.2.0/24"}})", true},
      {R"({"IpAddress":{"aws:SourceIp":["10.0.0.0/8","2001:db8::/32"]}})", false},
      {R"({"NotIpAddress":{"aws:SourceIp":"192.0.2.7"}})", false},
      {R"({"NotIpAddress":{"aws:SourceIp":"10.0.0.0/8"}})", true},
      {R"({"DateEquals":{"aws:EpochTime":"1700000000"}})", true},
      {R"({"DateNotEquals":{"aws:EpochTime":1700000000}})", false},
      {R"({"DateLessThan":{"aws:CurrentTime":"2023-11-14T22:13:21Z"}})", true},
      {R"({"DateLessThan":{"aws:CurrentTime":"2023-11-14T22:13:20Z"}})", false},
      {R"({"DateLessThanEquals":{"aws:CurrentTime":"2023-11-14T22:13:20Z"}})", true},
      {R"({"DateGreaterThan":{"aws:CurrentTime":"2023-11-14T22:13:20Z"}})", false},
      {R"({"DateGreaterThan":{"aws:CurrentTime":"2023-11-14T22:13:19Z"}})", true},
      {R"({"DateGreaterThanEquals":{"aws:CurrentTime":"2023-11-14T22:13:20Z"}})", true},
      {R"({"Null":{"sts:ExternalId":"false"}})", true},
      {R"({"Null":{"sts:ExternalId":true}})", false},
      {R"({"Null":{"aws:username":"true"}})", true},
  };
  for (const auto& [json, expected] : cases) EXPECT_EQ(Hold(json), expected) << json;
}

TEST(PolicyConditionTest, AllOperatorsAndKeysMustHold) {
  EXPECT_TRUE(
      Hold(R"({"StringEquals":{"sts:ExternalId":"word","aws:PrincipalAccount":"111111111111"},
                       "Bool":{"aws:SecureTransport":"true"}})"));
  EXPECT_FALSE(Hold(R"({"StringEquals":{"sts:ExternalId":"word","aws:PrincipalAccount":"2"}})"));
  EXPECT_FALSE(
      Hold(R"({"StringEquals":{"sts:ExternalId":"word"},"Bool":{"aws:SecureTransport":"false"}})"));
  // The same operator or key twice: both.
  EXPECT_FALSE(
      Hold(R"({"StringEquals":{"sts:ExternalId":"word"},"StringEquals":{"sts:ExternalId":"x"}})"));
  EXPECT_TRUE(Hold("{}"));
}

TEST(PolicyConditionTest, KeysThatAreAbsent) {
  EXPECT_FALSE(Hold(R"({"StringEquals":{"aws:username":"u"}})"));
  EXPECT_FALSE(Hold(R"({"StringLike":{"aws:username":"*"}})"));
  EXPECT_TRUE(Hold(R"({"StringEqualsIfExists":{"aws:username":"u"}})"));
  EXPECT_TRUE(Hold(R"({"StringNotEquals":{"aws:username":"u"}})"));
  EXPECT_TRUE(Hold(R"({"StringNotEqualsIfExists":{"aws:username":"u"}})"));
  auto values = Values();
  values.user_name = "u";
  EXPECT_TRUE(Hold(R"({"StringEqualsIfExists":{"aws:username":"u"}})", values));
  EXPECT_FALSE(Hold(R"({"StringEqualsIfExists":{"aws:username":"v"}})", values));
  EXPECT_FALSE(Hold(R"({"StringNotEqualsIfExists":{"aws:username":"u"}})", values));
}

TEST(IpNetworkTest, Contains) {
  const auto in = [](std::string_view network, std::string_view address) {
    return IpNetwork::Parse(network)->Contains(address);
  };
  EXPECT_TRUE(in("192.0.2.0/24", "192.0.2.255"));
  EXPECT_FALSE(in("192.0.2.0/24", "192.0.3.0"));
  EXPECT_TRUE(in("192.0.2.128/25", "192.0.2.128"));
  EXPECT_FALSE(in("192.0.2.128/25", "192.0.2.127"));
  EXPECT_TRUE(in("0.0.0.0/0", "203.0.113.9"));
  EXPECT_FALSE(in("0.0.0.0/0", "2001:db8::1"));
  EXPECT_TRUE(in("192.0.2.7", "::ffff:192.0.2.7"));
  EXPECT_TRUE(in("2001:db8::/33", "2001:db8:7fff::1"));
  EXPECT_FALSE(in("2001:db8::/33", "2001:db8:8000::1"));
  EXPECT_TRUE(in("::/0", "2001:db8::1"));
  EXPECT_FALSE(in("192.0.2.0/24", "localhost"));
  EXPECT_FALSE(in("192.0.2.0/24", ""));
  for (const auto* text : {"", "192.0.2", "192.0.2.1/", "192.0.2.1/33", "192.0.2.1/-1",
                           "192.0.2.1/x", "::1/129", "a.b.c.d"}) {
    EXPECT_FALSE(IpNetwork::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace gluecat::server
