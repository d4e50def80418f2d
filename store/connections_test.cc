#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class ConnectionsTest : public StoreTest {
 protected:
  using Names = std::vector<std::string>;

  static std::string Input(std::string_view name, std::string_view more = "") {
    return R"("ConnectionInput":{"Name":")" + std::string(name) +
           R"(","ConnectionType":"JDBC","ConnectionProperties":{"JDBC_CONNECTION_URL":"jdbc:x","USERNAME":"u","PASSWORD":"p4ss"})" +
           std::string(more) + "}";
  }
  void Make(std::string_view name, std::string_view more = "") {
    EXPECT_EQ(Ok("CreateConnection", "{" + Input(name, more) + "}"),
              R"({"CreateConnectionStatus":"READY"})");
  }
  Names List(std::string_view request) {
    return Texts(Ok("GetConnections", request), "ConnectionList", "Name");
  }
};

TEST_F(ConnectionsTest, AreMadeReadChangedAndDeleted) {
  Make(
      "Pg",
      R"(,"Description":"one","MatchCriteria":["a"],"PhysicalConnectionRequirements":{"SubnetId":"s","SecurityGroupIdList":["g"]})");
  EXPECT_EQ(
      Ok("GetConnection", R"({"Name":"Pg"})"),
      R"({"Connection":{"Name":"Pg","ConnectionType":"JDBC","ConnectionProperties":{"JDBC_CONNECTION_URL":"jdbc:x","USERNAME":"u","PASSWORD":"p4ss"},)"
      R"("Description":"one","MatchCriteria":["a"],"PhysicalConnectionRequirements":{"SubnetId":"s","SecurityGroupIdList":["g"]},)"
      R"("CreationTime":1700000000.250,"LastUpdatedTime":1700000000.250,"LastUpdatedBy":"arn:aws:iam::111111111111:root",)"
      R"("Status":"READY","ConnectionSchemaVersion":1}})");
  clock_->now += std::chrono::seconds(60);
  Ok("UpdateConnection", R"({"Name":"Pg",)" + Input("Pg", R"(,"Description":"two")") + "}");
  const auto answer = Ok("GetConnection", R"({"Name":"Pg"})");
  EXPECT_NE(answer.find(R"("Description":"two")"), std::string::npos);
  EXPECT_EQ(answer.find("MatchCriteria"), std::string::npos);
  EXPECT_NE(answer.find(R"("CreationTime":1700000000.250,"LastUpdatedTime":1700000060.250)"),
            std::string::npos);
  EXPECT_EQ(Ok("DeleteConnection", R"({"ConnectionName":"Pg"})"), "{}");
  EXPECT_EQ(Code("GetConnection", R"({"Name":"Pg"})"), "EntityNotFoundException");
}

TEST_F(ConnectionsTest, HidesPasswords) {
  Make("a");
  for (const auto* operation : {"GetConnection", "GetConnections"}) {
    const auto hidden = Ok(operation, R"({"Name":"a","HidePassword":true})");
    EXPECT_EQ(hidden.find("p4ss"), std::string::npos);
    EXPECT_NE(hidden.find(R"("USERNAME":"u")"), std::string::npos);
    EXPECT_NE(Ok(operation, R"({"Name":"a","HidePassword":false})").find("p4ss"),
              std::string::npos);
  }
  Ok("PutDataCatalogEncryptionSettings",
     R"({"DataCatalogEncryptionSettings":{"ConnectionPasswordEncryption":{"ReturnConnectionPasswordEncrypted":true,"AwsKmsKeyId":"k"}}})");
  EXPECT_EQ(Ok("GetConnection", R"({"Name":"a"})").find("p4ss"), std::string::npos);
  EXPECT_EQ(Ok("GetConnections", "{}").find("p4ss"), std::string::npos);
}

TEST_F(ConnectionsTest, DropsTheCredentialsOfAnAuthentication) {
  Make("a", R"(,"AuthenticationConfiguration":{"AuthenticationType":"OAUTH2","SecretArn":"arn:s",
      "BasicAuthenticationCredentials":{"Username":"u","Password":"s3cret"},
      "CustomAuthenticationCredentials":{"k":"s3cret"},
      "OAuth2Properties":{"TokenUrl":"https://t","OAuth2Credentials":{"AccessToken":"s3cret"},
        "AuthorizationCodeProperties":{"AuthorizationCode":"s3cret"}}},"ValidateCredentials":true)");
  const auto answer = Ok("GetConnection", R"({"Name":"a"})");
  EXPECT_EQ(answer.find("s3cret"), std::string::npos);
  EXPECT_NE(
      answer.find(
          R"("AuthenticationConfiguration":{"AuthenticationType":"OAUTH2","SecretArn":"arn:s","OAuth2Properties":{"TokenUrl":"https://t"}})"),
      std::string::npos)
      << answer;
  EXPECT_NE(answer.find(R"("ConnectionSchemaVersion":2)"), std::string::npos);
}

