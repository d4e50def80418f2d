#include "core/aws/profile.h"

#include <string>

#include <gtest/gtest.h>

#include "core/aws/vectors_testing.h"
#include "core/base/environment.h"
#include "core/base/json.h"

namespace gluecat::aws {
namespace {

std::map<std::string, ProfileProperties, std::less<>> SectionsOf(JsonView object) {
  std::map<std::string, ProfileProperties, std::less<>> result;
  for (const auto& [name, properties] : object.Members()) {
    auto& target = result[std::string(name)];
    for (const auto& [key, value] : properties.Members()) {
      target[std::string(key)] = value.StringOr("");
    }
  }
  return result;
}

TEST(ProfileVectors, EveryFileIsParsedAsAwsDoesIt) {
  const auto document = ReadAwsJsonVector("profile/profile-parser-tests.json");
  ASSERT_TRUE(document);
  int cases = 0;
  for (const auto& test : document->root()["tests"].Elements()) {
    SCOPED_TRACE(test["name"].StringOr(""));
    ++cases;
    const auto result = ParseProfiles(test["input"]["configFile"].StringOr(""),
                                      test["input"]["credentialsFile"].StringOr(""));
    const auto message = test["output"]["errorContaining"].AsString();
    if (message) {
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error().kind, ErrorKind::kInvalidData);
      EXPECT_NE(result.error().message.find(*message), std::string::npos) << result.error().message;
      continue;
    }
    ASSERT_TRUE(result) << result.error().message;
    const auto expected = test["output"]["config"];
    EXPECT_EQ(result->profiles, SectionsOf(expected["profiles"]));
    EXPECT_EQ(result->sso_sessions, SectionsOf(expected["sso_sessions"]));
  }
  EXPECT_EQ(cases, 65);
}

TEST(ProfileVectors, FilesAreWhereAwsLooksForThem) {
  const auto document = ReadAwsJsonVector("profile/file-location-tests.json");
  ASSERT_TRUE(document);
  int cases = 0, not_windows = 0;
  for (const auto& test : document->root()["tests"].Elements()) {
    SCOPED_TRACE(test["name"].StringOr(""));
    ++cases;
    if (test["platform"].StringOr("") == "windows") continue;
    ++not_windows;
    FixedEnvironment environment;
    for (const auto& [name, value] : test["environment"].Members()) {
      environment.variables[std::string(name)] = value.StringOr("");
    }
    EXPECT_EQ(ConfigFilePath(environment), test["configLocation"].StringOr(""));
    EXPECT_EQ(CredentialsFilePath(environment), test["credentialsLocation"].StringOr(""));
    if (const auto profile = test["profile"].AsString()) {
      EXPECT_EQ(ChooseProfile(environment).name, *profile);
    }
  }
  EXPECT_EQ(cases, 9);
  EXPECT_EQ(not_windows, 4);
}

TEST(Profile, SystemPropertiesComeBeforeTheEnvironment) {
  FixedEnvironment environment;
  environment.variables = {{"HOME", "/home/a"},
                           {"AWS_CONFIG_FILE", "/env/config"},
                           {"AWS_SHARED_CREDENTIALS_FILE", "~/own/credentials"},
                           {"AWS_PROFILE", "from-env"}};
  EXPECT_EQ(CredentialsFilePath(environment), "/home/a/own/credentials");
  environment.system_properties = {{"aws.configFile", "/jvm/config"},
                                   {"aws.sharedCredentialsFile", "/jvm/credentials"},
                                   {"aws.profile", "from-jvm"}};
  EXPECT_EQ(ConfigFilePath(environment), "/jvm/config");
  EXPECT_EQ(CredentialsFilePath(environment), "/jvm/credentials");
  EXPECT_EQ(ChooseProfile(environment).name, "from-jvm");
  EXPECT_TRUE(ChooseProfile(environment).explicitly_named);
}

TEST(Profile, MissingFilesAreEmpty) {
  FixedEnvironment environment;
  EXPECT_EQ(LoadProfiles(environment), ProfileSet());  // no HOME either
  environment.variables["HOME"] = "/home/a";
  EXPECT_EQ(LoadProfiles(environment), ProfileSet());
  environment.files["/home/a/.aws/credentials"] = "[default]\naws_access_key_id = A\n";
  const auto profiles = LoadProfiles(environment);
  ASSERT_TRUE(profiles);
  EXPECT_EQ(profiles->Find("default", "aws_access_key_id"), "A");
  EXPECT_EQ(profiles->Find("default", "other"), std::nullopt);
  EXPECT_EQ(profiles->Find("other", "aws_access_key_id"), std::nullopt);
}

TEST(Profile, ErrorsNameFileAndLineButNoValue) {
  const auto result = ParseProfiles("", "[default]\naws_secret_access_key SECRET\n");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("line 2 of the credentials file"), std::string::npos);
  EXPECT_EQ(result.error().message.find("SECRET"), std::string::npos);
}

TEST(Profile, ByteOrderMarksAndNulsDoNotCrash) {
  EXPECT_FALSE(ParseProfiles("\xEF\xBB\xBF[default]\n", ""));
  EXPECT_TRUE(ParseProfiles(std::string_view("[default]\na = \0\n", 16), ""));
}

}  // namespace
}  // namespace gluecat::aws
