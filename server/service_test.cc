#include "server/service.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "server/service_testing.h"
#include "server/sts_protocol.h"
#include "server/temporary_credentials.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kAccounts = R"({"accounts":{
  "111111111111":{"users":{"u":{"access_key":"AKIAU","secret_key":"secret-u","allow":["*"],"deny":["glue:Delete*"]},
                           "v":{"access_key":"AKIAV","secret_key":"secret-v","allow":["glue:Get*"],"catalogs":["222222222222"]}}},
  "222222222222":{"roles":{"team/r":{"trust":[{"principal":"111111111111","external_id":"word"}],"allow":["glue:*"]}}}}})";
constexpr std::string_view kRole = "arn:aws:iam::222222222222:role/team/r";

class ServiceTest : public ServiceFixture {
 protected:
  ServiceTest() : ServiceFixture(kAccounts) {}

  aws::Credentials Assume(Service& service, const aws::Credentials& credentials,
                          const std::string& more) {
    return ServiceFixture::Assume(service, credentials, kRole, more);
  }
};

TEST_F(ServiceTest, AnyKeyWithoutAccounts) {
  EXPECT_EQ(
      Glue(*open_, Key("111111111111", "x"), "CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})"),
      "{}");
  EXPECT_EQ(Type(Glue(*open_, Key("AKIA", "y"), "GetDatabase", R"({"Name":"d"})")),
            "EntityNotFoundException");
  const auto answer = open_->Handle(Signed("glue", Key("AKIA", "y"), "GetDatabases", "{}"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "application/x-amz-json-1.1");
  EXPECT_EQ(answer.request_id.size(), 36U);
  EXPECT_EQ(answer.body, R"({"DatabaseList":[]})");
}

TEST_F(ServiceTest, RequestsAreCounted) {
  const auto key = Key("111111111111", "x");
  Glue(*open_, key, "GetDatabases");
  Glue(*open_, key, "GetDatabase", R"({"Name":"absent"})");
  Glue(*open_, key, "NoSuchThing");
  Sts(*open_, key, "Action=GetCallerIdentity");
  const auto text = metrics_->Text();
  for (const auto* labels :
       {R"({service="glue",operation="GetDatabases",code="OK"} 1)",
        R"({service="glue",operation="GetDatabase",code="EntityNotFoundException"} 1)",
        R"({service="glue",operation="other",code="UnknownOperationException"} 1)",
        R"({service="sts",operation="GetCallerIdentity",code="OK"} 1)"}) {
    EXPECT_NE(text.find(labels), std::string::npos) << labels << text;
  }
  EXPECT_NE(text.find("gluecat_requests_in_flight 0"), std::string::npos);
}

TEST_F(ServiceTest, SignaturesAreChecked) {
  EXPECT_EQ(Type(Glue(*strict_, Key("AKIAU", "secret-u"), "GetDatabases")), "");
  EXPECT_EQ(Type(Glue(*strict_, Key("AKIAU", "wrong"), "GetDatabases")),
            "InvalidSignatureException");
  EXPECT_EQ(Type(Glue(*strict_, Key("AKIAX", "secret-u"), "GetDatabases")),
            "UnrecognizedClientException");
  EXPECT_EQ(Type(Glue(*strict_, Key("111111111111", "x"), "GetDatabases")),
            "UnrecognizedClientException");

  auto changed = Signed("glue", Key("AKIAU", "secret-u"), "GetDatabases", "{}");
  changed.body = "{ }";
  EXPECT_EQ(Type(strict_->Handle(changed).body), "InvalidSignatureException");
  auto retargeted = Signed("glue", Key("AKIAU", "secret-u"), "GetDatabases", "{}");
  for (auto& [name, value] : retargeted.headers) {
    if (name == "X-Amz-Target") value = "AWSGlue.GetTables";
  }
  EXPECT_EQ(Type(strict_->Handle(retargeted).body), "InvalidSignatureException");

  Request unsigned_request;
  unsigned_request.method = "POST";
  unsigned_request.headers = {{"X-Amz-Target", "AWSGlue.GetDatabases"}};
  for (auto* service : {open_.get(), strict_.get()}) {
    const auto answer = service->Handle(unsigned_request);
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(Type(answer.body), "MissingAuthenticationTokenException");
  }
}

TEST_F(ServiceTest, ClocksMayDifferByFiveMinutes) {
  const auto request = Signed("glue", Key("AKIAU", "secret-u"), "GetDatabases", "{}");
  clock_->now += std::chrono::minutes(5);
  EXPECT_EQ(strict_->Handle(request).status, 200);
  clock_->now += std::chrono::seconds(1);
  EXPECT_NE(strict_->Handle(request).body.find("Signature expired"), std::string::npos);
  clock_->now -= std::chrono::minutes(10) + std::chrono::seconds(2);
  EXPECT_NE(strict_->Handle(request).body.find("not yet current"), std::string::npos);
}

TEST_F(ServiceTest, PermissionsDecide) {
  EXPECT_EQ(Type(Glue(*strict_, Key("AKIAU", "secret-u"), "CreateDatabase",
                      R"({"DatabaseInput":{"Name":"d"}})")),
            "");
  const auto denied =
      Glue(*strict_, Key("AKIAU", "secret-u"), "DeleteTable", R"({"DatabaseName":"d","Name":"t"})");
  EXPECT_EQ(
      denied,
      R"({"__type":"AccessDeniedException","Message":"User: arn:aws:iam::111111111111:user/u is not authorized )"
      R"(to perform: glue:DeleteTable on resource: arn:aws:glue:eu-central-1:111111111111:table/d/t )"
      R"(with an explicit deny in an identity-based policy"})");
  const auto v = Key("AKIAV", "secret-v");
  EXPECT_EQ(Type(Glue(*strict_, v, "CreateDatabase", R"({"DatabaseInput":{"Name":"e"}})")),
            "AccessDeniedException");
  EXPECT_EQ(Type(Glue(*strict_, v, "GetDatabases", R"({"CatalogId":"222222222222"})")), "");
  EXPECT_EQ(Type(Glue(*strict_, v, "GetDatabases", R"({"CatalogId":"333333333333"})")),
            "AccessDeniedException");
  EXPECT_EQ(Type(Glue(*strict_, Key("AKIAU", "secret-u"), "GetDatabases",
                      R"({"CatalogId":"222222222222"})")),
            "AccessDeniedException");
  EXPECT_EQ(Type(Glue(*strict_, v, "GetDatabases", "{")), "SerializationException");
}