TEST_F(ConnectionsTest, RefusesWhatIsWrong) {
  Make("a");
  EXPECT_EQ(Code("CreateConnection", "{" + Input("a") + "}"), "AlreadyExistsException");
  EXPECT_EQ(Code("UpdateConnection", R"({"Name":"b",)" + Input("b") + "}"),
            "EntityNotFoundException");
  EXPECT_EQ(Code("UpdateConnection", R"({"Name":"a",)" + Input("b") + "}"),
            "InvalidInputException");
  EXPECT_EQ(Code("DeleteConnection", R"({"ConnectionName":"b"})"), "EntityNotFoundException");
  EXPECT_EQ(Code("CreateConnection", "{}"), "ValidationException");
  EXPECT_EQ(
      Code(
          "CreateConnection",
          R"({"ConnectionInput":{"Name":"x","ConnectionType":"TELEPATHY","ConnectionProperties":{}}})"),
      "ValidationException");
  EXPECT_EQ(
      Code(
          "CreateConnection",
          R"({"ConnectionInput":{"Name":"x","ConnectionType":"JDBC","ConnectionProperties":{"SHOE_SIZE":"9"}}})"),
      "ValidationException");
  EXPECT_EQ(
      Code(
          "CreateConnection",
          R"({"ConnectionInput":{"Name":"x","ConnectionType":"JDBC","ConnectionProperties":{},"Status":"READY"}})"),
      "ValidationException");
  EXPECT_EQ(Code("GetConnections", R"({"MaxResults":1001})"), "ValidationException");
}

TEST_F(ConnectionsTest, ListedByFilterAndInPages) {
  Make("b", R"(,"MatchCriteria":["x","y"])");
  Make("a", R"(,"MatchCriteria":["x"])");
  Ok("CreateConnection",
     R"({"ConnectionInput":{"Name":"n","ConnectionType":"NETWORK","ConnectionProperties":{}}})");
  EXPECT_EQ(List("{}"), (Names{"a", "b", "n"}));
  EXPECT_EQ(List(R"({"Filter":{"ConnectionType":"NETWORK"}})"), Names{"n"});
  EXPECT_EQ(List(R"({"Filter":{"MatchCriteria":["x"]}})"), (Names{"a", "b"}));
  EXPECT_EQ(List(R"({"Filter":{"MatchCriteria":["y","x"]}})"), Names{"b"});
  EXPECT_TRUE(List(R"({"Filter":{"ConnectionSchemaVersion":2}})").empty());
  const auto page = Ok("GetConnections", R"({"MaxResults":2})");
  EXPECT_EQ(Texts(page, "ConnectionList", "Name"), (Names{"a", "b"}));
  EXPECT_EQ(List(R"({"NextToken":")" + Token(page) + R"("})"), Names{"n"});
  EXPECT_EQ(Code("GetConnections",
                 R"({"Filter":{"ConnectionType":"JDBC"},"NextToken":")" + Token(page) + R"("})"),
            "InvalidInputException");
  EXPECT_TRUE(Token(Ok("GetConnections", R"({"MaxResults":3})")).empty());
  EXPECT_TRUE(
      Texts(Ok("GetConnections", "{}", Account("222222222222")), "ConnectionList", "Name").empty());
}

TEST_F(ConnectionsTest, BatchDeleteReportsEach) {
  Make("a");
  Make("b");
  EXPECT_EQ(
      Ok("BatchDeleteConnection", R"({"ConnectionNameList":["a","x","b","x","a"]})"),
      R"({"Succeeded":["a","b"],"Errors":{"x":{"ErrorCode":"EntityNotFoundException","ErrorMessage":"Connection x not found."}}})");
  EXPECT_TRUE(List("{}").empty());
  std::string many;
  for (int i = 0; i < 26; ++i) many += (i == 0 ? "\"c" : ",\"c") + std::to_string(i) + "\"";
  EXPECT_EQ(Code("BatchDeleteConnection", R"({"ConnectionNameList":[)" + many + "]}"),
            "ValidationException");
}

}  // namespace
}  // namespace gluecat::store
