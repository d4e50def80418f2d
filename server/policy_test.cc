#include "server/policy.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gluecat::server {
namespace {

constexpr std::string_view kAccount = "111111111111";
constexpr std::string_view kRegion = "eu-central-1";

std::string Document(std::string_view statement) {
  return R"({"Version":"2012-10-17","Statement":[)" + std::string(statement) + "]}";
}

Result<Policy> Identity(std::string_view text) {
  return ParseIdentityPolicy(text, kMaxIdentityPolicy);
}

TEST(PolicyTest, EveryElementIsRead) {
  const auto policy = Identity(R"({"Version":"2012-10-17","Id":"p","Statement":[
    {"Sid":"One","Effect":"Allow","Action":"glue:Get*","Resource":"*"},
    {"Effect":"Deny","NotAction":["glue:GetTable","sts:AssumeRole"],
     "NotResource":["arn:aws:glue:*:*:table/a/*","arn:aws:glue:*:*:catalog"],
     "Condition":{"StringNotEquals":{"aws:PrincipalAccount":["111111111111","222222222222"]},
                  "BoolIfExists":{"AWS:securetransport":false}}}]})");
  ASSERT_TRUE(policy) << policy.error().message;
  ASSERT_EQ(policy->statements.size(), 2U);
  const auto& one = policy->statements[0];
  EXPECT_EQ(one.effect, Effect::kAllow);
  EXPECT_EQ(one.actions, std::vector<std::string>{"glue:Get*"});
  EXPECT_FALSE(one.not_actions || one.not_resources);
  const auto& two = policy->statements[1];
  EXPECT_EQ(two.effect, Effect::kDeny);
  EXPECT_TRUE(two.not_actions && two.not_resources);
  EXPECT_EQ(two.resources.size(), 2U);
  ASSERT_EQ(two.conditions.size(), 2U);
  EXPECT_TRUE(two.conditions[0].negated);
  EXPECT_EQ(two.conditions[0].values.size(), 2U);
  EXPECT_TRUE(two.conditions[1].if_exists);
  EXPECT_EQ(two.conditions[1].key, ConditionKey::kSecureTransport);
}

TEST(PolicyTest, OneStatementNeedsNoListAndNoVersion) {
  const auto policy = Identity(R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->statements.size(), 1U);
  EXPECT_TRUE(Identity(R"({"Version":"2008-10-17","Statement":[]})"));
}

