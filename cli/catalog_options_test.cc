#include "cli/catalog_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/catalog_access.h"
#include "core/aws/fakes_testing.h"

namespace gluecat::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

TEST(CatalogOptionsTest, TheCommandLineBecomesOptions) {
  CLI::App app;
  CatalogOptions options;
  std::string object;
  app.add_option("object", object);
  AddCatalogOptions(app, options);
  app.parse("--region eu-central-1 --conf glue.id=1 --conf glue.skip-archive=false sales --json");
  EXPECT_EQ(object, "sales");
  EXPECT_TRUE(options.json);
  const auto request = ToOpenRequest(options);
  ASSERT_TRUE(request);
  EXPECT_THAT(request->options,
              ElementsAre(Pair("client.region", "eu-central-1"), Pair("glue.id", "1"),
                          Pair("glue.skip-archive", "false")));
}

TEST(CatalogOptionsTest, KeysMayBeThoseOfASparkConfiguration) {
  CatalogOptions options;
  options.conf = {"spark.sql.catalog.acct_a.Glue.Id=1", "hadoop.fs.S=x=y", "glue.id=2"};
  const auto request = ToOpenRequest(options);
  ASSERT_TRUE(request);
  EXPECT_THAT(request->options, ElementsAre(Pair("glue.id", "2"), Pair("hadoop.fs.S", "x=y")));
}

TEST(CatalogOptionsTest, WhatCannotBeUnderstoodIsRefusedWithoutRepeatingIt) {
  CatalogOptions options;
  options.conf = {"my-secret"};
  const auto request = ToOpenRequest(options);
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().kind, ErrorKind::kInvalidArgument);
  EXPECT_THAT(request.error().message, Not(HasSubstr("my-secret")));
}

TEST(CatalogOptionsTest, TwoDifferentWordsAreRefused) {
  CatalogOptions options;
  options.region = "eu-central-1";
  options.conf = {"client.region=eu-central-1"};
  EXPECT_TRUE(ToOpenRequest(options));
  options.conf = {"client.region=us-east-1"};
  const auto request = ToOpenRequest(options);
  ASSERT_FALSE(request);
  EXPECT_THAT(request.error().message, HasSubstr("--region"));
}

TEST(CatalogOptionsTest, ACommandMayKnowTwoCatalogs) {
  CLI::App app;
  CatalogOptions common;
  CatalogOptions source;
  AddCatalogOptions(app, common);
  AddCatalogOptionsOf("source", app, source);
  app.parse("--region eu-central-1 --glue-id 1 --conf a=b --source-glue-id 2 --source-conf c=d");
  source = Completed(source, common);
  auto request = ToOpenRequest(source);
  ASSERT_TRUE(request);
  EXPECT_THAT(request->options,
              ElementsAre(Pair("a", "b"), Pair("c", "d"), Pair("client.region", "eu-central-1"),
                          Pair("glue.id", "2")));
  source.conf = {"glue.id=3"};
  request = ToOpenRequest(source);
  ASSERT_FALSE(request);
  EXPECT_THAT(request.error().message, HasSubstr("--source-glue-id and --source-conf glue.id"));
  source.conf = {"nonsense"};
  request = ToOpenRequest(source);
  ASSERT_FALSE(request);
  EXPECT_THAT(request.error().message, HasSubstr("--source-conf takes KEY=VALUE"));
}

class OpenCatalogTest : public testing::Test {
 protected:
  Result<CatalogAccess> Open() {
    return OpenCatalog(options_, MissingDirectory::kIsAnError, environment_,
                       std::make_shared<aws::FakeClock>());
  }
  CatalogOptions options_;
  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
};

TEST_F(OpenCatalogTest, TheLabelSaysWhichCatalogAndWhere) {
  options_.region = "eu-central-1";
  auto access = Open();
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->label, "https://glue.eu-central-1.amazonaws.com");
  options_.glue_id = "111111111111";
  environment_->variables["AWS_ENDPOINT_URL_GLUE"] = "http://127.0.0.1:4566";
  access = Open();
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->label, "111111111111 at http://127.0.0.1:4566");
}

TEST_F(OpenCatalogTest, WithoutARegionItSaysWhichOptionToGive) {
  environment_->variables["AWS_EC2_METADATA_DISABLED"] = "true";
  const auto access = Open();
  ASSERT_FALSE(access);
  EXPECT_EQ(access.error().kind, ErrorKind::kInvalidArgument);
  EXPECT_THAT(access.error().message, HasSubstr("give --region"));
}

TEST_F(OpenCatalogTest, LookingIntoADirectoryDoesNotMakeIt) {
  options_.endpoint = "local:/nonexistent/catalog";
  const auto access = Open();
  ASSERT_FALSE(access);
  EXPECT_EQ(access.error().kind, ErrorKind::kInvalidArgument);
  EXPECT_THAT(access.error().message, HasSubstr("/nonexistent/catalog"));
}

TEST_F(OpenCatalogTest, BadOptionsAreRefused) {
  options_.endpoint = "nonsense";
  const auto access = Open();
  ASSERT_FALSE(access);
  EXPECT_THAT(access.error().message, HasSubstr("glue.endpoint"));
}

TEST(CatalogOptionsTest, AJavaClassIsForSparkOnly) {
  CatalogOptions options;
  options.conf = {"client.credentials-provider=com.example.Provider"};
  const auto settings = SettingsOf(options);
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().kind, ErrorKind::kUnsupported);
  EXPECT_THAT(settings.error().message, HasSubstr("com.example.Provider"));
  options.endpoint = "local:/tmp/glue";
  EXPECT_TRUE(SettingsOf(options));
}

}  // namespace
}  // namespace gluecat::cli
