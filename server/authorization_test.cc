#include "server/authorization.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gluecat::server {
namespace {

constexpr std::string_view kAccount = "111111111111";
constexpr std::string_view kOther = "222222222222";
constexpr std::string_view kRegion = "eu-central-1";
constexpr std::string_view kUser = "arn:aws:iam::111111111111:user/u";
constexpr std::string_view kRole = "arn:aws:iam::111111111111:role/r";
constexpr std::string_view kSession = "arn:aws:sts::111111111111:assumed-role/r/me";

Policy Identity(std::string_view statements) {
  const auto policy = ParseIdentityPolicy(
      R"({"Version":"2012-10-17","Statement":[)" + std::string(statements) + "]}",
      kMaxIdentityPolicy);
  EXPECT_TRUE(policy) << policy.error().message;
  return *policy;
}

Policy Resource(std::string_view statements, std::string_view account) {
  const auto policy = ParseResourcePolicy(
      R"({"Version":"2012-10-17","Statement":[)" + std::string(statements) + "]}", account,
      kRegion);
  EXPECT_TRUE(policy) << policy.error().message;
  return *policy;
}

std::string Allow(std::string_view action, std::string_view resource) {
  return R"({"Effect":"Allow","Action":")" + std::string(action) + R"(","Resource":)" +
         std::string(resource) + "}";
}
std::string Deny(std::string_view action, std::string_view resource) {
  return R"({"Effect":"Deny","Action":")" + std::string(action) + R"(","Resource":)" +
         std::string(resource) + "}";
}

std::string Arn(std::string_view name, std::string_view account = kAccount) {
  return R"("arn:aws:glue:eu-central-1:)" + std::string(account) + ":" + std::string(name) + '"';
}

// Why a request is refused: "" if it is not.
class Question {
 public:
  Question() {
    caller_.account = kAccount;
    caller_.arn = kUser;
    caller_.user_name = "u";
    caller_.region = kRegion;
  }
  Question& Has(std::string_view statements) {
    permissions_.policies.push_back(Identity(statements));
    return *this;
  }
  Question& Names(std::string catalog) {
    permissions_.catalogs.push_back(std::move(catalog));
    return *this;
  }
  Question& IsSession() {
    caller_.arn = kSession;
    caller_.role_arn = kRole;
    caller_.user_name = "";
    return *this;
  }
  Question& WithSessionPolicy(std::string_view statements) {
    IsSession();
    caller_.session_policy = std::make_shared<const Policy>(Identity(statements));
    return *this;
  }
  // The policy of the catalog that is asked for.
  Question& Catalog(std::string_view account, std::string_view statements) {
    resource_ = std::make_shared<const Policy>(Resource(statements, account));
    return *this;
  }

  std::string Refusal(std::string_view operation, std::string_view request) {
    caller_.permissions = std::make_shared<const Permissions>(permissions_);
    const auto document = JsonDocument::Parse(request);
    EXPECT_TRUE(document) << request;
    const auto target = TargetOf(operation, document->root(), caller_.account, kRegion);
    const CatalogAccess access{.caller = caller_,
                               .catalog_id = target.catalog_id,
                               .owner = target.owner(),
                               .region = std::string(kRegion),
                               .action = target.action,
                               .resource_policy = resource_,
                               .values = ConditionValuesOf(caller_, target.owner(), Timestamp())};
    const auto status = Authorize(access, target.resources);
    if (status) return "";
    EXPECT_EQ(status.error().code, "AccessDeniedException");
    return status.error().message;
  }

 private:
  Caller caller_;
  Permissions permissions_;
  std::shared_ptr<const Policy> resource_;
};

constexpr std::string_view kGet = R"({"DatabaseName":"db","Name":"t"})";
constexpr std::string_view kGetOfOther =
    R"({"CatalogId":"222222222222","DatabaseName":"db","Name":"t"})";

std::string All(std::string_view account = kAccount) {
  return "[" + Arn("catalog", account) + "," + Arn("database/db", account) + "," +
         Arn("table/db/t", account) + "]";
}

