// Permissions of whole requests: what the policies of users, roles, sessions and catalogs come to.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "server/service_testing.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kAccounts = R"({"accounts":{
  "111111111111":{
    "groups":{"readers":{"policies":[{"Version":"2012-10-17","Statement":[
      {"Effect":"Allow","Action":["glue:GetTables","glue:SearchTables","glue:GetDatabases"],"Resource":[
        "arn:aws:glue:*:111111111111:catalog","arn:aws:glue:*:111111111111:database/s*",
        "arn:aws:glue:*:111111111111:table/sales/o*"]}]}]}},
    "users":{
      "admin":{"access_key":"AKIAADMIN","secret_key":"s1","allow":["*"]},
      "reader":{"access_key":"AKIAREADER","secret_key":"s2","groups":["readers"],"deny":["sts:*"]},
      "plain":{"access_key":"AKIAPLAIN","secret_key":"s3"}},
    "roles":{"first":{"trust":[{"principal":"111111111111"}],"max_duration":7200,
                      "allow":["glue:*","sts:AssumeRole"]},
             "short":{"trust":[{"principal":"111111111111"}],"max_duration":900,"allow":["glue:*"]}}},
  "222222222222":{
    "users":{
      "owner":{"access_key":"AKIAOWNER","secret_key":"s4","allow":["*"]},
      "outsider":{"access_key":"AKIAOUT","secret_key":"s5","policies":[{"Version":"2012-10-17",
        "Statement":{"Effect":"Allow","Action":"glue:Get*","Resource":"*"}}]}},
    "roles":{"second":{"trust":[{"principal":"arn:aws:iam::111111111111:role/first"}],
                       "max_duration":43200,"allow":["glue:*"]}}}}})";

constexpr std::string_view kFirst = "arn:aws:iam::111111111111:role/first";
constexpr std::string_view kSecond = "arn:aws:iam::222222222222:role/second";

class AccessTest : public ServiceFixture {
 protected:
  AccessTest() : ServiceFixture(kAccounts) {
    for (const auto* database : {"sales", "stock", "hr"}) {
      EXPECT_EQ(Call(admin_, "CreateDatabase",
                     R"({"DatabaseInput":{"Name":")" + std::string(database) + R"("}})"),
                "");
    }
    for (const auto* table : {"orders", "offers", "customers"}) {
      EXPECT_EQ(Call(admin_, "CreateTable",
                     R"({"DatabaseName":"sales","TableInput":{"Name":")" + std::string(table) +
                         R"(","Owner":"me"}})"),
                "");
    }
  }

  // The error's type, "" for none.
  std::string Call(const aws::Credentials& credentials, std::string_view operation,
                   std::string body = "{}") {
    return Type(Glue(*strict_, credentials, operation, std::move(body)));
  }

  // The names in `list` of the answer.
  std::vector<std::string> Names(const aws::Credentials& credentials, std::string_view operation,
                                 const char* list, std::string body = "{}") {
    const std::string answer = Glue(*strict_, credentials, operation, std::move(body));
    const auto document = JsonDocument::Parse(answer);
    EXPECT_TRUE(document && document->root()[list].IsArray()) << answer;
    std::vector<std::string> names;
    for (const auto& item : document->root()[list].Elements()) {
      names.push_back(item["Name"].StringOr(""));
    }
    return names;
  }

  static std::string Policy(std::string_view statements) {
    JsonWriter writer;
    writer.BeginObject().Member("PolicyInJson", R"({"Version":"2012-10-17","Statement":[)" +
                                                    std::string(statements) + "]}");
    return writer.EndObject().Take();
  }

  const aws::Credentials admin_ = Key("AKIAADMIN", "s1");
  const aws::Credentials reader_ = Key("AKIAREADER", "s2");
  const aws::Credentials plain_ = Key("AKIAPLAIN", "s3");
  const aws::Credentials owner_ = Key("AKIAOWNER", "s4");
  const aws::Credentials outsider_ = Key("AKIAOUT", "s5");
};

using List = std::vector<std::string>;

