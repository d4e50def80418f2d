#include "core/aws/region.h"

#include <gtest/gtest.h>

#include "core/base/environment.h"

namespace gluecat::aws {
namespace {

TEST(Region, FirstOneSetWins) {
  FixedEnvironment environment;
  environment.variables["HOME"] = "/h";
  environment.files["/h/.aws/config"] =
      "[default]\nregion = eu-west-1\n[profile o]\nregion=eu-west-2\n";
  EXPECT_EQ(ResolveRegion({}, environment), "eu-west-1");
  environment.variables["AWS_PROFILE"] = "o";
  EXPECT_EQ(ResolveRegion({}, environment), "eu-west-2");
  environment.variables["AWS_DEFAULT_REGION"] = "eu-west-3";
  EXPECT_EQ(ResolveRegion({}, environment), "eu-west-3");
  environment.variables["AWS_REGION"] = "eu-north-1";
  EXPECT_EQ(ResolveRegion({}, environment), "eu-north-1");
  environment.system_properties["aws.region"] = "eu-south-1";
  EXPECT_EQ(ResolveRegion({}, environment), "eu-south-1");
  EXPECT_EQ(ResolveRegion("  ", environment), "eu-south-1");
  EXPECT_EQ(ResolveRegion(" eu-central-1 ", environment), "eu-central-1");
}

TEST(Region, NoneSetSaysWhereItWasLookedFor) {
  const auto region = ResolveRegion({}, FixedEnvironment());
  ASSERT_FALSE(region);
  EXPECT_EQ(region.error().kind, ErrorKind::kNotFound);
  for (const char* place : {"client.region", "aws.region", "AWS_REGION", "profile 'default'"}) {
    EXPECT_NE(region.error().message.find(place), std::string::npos) << place;
  }
}

TEST(Region, WhatIsNoRegionIsRefusedWithItsOrigin) {
  FixedEnvironment environment;
  environment.variables["AWS_REGION"] = "evil.example/";
  const auto region = ResolveRegion({}, environment);
  ASSERT_FALSE(region);
  EXPECT_NE(region.error().message.find("AWS_REGION"), std::string::npos);
  EXPECT_FALSE(ResolveRegion("EU-WEST-1", environment));
}

TEST(Region, ABrokenConfigFileIsAnError) {
  FixedEnvironment environment;
  environment.variables["HOME"] = "/h";
  environment.files["/h/.aws/config"] = "[default";
  EXPECT_EQ(ResolveRegion({}, environment).error().kind, ErrorKind::kInvalidData);
}

}  // namespace
}  // namespace gluecat::aws