std::string Message(std::string_view who, std::string_view account, std::string_view resource,
                    std::string_view reason) {
  return "User: " + std::string(who) +
         " is not authorized to perform: glue:GetTable on resource: arn:aws:glue:eu-central-1:" +
         std::string(account) + ":" + std::string(resource) + " " + std::string(reason);
}

constexpr std::string_view kNoIdentity =
    "because no identity-based policy allows the glue:GetTable action";
constexpr std::string_view kNoResource =
    "because no resource-based policy allows the glue:GetTable action";
constexpr std::string_view kNoSession = "because no session policy allows the glue:GetTable action";

TEST(AuthorizationTest, ATableNeedsItsDatabaseAndCatalogToo) {
  EXPECT_EQ(Question().Has(Allow("glue:GetTable", All())).Refusal("GetTable", kGet), "");
  EXPECT_EQ(Question().Refusal("GetTable", kGet),
            Message(kUser, kAccount, "table/db/t", kNoIdentity));
  EXPECT_EQ(Question()
                .Has(Allow("glue:GetTable", "[" + Arn("table/db/t") + "," + Arn("catalog") + "]"))
                .Refusal("GetTable", kGet),
            Message(kUser, kAccount, "database/db", kNoIdentity));
  EXPECT_EQ(
      Question()
          .Has(Allow("glue:GetTable", "[" + Arn("table/db/*") + "," + Arn("database/*") + "]"))
          .Refusal("GetTable", kGet),
      Message(kUser, kAccount, "catalog", kNoIdentity));
}

TEST(AuthorizationTest, PermissionsMayComeFromSeveralPolicies) {
  EXPECT_EQ(Question()
                .Has(Allow("glue:Get*", Arn("table/db/t")))
                .Has(Allow("GLUE:gettable", Arn("database/db")) + "," +
                     Allow("*", R"(["arn:aws:glue:*:*:catalog"])"))
                .Refusal("GetTable", kGet),
            "");
}

TEST(AuthorizationTest, NamesAreComparedAsGlueStoresThem) {
  Question question;
  question.Has(Allow("glue:GetTable", "[" + Arn("catalog") + "," + Arn("database/DB") + "," +
                                          Arn("table/Db/T") + "]"));
  EXPECT_EQ(question.Refusal("GetTable", R"({"DatabaseName":"dB","Name":"t"})"), "");
  Question guarded;
  guarded.Has(Allow("*", R"("*")") + "," + Deny("*", Arn("table/db/secret")));
  EXPECT_NE(guarded.Refusal("GetTable", R"({"DatabaseName":"DB","Name":"SECRET"})"), "");
  // Connections are not folded.
  guarded.Has(Deny("*", Arn("connection/c")));
  EXPECT_NE(guarded.Refusal("GetConnection", R"({"Name":"c"})"), "");
  EXPECT_EQ(guarded.Refusal("GetConnection", R"({"Name":"C"})"), "");
}

TEST(AuthorizationTest, ADenyWinsOverEveryAllow) {
  const std::string all = Allow("*", R"("*")");
  EXPECT_EQ(
      Question().Has(all).Has(Deny("glue:*Table", Arn("table/db/t"))).Refusal("GetTable", kGet),
      Message(kUser, kAccount, "table/db/t", "with an explicit deny in an identity-based policy"));
  EXPECT_EQ(
      Question()
          .Has(all)
          .Catalog(kAccount, R"({"Effect":"Deny","Principal":"*","Action":"glue:*","Resource":)" +
                                 Arn("database/*") + "}")
          .Refusal("GetTable", kGet),
      Message(kUser, kAccount, "database/db", "with an explicit deny in a resource-based policy"));
  EXPECT_EQ(Question()
                .Has(all)
                .WithSessionPolicy(all + "," + Deny("glue:Get*", Arn("catalog")))
                .Refusal("GetTable", kGet),
            Message(kSession, kAccount, "catalog", "with an explicit deny in a session policy"));
  EXPECT_EQ(
      Question().Has(all).Has(Deny("glue:Get*", Arn("table/other/*"))).Refusal("GetTable", kGet),
      "");
}

