// Resource policies and encryption settings.
#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class CatalogSettingsTest : public StoreTest {
 protected:
  static std::string Policy(std::string_view text, std::string_view more = "") {
    JsonWriter writer;
    writer.BeginObject().Member("PolicyInJson", text);
    std::string out = writer.EndObject().Take();
    out.pop_back();
    return out + std::string(more) + "}";
  }
  static std::string HashOf(std::string_view answer) {
    return JsonDocument::Parse(answer)->root()["PolicyHash"].StringOr("");
  }
};

TEST_F(CatalogSettingsTest, PolicyIsKept) {
  EXPECT_EQ(Code("GetResourcePolicy", "{}"), "EntityNotFoundException");
  EXPECT_EQ(Code("DeleteResourcePolicy", "{}"), "EntityNotFoundException");
  EXPECT_EQ(Ok("GetResourcePolicies", "{}"), R"({"GetResourcePoliciesResponseList":[]})");
  const auto hash = HashOf(Ok("PutResourcePolicy", Policy(R"({"Version":"1"})")));
  EXPECT_FALSE(hash.empty());
  clock_->now += std::chrono::seconds(60);
  const auto second = HashOf(Ok("PutResourcePolicy", Policy(R"({"Version":"2"})")));
  EXPECT_NE(hash, second);
  const std::string policy = R"({"PolicyInJson":"{\"Version\":\"2\"}","PolicyHash":")" + second +
                             R"(","CreateTime":1700000000.250,"UpdateTime":1700000060.250})";
  EXPECT_EQ(Ok("GetResourcePolicy", "{}"), policy);
  EXPECT_EQ(
      Ok("GetResourcePolicy", R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:catalog"})",
         Account("222222222222")),
      policy);
  EXPECT_EQ(Ok("GetResourcePolicies", R"({"MaxResults":1})"),
            R"({"GetResourcePoliciesResponseList":[)" + policy + "]}");
  EXPECT_EQ(Code("GetResourcePolicy", "{}", Account("222222222222")), "EntityNotFoundException");
  EXPECT_EQ(Ok("DeleteResourcePolicy", "{}"), "{}");
  EXPECT_EQ(Code("GetResourcePolicy", "{}"), "EntityNotFoundException");
}

TEST_F(CatalogSettingsTest, PolicyConditions) {
  const auto put = [&](std::string_view more) { return Policy("{}", more); };
  EXPECT_EQ(Code("PutResourcePolicy", put(R"(,"PolicyExistsCondition":"MUST_EXIST")")),
            "ConditionCheckFailureException");
  EXPECT_EQ(Code("PutResourcePolicy", put(R"(,"PolicyHashCondition":"x")")),
            "ConditionCheckFailureException");
  const auto hash = HashOf(Ok("PutResourcePolicy", put(R"(,"PolicyExistsCondition":"NOT_EXIST")")));
  EXPECT_EQ(Code("PutResourcePolicy", put(R"(,"PolicyExistsCondition":"NOT_EXIST")")),
            "ConditionCheckFailureException");
  EXPECT_EQ(Code("PutResourcePolicy", put(R"(,"PolicyHashCondition":"x")")),
            "ConditionCheckFailureException");
  EXPECT_EQ(Code("DeleteResourcePolicy", R"({"PolicyHashCondition":"x"})"),
            "ConditionCheckFailureException");
  Ok("PutResourcePolicy", put(R"(,"PolicyExistsCondition":"MUST_EXIST")"));
  Ok("PutResourcePolicy", put(R"(,"PolicyExistsCondition":"NONE","EnableHybrid":"TRUE")"));
  Ok("PutResourcePolicy", put(R"(,"PolicyHashCondition":")" + hash + R"(")"));
  Ok("DeleteResourcePolicy", R"({"PolicyHashCondition":")" + hash + R"("})");
}

TEST_F(CatalogSettingsTest, RefusesWhatIsNoPolicy) {
  EXPECT_EQ(Code("PutResourcePolicy", Policy("[1]")), "InvalidInputException");
  EXPECT_EQ(Code("PutResourcePolicy", Policy("not JSON")), "InvalidInputException");
  EXPECT_EQ(Code("PutResourcePolicy", Policy("{")), "ValidationException");
  EXPECT_EQ(Code("PutResourcePolicy", "{}"), "ValidationException");
  const std::string table = R"("ResourceArn":"arn:aws:glue:eu-central-1:111111111111:table/d/t")";
  EXPECT_EQ(Code("PutResourcePolicy", Policy("{}", "," + table)), "InvalidInputException");
  EXPECT_EQ(Code("GetResourcePolicy", "{" + table + "}"), "EntityNotFoundException");
  EXPECT_EQ(Code("GetResourcePolicy", R"({"ResourceArn":"x"})"), "InvalidInputException");
  EXPECT_EQ(Code("GetResourcePolicies", R"({"NextToken":"x"})"), "InvalidInputException");
}

TEST_F(CatalogSettingsTest, EncryptionSettingsAreKept) {
  EXPECT_EQ(
      Ok("GetDataCatalogEncryptionSettings", "{}"),
      R"({"DataCatalogEncryptionSettings":{"EncryptionAtRest":{"CatalogEncryptionMode":"DISABLED"},)"
      R"("ConnectionPasswordEncryption":{"ReturnConnectionPasswordEncrypted":false}}})");
  Ok("PutDataCatalogEncryptionSettings",
     R"({"DataCatalogEncryptionSettings":{"EncryptionAtRest":{"CatalogEncryptionMode":"SSE-KMS","SseAwsKmsKeyId":"k"}}})");
  Ok("PutDataCatalogEncryptionSettings",
     R"({"DataCatalogEncryptionSettings":{"ConnectionPasswordEncryption":{"ReturnConnectionPasswordEncrypted":true,"AwsKmsKeyId":"l"}}})");
  EXPECT_EQ(
      Ok("GetDataCatalogEncryptionSettings", "{}"),
      R"({"DataCatalogEncryptionSettings":{"EncryptionAtRest":{"CatalogEncryptionMode":"SSE-KMS","SseAwsKmsKeyId":"k"},)"
      R"("ConnectionPasswordEncryption":{"ReturnConnectionPasswordEncrypted":true,"AwsKmsKeyId":"l"}}})");
  EXPECT_NE(
      Ok("GetDataCatalogEncryptionSettings", R"({"CatalogId":"222222222222"})").find("DISABLED"),
      std::string::npos);
  EXPECT_EQ(Code("PutDataCatalogEncryptionSettings", "{}"), "ValidationException");
  EXPECT_EQ(
      Code(
          "PutDataCatalogEncryptionSettings",
          R"({"DataCatalogEncryptionSettings":{"EncryptionAtRest":{"CatalogEncryptionMode":"ROT13"}}})"),
      "ValidationException");
  EXPECT_EQ(
      Code(
          "PutDataCatalogEncryptionSettings",
          R"({"DataCatalogEncryptionSettings":{"ConnectionPasswordEncryption":{"ReturnConnectionPasswordEncrypted":true}}})"),
      "InvalidInputException");
}

}  // namespace
}  // namespace gluecat::store
