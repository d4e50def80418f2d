#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class FunctionsTest : public StoreTest {
 protected:
  FunctionsTest() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"e"}})");
  }
};

TEST_F(FunctionsTest, CreateGetUpdateDelete) {
  Ok("CreateUserDefinedFunction",
     R"({"DatabaseName":"d","FunctionInput":{"FunctionName":"F","ClassName":"x.Y","ResourceUris":[{"ResourceType":"JAR","Uri":"s3://j"}]}})");
  EXPECT_EQ(
      Ok("GetUserDefinedFunction", R"({"DatabaseName":"d","FunctionName":"f"})"),
      R"({"UserDefinedFunction":{"FunctionName":"f","DatabaseName":"d","CreateTime":1700000000.250,"CatalogId":"111111111111",)"
      R"("FunctionType":"REGULAR_FUNCTION","ClassName":"x.Y","ResourceUris":[{"ResourceType":"JAR","Uri":"s3://j"}]}})");
  EXPECT_EQ(Code("CreateUserDefinedFunction",
                 R"({"DatabaseName":"d","FunctionInput":{"FunctionName":"f"}})"),
            "AlreadyExistsException");
  Ok("UpdateUserDefinedFunction",
     R"({"DatabaseName":"d","FunctionName":"f","FunctionInput":{"FunctionName":"f","ClassName":"x.Z"}})");
  EXPECT_NE(Ok("GetUserDefinedFunction", R"({"DatabaseName":"d","FunctionName":"f"})").find("x.Z"),
            std::string::npos);
  EXPECT_EQ(Code("UpdateUserDefinedFunction",
                 R"({"DatabaseName":"d","FunctionName":"f","FunctionInput":{"FunctionName":"g"}})"),
            "InvalidInputException");
  Ok("DeleteUserDefinedFunction", R"({"DatabaseName":"d","FunctionName":"f"})");
  for (const auto* operation : {"GetUserDefinedFunction", "DeleteUserDefinedFunction"}) {
    EXPECT_EQ(Code(operation, R"({"DatabaseName":"d","FunctionName":"f"})"),
              "EntityNotFoundException");
  }
  EXPECT_EQ(Code("CreateUserDefinedFunction",
                 R"({"DatabaseName":"x","FunctionInput":{"FunctionName":"f"}})"),
            "EntityNotFoundException");
  EXPECT_EQ(
      Code(
          "CreateUserDefinedFunction",
          R"({"DatabaseName":"d","FunctionInput":{"FunctionName":"f","ResourceUris":[{"ResourceType":"EXE"}]}})"),
      "ValidationException");
}

TEST_F(FunctionsTest, ListsByPatternTypeAndPage) {
  for (const auto* name : {"a", "ab", "b"}) {
    Ok("CreateUserDefinedFunction",
       R"({"DatabaseName":"d","FunctionInput":{"FunctionName":")" + std::string(name) + R"("}})");
  }
  Ok("CreateUserDefinedFunction",
     R"({"DatabaseName":"e","FunctionInput":{"FunctionName":"a","FunctionType":"AGGREGATE_FUNCTION"}})");
  const auto names = [&](std::string_view body) {
    return Texts(Ok("GetUserDefinedFunctions", body), "UserDefinedFunctions", "FunctionName");
  };
  EXPECT_EQ(names(R"({"DatabaseName":"d","Pattern":"a.*"})"),
            (std::vector<std::string>{"a", "ab"}));
  EXPECT_EQ(names(R"({"Pattern":"a"})"), (std::vector<std::string>{"a", "a"}));
  EXPECT_EQ(names(R"({"Pattern":".*","FunctionType":"AGGREGATE_FUNCTION"})"),
            std::vector<std::string>{"a"});
  EXPECT_EQ(Code("GetUserDefinedFunctions", R"({"DatabaseName":"d"})"), "ValidationException");
  std::size_t count = 0;
  std::string token;
  do {
    const auto answer = Ok("GetUserDefinedFunctions",
                           R"({"Pattern":".*","MaxResults":1,"NextToken":")" + token + R"("})");
    count += Texts(answer, "UserDefinedFunctions", "FunctionName").size();
    token = Token(answer);
  } while (!token.empty());
  EXPECT_EQ(count, 4U);
}

}  // namespace
}  // namespace gluecat::store
