#include "store/store_testing.h"

namespace gluecat::store {
namespace {

constexpr std::string_view kArn = "arn:aws:glue:eu-central-1:111111111111:";

class TagsTest : public StoreTest {
 protected:
  TagsTest() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"},"Tags":{"made":"yes"}})");
    MakeTable();
    Ok("CreateConnection",
       R"({"ConnectionInput":{"Name":"C","ConnectionType":"NETWORK","ConnectionProperties":{}},"Tags":{"a":""}})");
  }

  static std::string On(std::string_view path, std::string_view more = "") {
    return R"({"ResourceArn":")" + std::string(kArn) + std::string(path) + "\"" +
           std::string(more) + "}";
  }
  std::string Tags(std::string_view path) { return Ok("GetTags", On(path)); }
  static std::string Many(int from, int to) {
    std::string out = R"(,"TagsToAdd":{)";
    for (int i = from; i < to; ++i) {
      out += (i == from ? "\"k" : ",\"k") + std::to_string(i) + R"(":"v")";
    }
    return out + "}";
  }
};

TEST_F(TagsTest, OfEveryKindOfResource) {
  EXPECT_EQ(Tags("database/D"), R"({"Tags":{"made":"yes"}})");
  EXPECT_EQ(Tags("connection/C"), R"({"Tags":{"a":""}})");
  for (const auto* path : {"catalog", "database/d", "table/d/T", "connection/C"}) {
    EXPECT_EQ(Ok("TagResource", On(path, R"(,"TagsToAdd":{"x":"1","y":"2"})")), "{}");
    Ok("TagResource", On(path, R"(,"TagsToAdd":{"x":"3"})"));
    EXPECT_EQ(Ok("UntagResource", On(path, R"(,"TagsToRemove":["y","a","made","none"])")), "{}");
    EXPECT_EQ(Tags(path), R"({"Tags":{"x":"3"}})") << path;
  }
}

TEST_F(TagsTest, GoWithTheirResource) {
  Ok("TagResource", On("table/d/t", R"(,"TagsToAdd":{"x":"1"})"));
  Ok("DeleteTable", R"({"DatabaseName":"d","Name":"t"})");
  EXPECT_EQ(Code("GetTags", On("table/d/t")), "EntityNotFoundException");
  MakeTable();
  EXPECT_EQ(Tags("table/d/t"), R"({"Tags":{}})");
  Ok("TagResource", On("table/d/t", R"(,"TagsToAdd":{"x":"1"})"));
  Ok("DeleteDatabase", R"({"Name":"d"})");
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
  EXPECT_EQ(Tags("database/d"), R"({"Tags":{}})");
  Ok("DeleteConnection", R"({"ConnectionName":"C"})");
  EXPECT_EQ(Code("GetTags", On("connection/C")), "EntityNotFoundException");
}

TEST_F(TagsTest, AtMostFifty) {
  EXPECT_EQ(Code("TagResource", On("catalog", Many(0, 51))), "ValidationException");
  Ok("TagResource", On("catalog", Many(0, 50)));
  Ok("TagResource", On("catalog", Many(0, 50)));
  EXPECT_EQ(Code("TagResource", On("catalog", Many(50, 51))), "InvalidInputException");
  EXPECT_EQ(Tags("catalog").find("k50"), std::string::npos);
  Ok("UntagResource", On("catalog", R"(,"TagsToRemove":["k0"])"));
  Ok("TagResource", On("catalog", Many(50, 51)));
}

TEST_F(TagsTest, RefusesWhatIsWrong) {
  EXPECT_EQ(Code("TagResource", On("catalog", R"(,"TagsToAdd":{"aws:x":"1"})")),
            "InvalidInputException");
  EXPECT_EQ(Code("TagResource", On("catalog", R"(,"TagsToAdd":{"":"1"})")), "ValidationException");
  EXPECT_EQ(Code("TagResource", On("catalog")), "ValidationException");
  for (const auto* path : {"database/x", "table/d/x", "table/x/t", "connection/c", "catalog/x"}) {
    EXPECT_EQ(Code("GetTags", On(path)), "EntityNotFoundException") << path;
  }
  EXPECT_EQ(Code("GetTags", On("job/x")), "InvalidInputException");
  for (const auto* arn : {"x", "arn:aws:s3:::bucket", "arn:aws:glue:eu-central-1::catalog",
                          "arn:aws:glue:us-east-1:111111111111:catalog"}) {
    EXPECT_EQ(Code("GetTags", R"({"ResourceArn":")" + std::string(arn) + R"("})"),
              "InvalidInputException");
  }
}

TEST_F(TagsTest, TheArnSaysWhoseTheyAre) {
  Ok("TagResource", On("catalog", R"(,"TagsToAdd":{"x":"1"})"), Account("222222222222"));
  EXPECT_EQ(Tags("catalog"), R"({"Tags":{"x":"1"}})");
  EXPECT_EQ(Ok("GetTags", R"({"ResourceArn":"arn:aws:glue:eu-central-1:222222222222:catalog"})"),
            R"({"Tags":{}})");
}

}  // namespace
}  // namespace gluecat::store
