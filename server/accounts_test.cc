#include "server/accounts.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace gluecat::server {
namespace {

std::string InAccount(std::string_view content) {
  return R"({"accounts":{"111111111111":{)" + std::string(content) + "}}}";
}

TEST(AccountsTest, TheExampleIsRead) {
  std::ifstream file(std::string(GLUECAT_SOURCE_DIR) + "/server/accounts.example.json");
  std::stringstream text;
  text << file.rdbuf();
  const auto accounts = Accounts::Parse(text.str());
  ASSERT_TRUE(accounts) << accounts.error().message;
  const User* const etl = accounts->FindUser("AKIAEXAMPLEETL000001");
  ASSERT_NE(etl, nullptr);
  EXPECT_EQ(etl->arn, "arn:aws:iam::111111111111:user/etl");
  ASSERT_EQ(etl->permissions.policies.size(), 2U);  // allow and deny
  EXPECT_EQ(etl->permissions.policies[1].statements[0].effect, Effect::kDeny);
  EXPECT_EQ(etl->permissions.policies[1].statements[0].actions[0], "glue:DeleteDatabase");
  const Role* const writer = accounts->FindRole("arn:aws:iam::222222222222:role/writer");
  ASSERT_NE(writer, nullptr);
  EXPECT_EQ(writer->max_duration_seconds, 7200);
  EXPECT_EQ(writer->trust.at(0).external_id, "nightly-load");
  EXPECT_EQ(accounts->FindUser("nobody"), nullptr);
  EXPECT_EQ(accounts->FindRole("arn:aws:iam::222222222222:role/other"), nullptr);
}

TEST(AccountsTest, MistakesAreErrorsThatNameThePlace) {
  const std::pair<std::string, const char*> cases[] = {
      {"{", "accounts file"},
      {"{}", "'accounts'"},
      {R"({"accounts":{},"extra":1})", "'extra'"},
      {R"({"accounts":{"1":{}}})", "12 digits"},
      {InAccount(R"("usrs":{})"), "'usrs'"},
      {InAccount(R"("users":{"u":{"access_key":"A"}})"), "'secret_key'"},
      {InAccount(R"("users":{"u":{"access_key":"A","secret_key":"s","denny":[]}})"), "'denny'"},
      {InAccount(R"("users":{"u":{"access_key":"A","secret_key":"s","allow":"glue:*"}})"),
       "'allow'"},
      {InAccount(R"("users":{"u":{"access_key":"A","secret_key":"s","allow":["GetTable"]}})"),
       "GetTable"},
      {InAccount(
           R"("users":{"u":{"access_key":"A","secret_key":"s"},"v":{"access_key":"A","secret_key":"t"}})"),
       "user/v"},
      {InAccount(R"("roles":{"r":{}})"), "'trust'"},
      {InAccount(R"("roles":{"r":{"trust":[{"principal":"somebody"}]}})"), "somebody"},
      {InAccount(R"("roles":{"r":{"trust":[{"principal":"*","externalid":"x"}]}})"),
       "'externalid'"},
      {InAccount(R"("roles":{"r":{"trust":[],"max_duration":60}})"), "900"},
      {InAccount(R"("users":{"u":{"access_key":"A","access_key":"B","secret_key":"s"}})"), "twice"},
      {InAccount(R"("users":{"u":{"access_key":"A","secret_key":"s","policies":{}}})"),
       "'policies'"},
      {InAccount(
           R"("users":{"u":{"access_key":"A","secret_key":"s","policies":[{"Statement":[]},{"Statement":[{"Effect":"Deny","Action":"*","Resource":"*","Condition":{"StringEqual":{}}}]}]}})"),
       "user/u, policy 2: Statement 1: Condition has the operator 'StringEqual'"},
      {InAccount(R"("users":{"u":{"access_key":"A","secret_key":"s","groups":["g"]}})"), "'g'"},
      {InAccount(R"("groups":{"g":{"alow":[]}})"), "group g"},
      {InAccount(R"("groups":{"g":{},"g":{}})"), "twice"},
      {InAccount(R"("groups":[])"), "'groups'"},
      {InAccount(R"("oidc":{"p":{"issuer":"https://i","audiences":[],"pem":"x"}})"), "'audiences'"},
      {InAccount(R"("oidc":{"p":{"issuer":"https://i","audiences":["a"]}})"), "'jwks'"},
      {InAccount(R"("roles":{"r":{"trust":[{"web_identity":{"provider":"p","subject":"*"}}]}})"),
       "'p'"},
      {InAccount(R"("roles":{"r":{"trust":[{"principal":"*","web_identity":{}}]}})"),
       "'principal'"},
  };
  for (const auto& [json, mention] : cases) {
    const auto accounts = Accounts::Parse(json);
    ASSERT_FALSE(accounts) << json;
    EXPECT_EQ(accounts.error().kind, ErrorKind::kInvalidArgument);
    EXPECT_NE(accounts.error().message.find(mention), std::string::npos)
        << accounts.error().message;
    EXPECT_EQ(accounts.error().message.find("\"s\""), std::string::npos);
  }
}

TEST(AccountsTest, UsersHaveWhatTheirGroupsHave) {
  const auto accounts = Accounts::Parse(InAccount(
      R"("groups":{"g":{"allow":["glue:Get*"],"catalogs":["222222222222"]},
                   "h":{"policies":[{"Statement":[]}],"deny":["glue:GetTags"]}},
         "users":{"team/u":{"access_key":"A","secret_key":"s","groups":["g","h"],"allow":["sts:*"]}})"));
  ASSERT_TRUE(accounts) << accounts.error().message;
  const User* const user = accounts->FindUser("A");
  ASSERT_NE(user, nullptr);
  EXPECT_EQ(user->name, "u");
  EXPECT_EQ(user->permissions.policies.size(), 4U);
  EXPECT_TRUE(user->permissions.NamesCatalog("222222222222"));
}

TEST(AccountsTest, CatalogsOfOthersAreNamedByAccountOrById) {
  Permissions permissions;
  EXPECT_FALSE(permissions.NamesCatalog("222222222222"));
  permissions.catalogs = {"222222222222"};
  EXPECT_TRUE(permissions.NamesCatalog("222222222222"));
  EXPECT_TRUE(permissions.NamesCatalog("222222222222:x"));
  EXPECT_FALSE(permissions.NamesCatalog("2222222222222"));
  permissions.catalogs = {"*"};
  EXPECT_TRUE(permissions.NamesCatalog("anything"));
}

}  // namespace
}  // namespace gluecat::server