TEST(AuthorizationTest, AllBut) {
  const std::string but = R"({"Effect":"Allow","NotAction":"glue:Delete*","NotResource":)" +
                          Arn("table/db/secret") + "}";
  EXPECT_EQ(Question().Has(but).Refusal("GetTable", kGet), "");
  EXPECT_NE(Question().Has(but).Refusal("DeleteTable", kGet), "");
  EXPECT_NE(Question().Has(but).Refusal("GetTable", R"({"DatabaseName":"db","Name":"secret"})"),
            "");
}

TEST(AuthorizationTest, Conditions) {
  const auto when = [](std::string_view condition) {
    return R"({"Effect":"Allow","Action":"*","Resource":"*","Condition":)" +
           std::string(condition) + "}";
  };
  EXPECT_EQ(
      Question()
          .Has(
              when(R"({"StringEquals":{"aws:RequestedRegion":"eu-central-1","aws:username":"u"}})"))
          .Refusal("GetTable", kGet),
      "");
  EXPECT_NE(Question()
                .Has(when(R"({"StringEquals":{"aws:ResourceAccount":"222222222222"}})"))
                .Refusal("GetTable", kGet),
            "");
  // A session is its role there.
  EXPECT_EQ(
      Question()
          .Has(when(R"({"ArnEquals":{"aws:PrincipalArn":"arn:aws:iam::111111111111:role/r"}})"))
          .IsSession()
          .Refusal("GetTable", kGet),
      "");
}

TEST(AuthorizationTest, DeletingADatabaseNeedsAllThatIsInIt) {
  const std::string request = R"({"Name":"db"})";
  const auto on = [&](const std::string& more) {
    return Allow("glue:DeleteDatabase",
                 "[" + Arn("catalog") + "," + Arn("database/db") + more + "]");
  };
  EXPECT_EQ(Question()
                .Has(on("," + Arn("table/db/*") + "," + Arn("userDefinedFunction/db/*")))
                .Refusal("DeleteDatabase", request),
            "");
  const auto refusal =
      Question().Has(on("," + Arn("table/db/t*"))).Refusal("DeleteDatabase", request);
  EXPECT_NE(refusal.find("111111111111:table/db/* because no"), std::string::npos) << refusal;
  EXPECT_NE(Question().Has(on("," + Arn("table/db/*"))).Refusal("DeleteDatabase", request), "");
  // One table that must not be deleted keeps its database.
  EXPECT_NE(Question()
                .Has(Allow("*", R"("*")") + "," + Deny("glue:Delete*", Arn("table/db/secret")))
                .Refusal("DeleteDatabase", request),
            "");
  EXPECT_EQ(Question()
                .Has(Allow("*", R"("*")") + "," + Deny("glue:Delete*", Arn("table/other/secret")))
                .Refusal("DeleteDatabase", request),
            "");
  EXPECT_EQ(
      Question()
          .Has(R"({"Effect":"Allow","Action":"*","NotResource":)" + Arn("table/other/*") + "}")
          .Refusal("DeleteDatabase", request),
      "");
  EXPECT_NE(
      Question()
          .Has(R"({"Effect":"Allow","Action":"*","NotResource":)" + Arn("table/db/secret") + "}")
          .Refusal("DeleteDatabase", request),
      "");
}

TEST(AuthorizationTest, ABatchNeedsEachOfItsTables) {
  Question question;
  question.Has(
      Allow("*", "[" + Arn("catalog") + "," + Arn("database/db") + "," + Arn("table/db/a*") + "]"));
  EXPECT_EQ(
      question.Refusal("BatchDeleteTable", R"({"DatabaseName":"db","TablesToDelete":["a","a2"]})"),
      "");
  EXPECT_NE(
      question.Refusal("BatchDeleteTable", R"({"DatabaseName":"db","TablesToDelete":["a","b"]})"),
      "");
}