TEST_F(AccessTest, ListingsLeaveOutWhatTheCallerMayNotSee) {
  EXPECT_EQ(Names(admin_, "GetDatabases", "DatabaseList"), (List{"hr", "sales", "stock"}));
  EXPECT_EQ(Names(reader_, "GetDatabases", "DatabaseList"), (List{"sales", "stock"}));
  const std::string sales = R"({"DatabaseName":"sales"})";
  EXPECT_EQ(Names(admin_, "GetTables", "TableList", sales),
            (List{"customers", "offers", "orders"}));
  EXPECT_EQ(Names(reader_, "GetTables", "TableList", sales), (List{"offers", "orders"}));
  EXPECT_EQ(Names(reader_, "SearchTables", "TableList"), (List{"offers", "orders"}));
  EXPECT_EQ(Call(reader_, "GetTables", R"({"DatabaseName":"hr"})"), "AccessDeniedException");
  EXPECT_EQ(Call(reader_, "GetConnections"), "AccessDeniedException");
  // Pages keep their places.
  const std::string page =
      Glue(*strict_, reader_, "GetTables", R"({"DatabaseName":"sales","MaxResults":1})");
  const auto document = JsonDocument::Parse(page);
  EXPECT_TRUE(document->root()["TableList"].Elements().empty()) << page;
  const auto token = document->root()["NextToken"].StringOr("");
  EXPECT_EQ(Names(reader_, "GetTables", "TableList",
                  R"({"DatabaseName":"sales","MaxResults":1,"NextToken":")" + token + R"("})"),
            List{"offers"});
}

TEST_F(AccessTest, ItemsOfAListingComeAsTheyAre) {
  const auto tables = [&](const aws::Credentials& who) {
    const auto text = Glue(*strict_, who, "GetTables", R"({"DatabaseName":"sales"})");
    const auto document = JsonDocument::Parse(text);
    std::vector<std::string> items;
    for (const auto& item : document->root()["TableList"].Elements()) items.push_back(item.Dump());
    return items;
  };
  const auto all = tables(admin_);
  EXPECT_EQ(tables(reader_), (List{all.at(1), all.at(2)}));
}

TEST_F(AccessTest, CatalogsConnectionsAndFunctionsAreFilteredToo) {
  for (const auto* name : {"c1", "d1"}) {
    const std::string quoted = '"' + std::string(name) + '"';
    EXPECT_EQ(Call(admin_, "CreateConnection",
                   R"({"ConnectionInput":{"Name":)" + quoted +
                       R"(,"ConnectionType":"NETWORK","ConnectionProperties":{}}})"),
              "");
    EXPECT_EQ(Call(admin_, "CreateCatalog", R"({"Name":)" + quoted + R"(,"CatalogInput":{}})"), "");
    EXPECT_EQ(Call(admin_, "CreateUserDefinedFunction",
                   R"({"DatabaseName":"sales","FunctionInput":{"FunctionName":)" + quoted +
                       R"(,"ClassName":"c","OwnerType":"USER","OwnerName":"o"}})"),
              "");
  }
  // A session may be narrowed to them.
  const auto narrow = [&](std::string_view resource) {
    return Assume(
        *strict_, admin_, kFirst,
        "&Policy=" + PercentEncode(R"({"Statement":[{"Effect":"Allow","Action":"*","Resource":[
      "arn:aws:glue:*:*:catalog","arn:aws:glue:*:*:database/sales","arn:aws:glue:*:*:)" +
                                   std::string(resource) + R"("]}]})"));
  };
  EXPECT_EQ(Names(narrow("connection/c*"), "GetConnections", "ConnectionList"), List{"c1"});
  EXPECT_EQ(Names(narrow("catalog/d1"), "GetCatalogs", "CatalogList", R"({"IncludeRoot":true})"),
            (List{"111111111111", "d1"}));
  const auto text = Glue(*strict_, narrow("userDefinedFunction/sales/d1"),
                         "GetUserDefinedFunctions", R"({"Pattern":".*"})");
  EXPECT_EQ(text.find("\"c1\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"d1\""), std::string::npos) << text;
}