// A link in one's own catalog opens no other one.
TEST_F(ServiceTest, PermissionsReachBehindResourceLinks) {
  const auto theirs = Key("222222222222", "any");
  ASSERT_EQ(Type(Glue(*open_, theirs, "CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})")), "");
  ASSERT_EQ(Type(Glue(*open_, theirs, "CreateTable",
                      R"({"DatabaseName":"d","TableInput":{"Name":"t","Owner":"them"}})")),
            "");
  const auto u = Key("AKIAU", "secret-u");
  const auto v = Key("AKIAV", "secret-v");
  EXPECT_EQ(
      Type(Glue(
          *strict_, u, "CreateDatabase",
          R"({"DatabaseInput":{"Name":"link","TargetDatabase":{"CatalogId":"222222222222","DatabaseName":"d"}}})")),
      "");
  const std::string get = R"({"DatabaseName":"link","Name":"t"})";
  const auto denied = Glue(*strict_, u, "GetTable", get);
  EXPECT_EQ(Type(denied), "AccessDeniedException");
  EXPECT_NE(denied.find("arn:aws:glue:eu-central-1:222222222222:table/d/t"), std::string::npos)
      << denied;
  EXPECT_EQ(Type(Glue(*strict_, u, "UpdateTable",
                      R"({"DatabaseName":"link","TableInput":{"Name":"t"}})")),
            "AccessDeniedException");
  EXPECT_NE(Glue(*strict_, v, "GetTable", get).find(R"("Owner":"them")"), std::string::npos);
  EXPECT_EQ(Type(Glue(*strict_, v, "UpdateTable",
                      R"({"DatabaseName":"link","TableInput":{"Name":"t"}})")),
            "AccessDeniedException");
}

