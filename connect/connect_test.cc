#include "connect/connect.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connect/http_access.h"

namespace gluecat::connect {
namespace {

using testing::HasSubstr;

class ConnectTest : public testing::Test {
 protected:
  ConnectTest() {
    environment_->variables = {{"AWS_ACCESS_KEY_ID", "A"}, {"AWS_SECRET_ACCESS_KEY", "s"}};
  }

  static catalog::Settings SettingsOf(std::map<std::string, std::string> options) {
    catalog::OpenRequest request;
    request.catalog = "acct_a";
    request.options = std::move(options);
    return catalog::ParseSettings(request).value();
  }
  Result<std::shared_ptr<glue::Transport>> ConnectWith(
      std::map<std::string, std::string> options) const {
    return Connect(SettingsOf(std::move(options)), environment_, SystemClock());
  }
  // The region, without an instance that knows one.
  std::string Region(std::map<std::string, std::string> options) const {
    const auto region = RegionOf(SettingsOf(std::move(options)), *environment_, [] {
      return Result<std::string>(Fail(ErrorKind::kNotFound, "nobody answers"));
    });
    return region ? *region : region.error().message;
  }

  std::shared_ptr<FixedEnvironment> environment_ = std::make_shared<FixedEnvironment>();
};

TEST_F(ConnectTest, AHundredCatalogsOfOneConfigurationShareOneTransport) {
  const auto first = ConnectWith({{"client.region", "eu-central-1"}, {"glue.id", "1"}});
  ASSERT_TRUE(first) << first.error().message;
  for (int i = 2; i <= 100; ++i) {
    const auto next =
        ConnectWith({{"client.region", "eu-central-1"}, {"glue.id", std::to_string(i)}});
    EXPECT_EQ(*next, *first);
  }
}

TEST_F(ConnectTest, WhateverMattersToRequestsKeepsTransportsApart) {
  const std::string role = "arn:aws:iam::111111111111:role/";
  std::vector<std::shared_ptr<glue::Transport>> kept;
  std::set<const glue::Transport*> transports;
  const auto add = [&](std::map<std::string, std::string> options) {
    options.emplace("client.region", "eu-central-1");
    auto transport = ConnectWith(options);
    ASSERT_TRUE(transport) << transport.error().message;
    EXPECT_TRUE(transports.insert(transport->get()).second) << options.begin()->first;
    kept.push_back(*std::move(transport));
  };
  add({});
  add({{"client.region", "eu-west-1"}});
  add({{"glue.endpoint", "http://127.0.0.1:1"}});
  add({{"glue.endpoint", "http://127.0.0.1:2"}});
  add({{"glue.max-attempts", "1"}});
  add({{"glue.request-timeout-ms", "1000"}});
  add({{"client.use-fips-endpoint", "true"}});
  add({{"client.use-dualstack-endpoint", "true"}});
  add({{"client.assume-role.arn", role + "a"}});
  add({{"client.assume-role.arn", role + "b"}});
  add({{"client.assume-role.arn", role + "a"}, {"client.assume-role.external-id", "ex"}});
  add({{"client.assume-role.arn", role + "a"}, {"client.assume-role.session-name", "other"}});
  add({{"client.assume-role.arn", role + "a"}, {"client.assume-role.region", "eu-west-1"}});
  add({{"client.assume-role.arn", role + "a"}, {"client.assume-role.timeout-sec", "900"}});
  for (const char* key : {"connection-timeout-ms", "socket-timeout-ms", "max-connections",
                          "connection-acquisition-timeout-ms", "connection-max-idle-time-ms",
                          "connection-time-to-live-ms"}) {
    add({{"http-client.apache." + std::string(key), "7"}});
  }
  add({{"http-client.apache.expect-continue-enabled", "true"}});
  add({{"http-client.apache.tcp-keep-alive-enabled", "true"}});
  add({{"http-client.proxy-endpoint", "http://127.0.0.1:3128"}});
  add({{"http-client.proxy-use-system-property-values", "false"}});
  add({{"http-client.proxy-use-environment-variable-values", "false"}});
  add({{"http-client.ca-bundle", "/etc/other.pem"}});
  environment_->system_properties["aws.accessKeyId"] = "B";
  add({});
}

TEST_F(ConnectTest, TheRegionIsTheFirstThatSomebodySays) {
  const std::string vpc = "https://vpce-0a1b.glue.eu-west-1.vpce.amazonaws.com";
  environment_->variables["AWS_REGION"] = "us-east-1";
  EXPECT_EQ(Region({}), "us-east-1");
  EXPECT_EQ(Region({{"glue.endpoint", "http://127.0.0.1:1"}}), "us-east-1");
  EXPECT_EQ(Region({{"glue.endpoint", vpc}}), "eu-west-1");
  EXPECT_EQ(Region({{"glue.endpoint", vpc}, {"client.region", "eu-west-2"}}), "eu-west-2");
  environment_->variables["AWS_ENDPOINT_URL_GLUE"] = vpc;
  EXPECT_EQ(Region({}), "eu-west-1");
}

TEST_F(ConnectTest, OnlyWhereNobodySaysItTheInstanceIsAsked) {
  const auto settings = SettingsOf({});
  EXPECT_EQ(RegionOf(settings, *environment_, [] { return Result<std::string>("eu-north-1"); }),
            "eu-north-1");
  EXPECT_THAT(Region({}), HasSubstr("no AWS region is set"));
  EXPECT_THAT(Region({}), HasSubstr("nobody answers"));
  const auto never = []() -> Result<std::string> {
    ADD_FAILURE() << "the instance was asked";
    return "asked";
  };
  EXPECT_EQ(RegionOf(SettingsOf({{"glue.endpoint", "local:/tmp/x"}}), *environment_, never),
            "us-east-1");
  environment_->variables["AWS_REGION"] = "evil/";
  EXPECT_FALSE(RegionOf(settings, *environment_, never));
}

TEST_F(ConnectTest, WithoutARegionItSaysWhichOptionToSet) {
  environment_->variables["AWS_EC2_METADATA_DISABLED"] = "true";
  const auto transport = ConnectWith({});
  ASSERT_FALSE(transport);
  EXPECT_EQ(transport.error().kind, ErrorKind::kInvalidArgument);
  for (const char* part : {"catalog 'acct_a'", "AWS_EC2_METADATA_DISABLED is true",
                           "set spark.sql.catalog.acct_a.client.region"}) {
    EXPECT_THAT(transport.error().message, HasSubstr(part));
  }
}

TEST_F(ConnectTest, EndpointsOfEveryPartitionAndVariant) {
  const auto url = [&](const std::map<std::string, std::string>& options) {
    const auto settings = SettingsOf(options);
    const auto endpoint = GlueEndpoint(settings, *settings.region, *environment_);
    return endpoint ? endpoint->Url() : endpoint.error().message;
  };
  EXPECT_EQ(url({{"client.region", "cn-north-1"}}), "https://glue.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(url({{"client.region", "us-gov-west-1"}, {"client.use-fips-endpoint", "true"}}),
            "https://glue-fips.us-gov-west-1.amazonaws.com");
  EXPECT_EQ(url({{"client.region", "us-iso-east-1"}}), "https://glue.us-iso-east-1.c2s.ic.gov");
  environment_->variables["AWS_USE_DUALSTACK_ENDPOINT"] = "true";
  EXPECT_EQ(url({{"client.region", "eu-central-1"}}), "https://glue.eu-central-1.api.aws");
  EXPECT_EQ(url({{"client.region", "eu-central-1"}, {"client.use-dualstack-endpoint", "false"}}),
            "https://glue.eu-central-1.amazonaws.com");
  EXPECT_THAT(url({{"client.region", "eu-central-1"}, {"glue.endpoint", "http://127.0.0.1:1"}}),
              HasSubstr("client.use-dualstack-endpoint"));
}

}  // namespace
}  // namespace gluecat::connect