TEST_F(AccessTest, PoliciesOfCatalogsWorkAtOnceAndInEveryProcess) {
  const std::string of_a = R"({"CatalogId":"111111111111"})";
  EXPECT_EQ(Call(outsider_, "GetDatabases", of_a), "AccessDeniedException");
  const auto allow = [](std::string_view principal) {
    return R"({"Effect":"Allow","Principal":{"AWS":")" + std::string(principal) +
           R"("},"Action":"glue:GetDatabases","Resource":["arn:aws:glue:eu-central-1:111111111111:catalog",
             "arn:aws:glue:eu-central-1:111111111111:database/hr"]})";
  };
  EXPECT_EQ(Call(admin_, "PutResourcePolicy", Policy(allow("222222222222"))), "");
  EXPECT_EQ(Names(outsider_, "GetDatabases", "DatabaseList", of_a), List{"hr"});
  auto other = Make(std::make_shared<const Accounts>(*Accounts::Parse(kAccounts)));
  EXPECT_EQ(Type(Glue(*other, outsider_, "GetDatabases", of_a)), "");

  EXPECT_EQ(Call(admin_, "PutResourcePolicy", Policy(allow("333333333333"))), "");
  EXPECT_EQ(Type(Glue(*other, outsider_, "GetDatabases", of_a)), "AccessDeniedException");
  EXPECT_EQ(Type(Glue(*other, admin_, "PutResourcePolicy",
                      Policy(allow("arn:aws:iam::222222222222:user/outsider")))),
            "");
  EXPECT_EQ(Names(outsider_, "GetDatabases", "DatabaseList", of_a), List{"hr"});
  EXPECT_EQ(Type(Glue(*other, admin_, "DeleteResourcePolicy")), "");
  EXPECT_EQ(Call(outsider_, "GetDatabases", of_a), "AccessDeniedException");
}

TEST_F(AccessTest, PoliciesOfCatalogsAreOfOneRegion) {
  const std::string elsewhere = Policy(
      R"({"Effect":"Allow","Principal":"*","Action":"glue:*","Resource":"arn:aws:glue:us-east-1:111111111111:*"})");
  EXPECT_EQ(Call(admin_, "PutResourcePolicy", elsewhere), "InvalidInputException");
}

TEST_F(AccessTest, PoliciesThatAreNoneAreRefused) {
  for (
      const auto& statements :
      {R"({"Effect":"Allow","Principal":"*","Action":"glue:*","Resource":"*"})",
       R"({"Effect":"Allow","Action":"glue:*","Resource":"arn:aws:glue:eu-central-1:111111111111:*"})",
       R"({"Effect":"Perhaps"})"}) {
    const auto answer = Glue(*strict_, admin_, "PutResourcePolicy", Policy(statements));
    EXPECT_EQ(Type(answer), "InvalidInputException") << answer;
    EXPECT_NE(answer.find("Statement 1"), std::string::npos) << answer;
    EXPECT_EQ(Type(Glue(*open_, Key("111111111111", "x"), "PutResourcePolicy", Policy(statements))),
              "InvalidInputException");
  }
  EXPECT_EQ(Call(admin_, "PutResourcePolicy"), "ValidationException");
  EXPECT_EQ(Call(admin_, "GetResourcePolicy"), "EntityNotFoundException");
}

TEST_F(AccessTest, NobodyLocksHimselfOut) {
  const auto deny = [](std::string_view who) {
    return Policy(R"({"Effect":"Deny","Principal":{"AWS":"arn:aws:iam::111111111111:user/)" +
                  std::string(who) +
                  R"("},"Action":"glue:*","Resource":"arn:aws:glue:eu-central-1:111111111111:*"})");
  };
  const auto answer = Glue(*strict_, admin_, "PutResourcePolicy", deny("admin"));
  EXPECT_EQ(Type(answer), "InvalidInputException");
  EXPECT_NE(answer.find("put another"), std::string::npos) << answer;
  EXPECT_EQ(Call(admin_, "PutResourcePolicy", deny("reader")), "");
  EXPECT_EQ(Call(reader_, "GetDatabases"), "AccessDeniedException");
  EXPECT_EQ(Call(plain_, "PutResourcePolicy", deny("reader")), "AccessDeniedException");
}