// Whose catalog a call works in is decided by the same member for permissions and for the work.
TEST_F(ServiceTest, PermissionsOfAnArnsCatalog) {
  const auto u = Key("AKIAU", "secret-u");
  const auto v = Key("AKIAV", "secret-v");
  const auto tag = [](std::string_view account, std::string_view more = "") {
    return R"({"ResourceArn":"arn:aws:glue:eu-central-1:)" + std::string(account) +
           R"(:catalog","TagsToAdd":{"a":"b"})" + std::string(more) + "}";
  };
  EXPECT_EQ(Type(Glue(*strict_, u, "TagResource", tag("111111111111"))), "");
  EXPECT_EQ(Type(Glue(*strict_, u, "TagResource", tag("222222222222"))), "AccessDeniedException");
  EXPECT_EQ(
      Type(Glue(*strict_, u, "TagResource", tag("222222222222", R"(,"CatalogId":"111111111111")"))),
      "AccessDeniedException");
  EXPECT_EQ(Type(Glue(*strict_, v, "GetTags", tag("222222222222"))), "");
  EXPECT_EQ(Type(Glue(*strict_, v, "TagResource", tag("111111111111"))), "AccessDeniedException");
  EXPECT_EQ(
      Type(Glue(
          *strict_, u, "GetDatabases",
          R"({"CatalogId":"222222222222","ResourceArn":"arn:aws:glue:eu-central-1:111111111111:catalog"})")),
      "AccessDeniedException");
  EXPECT_EQ(Type(Glue(*strict_, u, "GetCatalogs", R"({"ParentCatalogId":"222222222222"})")),
            "AccessDeniedException");
  EXPECT_EQ(Type(Glue(*strict_, u, "GetCatalogs",
                      R"({"ParentCatalogId":"222222222222","CatalogId":"111111111111"})")),
            "AccessDeniedException");
  EXPECT_EQ(Type(Glue(*strict_, u, "GetResourcePolicy",
                      R"({"ResourceArn":"arn:aws:glue:eu-central-1:222222222222:catalog"})")),
            "AccessDeniedException");
  EXPECT_EQ(
      Type(Glue(
          *strict_, u, "GetUnfilteredTableMetadata",
          R"({"CatalogId":"222222222222","DatabaseName":"d","Name":"t","SupportedPermissionTypes":["COLUMN_PERMISSION"]})")),
      "AccessDeniedException");
}

TEST_F(ServiceTest, RolesAreAssumedAndExpire) {
  const auto u = Key("AKIAU", "secret-u");
  const auto role = Assume(*strict_, u, "&ExternalId=word&DurationSeconds=900");
  EXPECT_EQ(Type(Glue(*strict_, role, "CreateDatabase", R"({"DatabaseInput":{"Name":"of_b"}})")),
            "");
  const auto identity = Sts(*strict_, role, "Action=GetCallerIdentity").body;
  EXPECT_EQ(Element(identity, "Arn"), "arn:aws:sts::222222222222:assumed-role/r/me");
  EXPECT_EQ(Element(identity, "Account"), "222222222222");
  EXPECT_EQ(Type(Glue(*strict_, role, "GetDatabases", R"({"CatalogId":"111111111111"})")),
            "AccessDeniedException");

  // Another server on the same directory knows the session; one without accounts the account.
  auto other = Make(std::make_shared<const Accounts>(*Accounts::Parse(kAccounts)));
  EXPECT_NE(Glue(*other, role, "GetDatabases").find("of_b"), std::string::npos);
  EXPECT_NE(Glue(*open_, role, "GetDatabases").find("of_b"), std::string::npos);
  // One whose accounts no longer have the role does not.
  auto without = Make(std::make_shared<const Accounts>(*Accounts::Parse(R"({"accounts":{}})")));
  EXPECT_EQ(Type(Glue(*without, role, "GetDatabases")), "UnrecognizedClientException");

  clock_->now += std::chrono::seconds(900);
  EXPECT_EQ(Type(Glue(*strict_, role, "GetDatabases")), "ExpiredTokenException");
  const auto expired = Sts(*strict_, role, "Action=GetCallerIdentity");
  EXPECT_EQ(expired.status, 403);
  EXPECT_EQ(Element(expired.body, "Code"), "ExpiredToken");
}