TEST(AuthorizationTest, EitherOfTwoDocumentedActionsAllowsAndDenies) {
  const std::string request = R"({"DatabaseName":"db","TableName":"t"})";
  EXPECT_EQ(Question()
                .Has(Allow("glue:UpdateTable", R"("*")"))
                .Refusal("UpdateColumnStatisticsForTable", request),
            "");
  EXPECT_EQ(Question()
                .Has(Allow("glue:UpdateColumnStatisticsForTable", R"("*")"))
                .Refusal("UpdateColumnStatisticsForTable", request),
            "");
  EXPECT_NE(Question()
                .Has(Allow("*", R"("*")") + "," + Deny("glue:UpdateTable", R"("*")"))
                .Refusal("UpdateColumnStatisticsForTable", request),
            "");
  EXPECT_EQ(
      Question().Has(Allow("glue:GetTable", R"("*")")).Refusal("GetUnfilteredTableMetadata", kGet),
      "");
}

TEST(AuthorizationTest, InOnesOwnAccountTheCatalogsPolicyIsEnough) {
  const auto to = [](std::string_view principal) {
    return R"({"Effect":"Allow","Principal":)" + std::string(principal) +
           R"(,"Action":"glue:GetTable","Resource":)" + All() + "}";
  };
  EXPECT_EQ(Question()
                .Catalog(kAccount, to(R"({"AWS":"arn:aws:iam::111111111111:user/u"})"))
                .Refusal("GetTable", kGet),
            "");
  EXPECT_EQ(Question().Catalog(kAccount, to(R"("*")")).Refusal("GetTable", kGet), "");
  EXPECT_NE(Question()
                .Catalog(kAccount, to(R"({"AWS":"arn:aws:iam::111111111111:user/v"})"))
                .Refusal("GetTable", kGet),
            "");
  // Naming the account leaves it to the account's own policies.
  EXPECT_EQ(Question().Catalog(kAccount, to(R"({"AWS":"111111111111"})")).Refusal("GetTable", kGet),
            Message(kUser, kAccount, "table/db/t", kNoIdentity));
}

TEST(AuthorizationTest, TheCatalogsPolicyAndSessions) {
  const auto to = [](std::string_view principal) {
    return R"({"Effect":"Allow","Principal":{"AWS":")" + std::string(principal) +
           R"("},"Action":"glue:GetTable","Resource":)" + All() + "}";
  };
  EXPECT_EQ(Question().IsSession().Catalog(kAccount, to(kRole)).Refusal("GetTable", kGet), "");
  EXPECT_EQ(Question().IsSession().Catalog(kAccount, to(kSession)).Refusal("GetTable", kGet), "");
  const std::string nothing = Allow("glue:GetDatabase", R"("*")");
  EXPECT_EQ(
      Question().WithSessionPolicy(nothing).Catalog(kAccount, to(kRole)).Refusal("GetTable", kGet),
      Message(kSession, kAccount, "table/db/t", kNoSession));
  EXPECT_EQ(Question()
                .WithSessionPolicy(nothing)
                .Catalog(kAccount, to(kSession))
                .Refusal("GetTable", kGet),
            "");
}

TEST(AuthorizationTest, ASessionsPolicyOnlyTakesAway) {
  EXPECT_EQ(Question()
                .Has(Allow("glue:*", R"("*")"))
                .WithSessionPolicy(Allow("glue:Get*", R"("*")"))
                .Refusal("GetTable", kGet),
            "");
  EXPECT_NE(Question()
                .Has(Allow("glue:*", R"("*")"))
                .WithSessionPolicy(Allow("glue:Get*", R"("*")"))
                .Refusal("DeleteTable", kGet),
            "");
  EXPECT_EQ(Question()
                .Has(Allow("glue:GetDatabase", R"("*")"))
                .WithSessionPolicy(Allow("*", R"("*")"))
                .Refusal("GetTable", kGet),
            Message(kSession, kAccount, "table/db/t", kNoIdentity));
}