TEST(PolicyTest, WhatIsNotUnderstoodIsRefusedWithItsPlace) {
  const std::string good = R"("Action":"glue:*","Resource":"*")";
  const std::pair<std::string, const char*> cases[] = {
      {"{", "policy"},
      {"[]", "object"},
      {"{}", "Statement"},
      {R"({"Statement":"x"})", "Statement"},
      {R"({"Version":"2024-01-01","Statement":[]})", "Version"},
      {R"({"Version":7,"Statement":[]})", "Version"},
      {R"({"Id":7,"Statement":[]})", "Id"},
      {R"({"Statments":[],"Statement":[]})", "'Statments'"},
      {R"({"Statement":[],"Statement":[]})", "twice"},
      {Document("7"), "Statement 1"},
      {Document(R"({"Sid":7,"Effect":"Allow",)" + good + "}"), "Sid"},
      {Document("{" + good + "}"), "Effect"},
      {Document(R"({"Effect":"allow",)" + good + "}"), "Effect"},
      {Document(R"({"Effect":"Allow","Resource":"*"})"), "Action or NotAction"},
      {Document(R"({"Effect":"Allow","NotAction":"glue:*",)" + good + "}"), "Action or NotAction"},
      {Document(R"({"Effect":"Allow","Action":"glue:*"})"), "Resource or NotResource"},
      {Document(R"({"Effect":"Allow","Action":"GetTable","Resource":"*"})"), "GetTable"},
      {Document(R"({"Effect":"Allow","Action":"g*:GetTable","Resource":"*"})"), "g*:GetTable"},
      {Document(R"({"Effect":"Allow","Action":"glue:","Resource":"*"})"), "'glue:'"},
      {Document(R"({"Effect":"Allow","Action":[],"Resource":"*"})"), "empty"},
      {Document(R"({"Effect":"Allow","Action":["glue:*",7],"Resource":"*"})"), "text"},
      {Document(R"({"Effect":"Allow","Action":"glue:*","Resource":"catalog"})"), "'catalog'"},
      {Document(R"({"Effect":"Allow","Action":"glue:*","Resource":"arn:aws:glue:*"})"), "ARN"},
      {Document(R"({"Effect":"Allow","Principal":"*",)" + good + "}"), "'Principal'"},
      {Document(R"({"Sid":"Mine","Effect":"Deny","Conditions":{},)" + good + "}"),
       "Statement 1 (Mine) has the unknown element 'Conditions'"},
      {Document(
           R"({"Effect":"Allow","Action":"glue:*","Resource":"arn:aws:glue:*:*:database/${aws:username}"})"),
       "variable"},
  };
  for (const auto& [text, mention] : cases) {
    const auto policy = Identity(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_EQ(policy.error().kind, ErrorKind::kInvalidArgument);
    EXPECT_NE(policy.error().message.find(mention), std::string::npos)
        << text << " -> " << policy.error().message;
  }
}

TEST(PolicyTest, ConditionsThatAreNotUnderstoodAreRefused) {
  const std::pair<std::string, const char*> cases[] = {
      {R"([])", "object"},
      {R"({"StringEqual":{"aws:PrincipalArn":"x"}})", "'StringEqual'"},
      {R"({"NullIfExists":{"aws:PrincipalArn":"true"}})", "'NullIfExists'"},
      {R"({"ForAnyValue:StringEquals":{"aws:PrincipalArn":"x"}})", "ForAnyValue"},
      {R"({"NumericEquals":{"aws:EpochTime":"1"}})", "NumericEquals"},
      {R"({"StringEquals":{}})", "key"},
      {R"({"StringEquals":[]})", "key"},
      {R"({"StringEquals":{"aws:PrincipalOrgID":"o-1"}})", "'aws:PrincipalOrgID'"},
      {R"({"StringEquals":{"aws:SourceIP ":"1.2.3.4"}})", "'aws:SourceIP '"},
      {R"({"StringEquals":{"aws:SourceIp":"1.2.3.4"}})", "cannot compare"},
      {R"({"IpAddress":{"aws:PrincipalAccount":"1.2.3.4"}})", "cannot compare"},
      {R"({"IpAddress":{"aws:SourceIp":"1.2.3.4/33"}})", "1.2.3.4/33"},
      {R"({"IpAddress":{"aws:SourceIp":[]}})", "value"},
      {R"({"IpAddress":{"aws:SourceIp":{}}})", "text"},
      {R"({"Bool":{"aws:SecureTransport":"yes"}})", "'yes'"},
      {R"({"DateLessThan":{"aws:CurrentTime":"tomorrow"}})", "'tomorrow'"},
      {R"({"ArnLike":{"aws:PrincipalArn":"111111111111"}})", "111111111111"},
      {R"({"Null":{"sts:ExternalId":"maybe"}})", "'maybe'"},
  };
  for (const auto& [condition, mention] : cases) {
    const auto policy = Identity(
        Document(R"({"Effect":"Deny","Action":"*","Resource":"*","Condition":)" + condition + "}"));
    ASSERT_FALSE(policy) << condition;
    EXPECT_NE(policy.error().message.find("Statement 1: Condition"), std::string::npos);
    EXPECT_NE(policy.error().message.find(mention), std::string::npos)
        << condition << " -> " << policy.error().message;
  }
}

TEST(PolicyTest, LengthsAreLimited) {
  const std::string long_policy =
      Document(R"({"Effect":"Allow","Action":"glue:*","Resource":"arn:aws:glue:*:*:)" +
               std::string(kMaxSessionPolicy, 'x') + R"("})");
  EXPECT_TRUE(Identity(long_policy));
  EXPECT_FALSE(ParseIdentityPolicy(long_policy, kMaxSessionPolicy));
  EXPECT_FALSE(Identity(std::string(kMaxIdentityPolicy, ' ') + Document("")));
  EXPECT_FALSE(
      ParseResourcePolicy(std::string(kMaxResourcePolicy, ' ') + Document(""), kAccount, kRegion));
}