// A program that opens the directory itself is not asked for a policy that can be read.
TEST_F(AccessTest, APolicyThatCannotBeReadOpensNothing) {
  auto store = *store::Store::Open(directory_, clock_);
  ASSERT_TRUE(store->Execute({.account = "111111111111", .region = "eu-central-1", .arn = ""},
                             "PutResourcePolicy", R"({"PolicyInJson":"{\"Statement\":7}"})"));
  const auto answer = Glue(*strict_, admin_, "GetDatabases");
  EXPECT_EQ(Type(answer), "AccessDeniedException");
  EXPECT_NE(answer.find("cannot be read"), std::string::npos) << answer;
  EXPECT_EQ(Call(outsider_, "GetResourcePolicy",
                 R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:catalog"})"),
            "AccessDeniedException");
  EXPECT_EQ(Call(plain_, "DeleteResourcePolicy"), "AccessDeniedException");
  EXPECT_EQ(Call(admin_, "GetResourcePolicy"), "");
  EXPECT_EQ(Call(admin_, "DeleteResourcePolicy"), "");
  EXPECT_EQ(Call(admin_, "GetDatabases"), "");
}

TEST_F(AccessTest, SessionsAreNarrowedByTheirPolicy) {
  const std::string policy = PercentEncode(R"({"Version":"2012-10-17","Statement":[
        {"Effect":"Allow","Action":"glue:Get*","Resource":"*"},
        {"Effect":"Deny","Action":"*","Resource":"arn:aws:glue:*:*:table/sales/customers"}]})");
  const auto session = Assume(*strict_, admin_, kFirst, "&Policy=" + policy);
  EXPECT_EQ(Call(session, "GetTable", R"({"DatabaseName":"sales","Name":"orders"})"), "");
  const auto denied =
      Glue(*strict_, session, "GetTable", R"({"DatabaseName":"sales","Name":"customers"})");
  EXPECT_NE(denied.find("with an explicit deny in a session policy"), std::string::npos) << denied;
  const auto missing = Glue(*strict_, session, "DeleteDatabase", R"({"Name":"hr"})");
  EXPECT_NE(missing.find("because no session policy allows the glue:DeleteDatabase action"),
            std::string::npos)
      << missing;
  // Nor may it open another role, which the role itself may.
  const auto assume = Sts(*strict_, session,
                          "Action=AssumeRole&RoleSessionName=me&RoleArn=" + std::string(kSecond));
  EXPECT_EQ(Element(assume.body, "Code"), "AccessDenied");
}

TEST_F(AccessTest, SessionPoliciesThatAreRefused) {
  const std::string assume =
      "Action=AssumeRole&RoleSessionName=me&RoleArn=" + std::string(kFirst) + "&";
  const std::string many =
      R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"arn:aws:glue:*:*:)" +
      std::string(2048, 'x') + R"("}})";
  for (const auto& [more, code] : std::vector<std::pair<std::string, std::string>>{
           {"Policy=" + PercentEncode(R"({"Statement":{"Effect":"Allow"}})"),
            "MalformedPolicyDocument"},
           {"Policy=nonsense", "MalformedPolicyDocument"},
           {"Policy=" + PercentEncode(many), "MalformedPolicyDocument"},
           {"PolicyArns.member.1.arn=arn:aws:iam::aws:policy/x", "ValidationError"},
           {"Tags.member.1.Key=a&Tags.member.1.Value=b", "ValidationError"},
           {"SourceIdentity=me", "ValidationError"},
           {"SerialNumber=x&TokenCode=1", "ValidationError"},
           {"ExternalId=a", "ValidationError"},
           {"ExternalId=a%20b", "ValidationError"}}) {
    const auto answer = Sts(*strict_, admin_, assume + more);
    EXPECT_EQ(Element(answer.body, "Code"), code) << more << answer.body;
    EXPECT_EQ(answer.status, 400);
  }
}

