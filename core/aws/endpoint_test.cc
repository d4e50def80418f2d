#include "core/aws/endpoint.h"

#include <gtest/gtest.h>

#include "core/aws/vectors_testing.h"
#include "core/base/environment.h"
#include "core/base/json.h"

namespace gluecat::aws {
namespace {

std::optional<std::string> OptionalString(JsonView value) {
  const auto text = value.AsString();
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

void CheckVectors(const std::string& service, int expected_cases) {
  const auto document = ReadAwsJsonVector("endpoints/" + service + ".json");
  ASSERT_TRUE(document);
  int cases = 0;
  for (const auto& test : document->root()["testCases"].Elements()) {
    SCOPED_TRACE(test["documentation"].StringOr(""));
    const JsonView params = test["params"];
    // STS's old global endpoint: regional ones are what we use.
    if (params["UseGlobalEndpoint"].BoolOr(false)) continue;
    if (params["Region"].StringOr("") == "aws-global") continue;
    ++cases;
    const FixedEnvironment environment;
    const auto endpoint =
        ResolveEndpoint(service, params["Region"].StringOr(""), OptionalString(params["Endpoint"]),
                        {.fips = params["UseFIPS"].BoolOr(false),
                         .dual_stack = params["UseDualStack"].BoolOr(false)},
                        environment);
    if (const auto error = test["expect"]["error"].AsString()) {
      ASSERT_FALSE(endpoint);
      EXPECT_EQ(endpoint.error().message, *error);
      continue;
    }
    ASSERT_TRUE(endpoint) << endpoint.error().message;
    EXPECT_EQ(endpoint->Url(), test["expect"]["endpoint"]["url"].StringOr(""));
  }
  EXPECT_EQ(cases, expected_cases);
}

TEST(EndpointVectors, Glue) { CheckVectors("glue", 47); }
TEST(EndpointVectors, Sts) { CheckVectors("sts", 50); }

TEST(ServiceEndpoint, KnowsPartitionsWithoutVectors) {
  EXPECT_EQ(ServiceEndpoint("glue", "eusc-de-east-1")->host, "glue.eusc-de-east-1.amazonaws.eu");
  EXPECT_EQ(ServiceEndpoint("glue", "eu-isoe-west-1")->host, "glue.eu-isoe-west-1.cloud.adc-e.uk");
  EXPECT_EQ(ServiceEndpoint("glue", "us-isof-south-1", {.dual_stack = true})->host,
            "glue.us-isof-south-1.api.aws.hci.ic.gov");
  EXPECT_EQ(ServiceEndpoint("glue", "xx-new-9")->host, "glue.xx-new-9.amazonaws.com");
}

TEST(ServiceEndpoint, RegionsCannotEscapeTheHostName) {
  for (const char* region : {"evil.example/", "a b", "us-east-1.evil.example", "-a", "É"}) {
    EXPECT_FALSE(ServiceEndpoint("glue", region)) << region;
  }
}

TEST(ParseEndpoint, TakesSchemeHostPortAndPrefix) {
  const auto full = ParseEndpoint(" HTTP://Localhost:4566/glue/v1/ ");
  ASSERT_TRUE(full);
  EXPECT_EQ(*full, (Endpoint{"http", "localhost", 4566, "/glue/v1"}));
  EXPECT_EQ(full->HostHeader(), "localhost:4566");
  EXPECT_EQ(full->Url(), "http://localhost:4566/glue/v1");

  const auto plain = ParseEndpoint("https://glue.example.com:443/");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->HostHeader(), "glue.example.com");
  EXPECT_EQ(plain->Authority(), "glue.example.com:443");
  EXPECT_EQ(plain->path, "");

  EXPECT_EQ(ParseEndpoint("http://[::1]:80")->HostHeader(), "[::1]");
  EXPECT_EQ(ParseEndpoint("http://[::1]")->port, 80);
}

TEST(ParseEndpoint, RefusesWhatIsNotAnEndpoint) {
  for (const char* url :
       {"", "localhost:4566", "127.0.0.1", "ftp://a", "http://", "http://:80", "http://a:0",
        "http://a:65536", "http://a:port", "http://a:", "http://a b", "http://a/\r\nX: y",
        "http://a/?q", "http://a#f", "http://[::1", "http://a\x01", "local:/tmp/x"}) {
    const auto endpoint = ParseEndpoint(url);
    ASSERT_FALSE(endpoint) << url;
    EXPECT_EQ(endpoint.error().kind, ErrorKind::kInvalidArgument);
  }
}

TEST(ParseEndpoint, DoesNotShowPasswords) {
  const auto endpoint = ParseEndpoint("http://user:hunter2@host");
  ASSERT_FALSE(endpoint);
  EXPECT_EQ(endpoint.error().message.find("hunter2"), std::string::npos);
}

TEST(ResolveEndpoint, OptionThenServiceVariableThenGeneralOne) {
  FixedEnvironment environment;
  const auto resolve = [&](const std::string& service,
                           const std::optional<std::string>& option = std::nullopt) {
    return ResolveEndpoint(service, "us-east-1", option, {}, environment)->Url();
  };
  environment.variables["AWS_ENDPOINT_URL"] = "http://127.0.0.1:5000/base";
  EXPECT_EQ(resolve("sts"), "http://127.0.0.1:5000/base");
  environment.variables["AWS_ENDPOINT_URL_STS"] = "http://127.0.0.1:6000";
  EXPECT_EQ(resolve("sts"), "http://127.0.0.1:6000");
  EXPECT_EQ(resolve("glue"), "http://127.0.0.1:5000/base");
  EXPECT_EQ(resolve("sts", "http://127.0.0.1:7000"), "http://127.0.0.1:7000");
  environment.variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "True";
  EXPECT_EQ(resolve("sts"), "https://sts.us-east-1.amazonaws.com");
  EXPECT_EQ(resolve("sts", "http://127.0.0.1:7000"), "http://127.0.0.1:7000");
}

TEST(EndpointVariantsTest, OptionThenPropertyThenVariableThenProfile) {
  FixedEnvironment environment;
  const auto fips = [&](std::optional<bool> option = std::nullopt) {
    return ResolveEndpointVariants(option, false, environment)->fips;
  };
  EXPECT_FALSE(fips());
  environment.variables["HOME"] = "/h";
  environment.files["/h/.aws/config"] =
      "[default]\nuse_fips_endpoint = true\nuse_dualstack_endpoint = TRUE\n";
  EXPECT_TRUE(fips());
  EXPECT_TRUE(ResolveEndpointVariants({}, {}, environment)->dual_stack);
  environment.variables["AWS_USE_FIPS_ENDPOINT"] = "False";
  EXPECT_FALSE(fips());
  environment.system_properties["aws.useFipsEndpoint"] = "true";
  EXPECT_TRUE(fips());
  EXPECT_FALSE(fips(false));
  environment.variables["AWS_USE_DUALSTACK_ENDPOINT"] = "yes";
  const auto bad = ResolveEndpointVariants({}, {}, environment);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message, "AWS_USE_DUALSTACK_ENDPOINT is 'yes'; allowed is true or false");
  environment.variables.erase("AWS_USE_DUALSTACK_ENDPOINT");
  environment.files["/h/.aws/config"] = "[default";
  EXPECT_EQ(ResolveEndpointVariants({}, {}, environment).error().kind, ErrorKind::kInvalidData);
  EXPECT_TRUE(ResolveEndpointVariants(true, true, environment)) << "the profile is not asked";
}

TEST(RegionOfHostTest, KnowsWhatAwsCallsItsEndpoints) {
  for (const char* region : {"eu-central-1", "us-gov-west-1", "cn-north-1", "us-iso-east-1",
                             "us-isob-east-1", "eu-isoe-west-1", "eusc-de-east-1"}) {
    for (const bool fips : {false, true}) {
      for (const bool dual_stack : {false, true}) {
        const auto endpoint =
            ServiceEndpoint("glue", region, {.fips = fips, .dual_stack = dual_stack});
        EXPECT_EQ(RegionOfHost(endpoint->host), region) << endpoint->host;
      }
    }
  }
  EXPECT_EQ(RegionOfHost("vpce-0a1b-2c3d.glue.eu-west-1.vpce.amazonaws.com"), "eu-west-1");
  EXPECT_EQ(RegionOfHost("vpce-0a1b-2c3d-us-gov-west-1a.glue.us-gov-west-1.vpce.amazonaws.com"),
            "us-gov-west-1");
  EXPECT_EQ(RegionOfHost("vpce-0a1b.glue.cn-north-1.vpce.amazonaws.com.cn"), "cn-north-1");
  for (const char* host :
       {"", "127.0.0.1", "localhost", "glue.example.com", "amazonaws.com", "sts.amazonaws.com",
        "glue.eu-west-1.amazonaws.com.example.com", "glue.eu-west-1.evilamazonaws.com"}) {
    EXPECT_EQ(RegionOfHost(host), std::nullopt) << host;
  }
}

}  // namespace
}  // namespace gluecat::aws