TEST(PolicyTest, ResourcePoliciesNamePrincipalsAndTheirOwnCatalog) {
  const auto policy = ParseResourcePolicy(
      Document(
          R"({"Effect":"Allow","Principal":{"AWS":["222222222222","arn:aws:iam::333333333333:root",
          "arn:aws:iam::444444444444:role/team/r","arn:aws:sts::444444444444:assumed-role/r/me"]},
          "Action":"glue:*","Resource":["arn:aws:glue:eu-central-1:111111111111:*"]},
          {"Effect":"Deny","NotPrincipal":{"AWS":"222222222222"},"Action":"glue:Delete*",
           "Resource":"arn:aws:glue:eu-central-1:111111111111:table/*/*"},
          {"Effect":"Allow","Principal":{"Service":"ram.amazonaws.com"},"Action":"glue:ShareResource",
           "Resource":"arn:aws:glue:eu-central-1:111111111111:catalog"},
          {"Effect":"Allow","Principal":"*","Action":"glue:Get*",
           "Resource":"arn:aws:glue:eu-central-1:111111111111:catalog"})"),
      kAccount, kRegion);
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->statements[0].principals.names,
            (std::vector<std::string>{"222222222222", "333333333333",
                                      "arn:aws:iam::444444444444:role/team/r",
                                      "arn:aws:sts::444444444444:assumed-role/r/me"}));
  EXPECT_TRUE(policy->statements[1].not_principals);
  EXPECT_TRUE(policy->statements[2].principals.names.empty());
  EXPECT_TRUE(policy->statements[3].principals.everybody);
}

TEST(PolicyTest, ResourcePoliciesThatAreRefused) {
  const auto statement = [](std::string_view principal, std::string_view resource,
                            std::string_view effect = "Allow") {
    return Document(R"({"Effect":")" + std::string(effect) + R"(","Action":"glue:*",)" +
                    std::string(principal) + R"("Resource":")" + std::string(resource) + R"("})");
  };
  const std::string everybody = R"("Principal":"*",)";
  const std::string catalog = "arn:aws:glue:eu-central-1:111111111111:catalog";
  EXPECT_TRUE(ParseResourcePolicy(statement(everybody, catalog), kAccount, kRegion));
  const std::pair<std::string, const char*> cases[] = {
      {statement("", catalog), "Principal or NotPrincipal"},
      {statement(R"("Principal":"111111111111",)", catalog), "'*' or an object"},
      {statement(R"("Principal":{},)", catalog), "somebody"},
      {statement(R"("Principal":{"AWS":[]},)", catalog), "empty"},
      {statement(R"("Principal":{"Federated":"x"},)", catalog), "'Federated'"},
      {statement(R"("Principal":{"AWS":"arn:aws:iam::222222222222:user/*"},)", catalog), "user/*"},
      {statement(R"("Principal":{"AWS":"somebody"},)", catalog), "somebody"},
      {statement(R"("NotPrincipal":{"AWS":"222222222222"},)", catalog), "NotPrincipal"},
      {statement(everybody, "*"), "no ARN of this catalog"},
      {statement(everybody, "arn:aws:glue:eu-west-1:111111111111:catalog"), "eu-west-1"},
      {statement(everybody, "arn:aws:glue:eu-central-1:222222222222:catalog"), "222222222222"},
      {statement(everybody, "arn:aws:glue:*:111111111111:catalog"), "no ARN of this catalog"},
      {statement(everybody, "arn:aws:s3:::bucket"), "no ARN of this catalog"},
  };
  for (const auto& [text, mention] : cases) {
    const auto policy = ParseResourcePolicy(text, kAccount, kRegion);
    ASSERT_FALSE(policy) << text;
    EXPECT_NE(policy.error().message.find(mention), std::string::npos)
        << text << " -> " << policy.error().message;
  }
}

}  // namespace
}  // namespace gluecat::server