// What the token is written in makes some characters longer than others.
TEST_F(AccessTest, ATokenFitsAHeader) {
  const std::string assume =
      "Action=AssumeRole&RoleSessionName=me&RoleArn=" + std::string(kFirst) + "&Policy=";
  std::string policy = R"({"Statement":{"Effect":"Allow","Action":"*","Resource":[)";
  while (policy.size() < 2000) policy += R"("*",)";
  policy += R"("*"]}})";
  const auto fits = Sts(*strict_, admin_, assume + PercentEncode(policy));
  ASSERT_EQ(fits.status, 200) << fits.body;
  EXPECT_LE(Element(fits.body, "SessionToken").size(), 7168U);
  EXPECT_EQ(Call(CredentialsOf(fits.body), "GetDatabases"), "");

  std::string id;
  for (int i = 0; i < 950; ++i) id += R"(\")";
  const auto too_long =
      Sts(*strict_, admin_,
          assume + PercentEncode(R"({"Statement":{"Sid":")" + id +
                                 R"(","Effect":"Allow","Action":"*","Resource":"*"}})"));
  EXPECT_EQ(Element(too_long.body, "Code"), "PackedPolicyTooLarge") << too_long.body;
}

TEST_F(AccessTest, ChainsOfRolesLastAnHour) {
  const auto first = Assume(*strict_, admin_, kFirst, "&DurationSeconds=7200");
  const std::string assume = "Action=AssumeRole&RoleSessionName=me&RoleArn=" + std::string(kSecond);
  const auto too_long = Sts(*strict_, first, assume + "&DurationSeconds=3601");
  EXPECT_EQ(Element(too_long.body, "Code"), "ValidationError");
  EXPECT_NE(too_long.body.find("role chaining"), std::string::npos);
  const auto second = Assume(*strict_, first, kSecond, "&DurationSeconds=3600");
  EXPECT_EQ(Element(Sts(*strict_, second, "Action=GetCallerIdentity").body, "Arn"),
            "arn:aws:sts::222222222222:assumed-role/second/me");
  EXPECT_EQ(Call(second, "GetDatabases"), "");
  EXPECT_EQ(Call(second, "GetDatabases", R"({"CatalogId":"111111111111"})"),
            "AccessDeniedException");
  // Trusted is the role, not its account.
  EXPECT_EQ(Element(Sts(*strict_, admin_, assume).body, "Code"), "AccessDenied");
}

TEST_F(AccessTest, ASessionIsNoLongerThanItsRoleAllows) {
  const auto answer =
      Sts(*strict_, admin_,
          "Action=AssumeRole&RoleSessionName=me&RoleArn=arn:aws:iam::111111111111:role/short");
  EXPECT_EQ(Element(answer.body, "Expiration"), "2023-11-14T22:28:20Z");  // 900 seconds on
}

TEST_F(AccessTest, OtherAccountsDecideLaterRequests) {
  const auto request = Signed("glue", reader_, "GetDatabases", "{}");
  EXPECT_EQ(strict_->Handle(request).status, 200);
  strict_->ReplaceAccounts(std::make_shared<const Accounts>(*Accounts::Parse(
      R"({"accounts":{"111111111111":{"users":{
           "reader":{"access_key":"AKIAREADER","secret_key":"s2"}}}}})")));
  EXPECT_EQ(Type(strict_->Handle(request).body), "AccessDeniedException");
  EXPECT_EQ(Call(admin_, "GetDatabases"), "UnrecognizedClientException");
}

TEST_F(AccessTest, RequestsFromElsewhere) {
  const std::string policy =
      PercentEncode(R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*",
    "Condition":{"IpAddress":{"aws:SourceIp":"192.0.2.0/24"},"Bool":{"aws:SecureTransport":"true"}}}})");
  const auto session = Assume(*strict_, admin_, kFirst, "&Policy=" + policy);
  auto request = Signed("glue", session, "GetDatabases", "{}");
  request.source_ip = "192.0.2.9";
  request.tls = true;
  EXPECT_EQ(strict_->Handle(request).status, 200);
  request.tls = false;
  EXPECT_EQ(strict_->Handle(request).status, 400);
  request.tls = true;
  request.source_ip = "198.51.100.1";
  EXPECT_EQ(strict_->Handle(request).status, 400);
}

}  // namespace
}  // namespace gluecat::server