TEST_F(ServiceTest, RolesAreClosedWithoutTrust) {
  const std::string assume = "Action=AssumeRole&RoleSessionName=me&RoleArn=";
  const auto u = Key("AKIAU", "secret-u");
  for (const auto& [form, code] : std::vector<std::pair<std::string, std::string>>{
           {assume + std::string(kRole), "AccessDenied"},
           {assume + std::string(kRole) + "&ExternalId=other", "AccessDenied"},
           {assume + "arn:aws:iam::222222222222:role/absent&ExternalId=word", "AccessDenied"},
           {assume + "nonsense", "ValidationError"},
           {assume + std::string(kRole) + "&ExternalId=word&DurationSeconds=7200",
            "ValidationError"},
           {assume + std::string(kRole) + "&ExternalId=word&DurationSeconds=x", "ValidationError"},
           {"Action=AssumeRole&RoleSessionName=a%20b&RoleArn=" + std::string(kRole),
            "ValidationError"},
           {"Action=GetFederationToken", "InvalidAction"},
           {"", "InvalidAction"}}) {
    const auto answer = Sts(*strict_, u, form);
    EXPECT_EQ(Element(answer.body, "Code"), code) << form;
    EXPECT_EQ(answer.status, code == "AccessDenied" ? 403 : 400);
  }
  // Trusted by account, but not allowed to assume roles.
  EXPECT_EQ(Element(Sts(*strict_, Key("AKIAV", "secret-v"),
                        assume + std::string(kRole) + "&ExternalId=word")
                        .body,
                    "Code"),
            "AccessDenied");
}

TEST_F(ServiceTest, SessionTokensCannotBeMadeUp) {
  auto role = Assume(*strict_, Key("AKIAU", "secret-u"), "&ExternalId=word");
  const auto token = role.session_token;
  for (const std::string& bad : {std::string("00"), std::string(200, '0'),
                                 token.substr(0, token.size() - 1), token + "00", std::string()}) {
    role.session_token = bad;
    EXPECT_EQ(Type(Glue(*strict_, role, "GetDatabases")), "UnrecognizedClientException") << bad;
  }
  role.session_token = token;
  role.secret_access_key = "x";
  EXPECT_EQ(Type(Glue(*strict_, role, "GetDatabases")), "InvalidSignatureException");
  // A long-lived key has no token.
  auto user = Key("AKIAU", "secret-u");
  user.session_token = token;
  EXPECT_EQ(Type(Glue(*strict_, user, "GetDatabases")), "UnrecognizedClientException");
}

TEST_F(ServiceTest, WithoutAccountsEveryRoleCanBeAssumed) {
  const auto role = Assume(*open_, Key("AKIA", "x"), "");
  EXPECT_EQ(Element(Sts(*open_, role, "Action=GetCallerIdentity").body, "Arn"),
            "arn:aws:sts::222222222222:assumed-role/r/me");
  Glue(*open_, role, "CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  EXPECT_NE(Glue(*open_, Key("222222222222", "y"), "GetDatabases").find("\"d\""),
            std::string::npos);
}

TEST(FormTest, Decodes) {
  const auto form = ParseForm("a=1+2&b=%C3%BC%26&c&a=3&=x&d=%zz%4");
  EXPECT_EQ(form.at("a"), "3");
  EXPECT_EQ(form.at("b"), "\xC3\xBC&");
  EXPECT_EQ(form.at("c"), "");
  EXPECT_EQ(form.at("d"), "%zz%4");
  EXPECT_EQ(XmlEscape("<a & \"b\"\x01>"), "&lt;a &amp; &quot;b&quot;?&gt;");
}

TEST(RoleArnTest, NamesAnAccount) {
  EXPECT_EQ(AccountOfRole("arn:aws:iam::111111111111:role/a/b"), "111111111111");
  EXPECT_EQ(AccountOfRole("arn:aws-cn:iam::111111111111:role/b"), "111111111111");
  for (const auto* arn : {"", "role/a", "arn:aws:iam::1:role/a", "arn:aws:iam::111111111111:user/a",
                          "arn:aws:iam::111111111111:role/", "arn:aws:s3::111111111111:role/a"}) {
    EXPECT_FALSE(AccountOfRole(arn)) << arn;
  }
  EXPECT_EQ(AccountOfTemporaryKey("ASIA111111111111ABCD"), "111111111111");
  EXPECT_FALSE(AccountOfTemporaryKey("ASIAEXAMPLE"));
}

}  // namespace
}  // namespace gluecat::server