TEST(AuthorizationTest, AnotherAccountNeedsBothSides) {
  const std::string identity = Allow("glue:GetTable", All(kOther));
  const auto to = [](std::string_view principal, std::string_view effect = "Allow") {
    return R"({"Effect":")" + std::string(effect) + R"(","Principal":)" + std::string(principal) +
           R"(,"Action":"glue:*","Resource":)" + All(kOther) + "}";
  };
  const std::string account = R"({"AWS":"arn:aws:iam::111111111111:root"})";
  const std::string user = R"({"AWS":"arn:aws:iam::111111111111:user/u"})";
  for (const auto& principal : {account, user, std::string(R"("*")")}) {
    EXPECT_EQ(
        Question().Has(identity).Catalog(kOther, to(principal)).Refusal("GetTable", kGetOfOther),
        "")
        << principal;
    EXPECT_EQ(Question().Catalog(kOther, to(principal)).Refusal("GetTable", kGetOfOther),
              Message(kUser, kOther, "table/db/t", kNoIdentity))
        << principal;
  }
  EXPECT_EQ(Question().Has(identity).Refusal("GetTable", kGetOfOther),
            Message(kUser, kOther, "table/db/t", kNoResource));
  EXPECT_EQ(Question()
                .Has(identity)
                .Catalog(kOther, to(R"({"AWS":"333333333333"})"))
                .Refusal("GetTable", kGetOfOther),
            Message(kUser, kOther, "table/db/t", kNoResource));
  EXPECT_EQ(
      Question()
          .Has(identity)
          .Catalog(kOther, to(account) + "," + to(user, "Deny"))
          .Refusal("GetTable", kGetOfOther),
      Message(kUser, kOther, "table/db/t", "with an explicit deny in a resource-based policy"));
  EXPECT_EQ(Question()
                .Has(identity)
                .Has(Deny("*", Arn("catalog", kOther)))
                .Catalog(kOther, to(account))
                .Refusal("GetTable", kGetOfOther),
            Message(kUser, kOther, "catalog", "with an explicit deny in an identity-based policy"));
  EXPECT_EQ(Question()
                .Has(identity)
                .WithSessionPolicy(Allow("glue:GetTables", R"("*")"))
                .Catalog(kOther, to(account))
                .Refusal("GetTable", kGetOfOther),
            Message(kSession, kOther, "table/db/t", kNoSession));
}

TEST(AuthorizationTest, NotPrincipalDeniesEverybodyElse) {
  const auto deny = [](std::string_view principal) {
    return R"({"Effect":"Deny","NotPrincipal":{"AWS":")" + std::string(principal) +
           R"("},"Action":"glue:*","Resource":)" + All() + "}";
  };
  const std::string all = Allow("*", R"("*")");
  EXPECT_EQ(Question().Has(all).Catalog(kAccount, deny(kUser)).Refusal("GetTable", kGet), "");
  EXPECT_NE(Question()
                .Has(all)
                .Catalog(kAccount, deny("arn:aws:iam::111111111111:user/v"))
                .Refusal("GetTable", kGet),
            "");
}

TEST(AuthorizationTest, CatalogsStandForAResourcePolicy) {
  const std::string identity = Allow("glue:GetTable", R"("*")");
  EXPECT_EQ(Question().Has(identity).Names("222222222222").Refusal("GetTable", kGetOfOther), "");
  EXPECT_NE(Question().Has(identity).Names("333333333333").Refusal("GetTable", kGetOfOther), "");
  EXPECT_NE(Question().Names("222222222222").Refusal("GetTable", kGetOfOther), "");
  EXPECT_NE(
      Question()
          .Has(identity)
          .Names("*")
          .Catalog(kOther, R"({"Effect":"Deny","Principal":"*","Action":"glue:*","Resource":)" +
                               All(kOther) + "}")
          .Refusal("GetTable", kGetOfOther),
      "");
}

}  // namespace
}  // namespace gluecat::server
