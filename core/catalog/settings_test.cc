#include "core/catalog/settings.h"

#include <string>

#include <gtest/gtest.h>

namespace gluecat::catalog {
namespace {

using Options = std::map<std::string, std::string>;

Result<Settings> Parse(Options options, std::map<std::string, std::string> hadoop = {}) {
  OpenRequest request;
  request.catalog = "acct_a";
  request.options = std::move(options);
  request.hadoop = std::move(hadoop);
  return ParseSettings(request);
}

std::string Refusal(Options options) {
  const auto settings = Parse(std::move(options));
  EXPECT_FALSE(settings);
  return settings ? "" : settings.error().message;
}

TEST(Settings, HaveTheDocumentedDefaults) {
  const auto settings = Parse({});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->glue_id, std::nullopt);
  EXPECT_TRUE(settings->skip_archive);
  EXPECT_EQ(settings->assume_role, std::nullopt);
  EXPECT_EQ(settings->warehouse, std::nullopt);
  EXPECT_EQ(settings->default_namespace, "default");
  EXPECT_FALSE(settings->purge_enabled);
  EXPECT_TRUE(settings->warnings.empty());
}

TEST(Settings, PurgingIsAskedForByName) {
  EXPECT_TRUE(Parse({{"purge.enabled", "TRUE"}})->purge_enabled);
  EXPECT_NE(Refusal({{"purge.enabled", "yes"}}).find("true or false"), std::string::npos);
}

TEST(Settings, BlankValuesCountAsNotSet) {
  const auto settings = Parse({{"glue.id", "  "}, {"warehouse", ""}, {"glue.skip-archive", " "}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->glue_id, std::nullopt);
  EXPECT_EQ(settings->warehouse, std::nullopt);
  EXPECT_TRUE(settings->skip_archive);
}

TEST(Settings, KeysAreMatchedWithoutCaseAndCatalogIdsAreVerbatim) {
  const auto settings =
      Parse({{"Glue.ID", "222222222222:s3tablescatalog/b"}, {"CLIENT.region", "eu-central-1"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->glue_id, "222222222222:s3tablescatalog/b");
  EXPECT_EQ(settings->region, "eu-central-1");
}

TEST(Settings, BadValuesNameCatalogKeyValueAndWhatIsAllowed) {
  const std::string message = Refusal({{"client.assume-role.arn", "arn:aws:iam::1:role/a"},
                                       {"client.assume-role.timeout-sec", "-5"}});
  for (const char* part : {"acct_a", "client.assume-role.timeout-sec", "-5", "from 900 to 43200"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  EXPECT_NE(Refusal({{"glue.skip-archive", "maybe"}}).find("true or false"), std::string::npos);
  EXPECT_NE(Refusal({{"glue.endpoint", "ftp://x"}}).find("local:<directory>"), std::string::npos);
  EXPECT_NE(Refusal({{"glue.endpoint", "local:"}}).find("local:<directory>"), std::string::npos);
  EXPECT_NE(Refusal({{"client.assume-role.arn", "role"}}).find("role ARN"), std::string::npos);
  EXPECT_NE(Refusal({{"http-client.type", "netty"}}).find("urlconnection"), std::string::npos);
  EXPECT_NE(Refusal({{"http-client.apache.max-connections", "0"}}).find("from 1 to"),
            std::string::npos);
}

TEST(Settings, APasswordInAUrlIsNotShown) {
  const std::string message = Refusal({{"glue.endpoint", "ftp://me:hunter2@host"}});
  EXPECT_NE(message.find("glue.endpoint"), std::string::npos) << message;
  EXPECT_EQ(message.find("hunter2"), std::string::npos) << message;
}

TEST(Settings, UnknownKeysOfOursWarnWithTheNearestKey) {
  const auto settings = Parse({{"glue.idd", "1"}, {"client.regon", "x"}, {"delta.option", "y"}});
  ASSERT_TRUE(settings);
  ASSERT_EQ(settings->warnings.size(), 2U);
  EXPECT_NE(settings->warnings[0].find("'client.region'"), std::string::npos);
  EXPECT_NE(settings->warnings[1].find("'glue.id'"), std::string::npos);
}

TEST(Settings, KeysOfBothHttpClientTypesNeedATypeAndTheOtherTypeWarns) {
  const Options both = {{"http-client.apache.socket-timeout-ms", "1000"},
                        {"http-client.urlconnection.socket-timeout-ms", "2000"}};
  EXPECT_NE(Refusal(both).find("http-client.type"), std::string::npos);
  Options chosen = both;
  chosen["http-client.type"] = "urlconnection";
  const auto settings = Parse(chosen);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->http.socket_timeout_ms, 2000);
  EXPECT_EQ(settings->warnings.size(), 1U);
  // Without a type the one that has keys is meant; proxy keys go with either.
  const auto inferred = Parse({{"http-client.urlconnection.socket-timeout-ms", "3000"},
                               {"http-client.proxy-endpoint", "http://proxy:3128"}});
  ASSERT_TRUE(inferred);
  EXPECT_EQ(inferred->http.socket_timeout_ms, 3000);
  EXPECT_EQ(inferred->http.proxy_endpoint, "http://proxy:3128");
  EXPECT_TRUE(inferred->warnings.empty());
  // A blank type is none, and a key of the other type is not even looked at.
  const auto ignored = Parse(
      {{"http-client.type", "apache"}, {"http-client.urlconnection.socket-timeout-ms", "soon"}});
  ASSERT_TRUE(ignored);
  EXPECT_EQ(ignored->http.socket_timeout_ms, std::nullopt);
  EXPECT_EQ(ignored->warnings.size(), 1U);
  Options blank = both;
  blank["http-client.type"] = " ";
  EXPECT_NE(Refusal(blank).find("http-client.type"), std::string::npos);
}

TEST(Settings, LocalEndpointsNameADirectory) {
  EXPECT_EQ(Parse({{"glue.endpoint", "local:/tmp/glue"}})->LocalDirectory(), "/tmp/glue");
  EXPECT_EQ(Parse({{"glue.endpoint", "http://127.0.0.1:1"}})->LocalDirectory(), std::nullopt);
}

TEST(Settings, WarehouseLosesTrailingSlashes) {
  EXPECT_EQ(Parse({{"warehouse", "s3://bucket/w//"}})->warehouse, "s3://bucket/w");
}

constexpr char kRole[] = "arn:aws:iam::111111111111:role/glue-access";

TEST(Settings, ARoleDerivesTheS3aKeys) {
  const auto settings = Parse({{"client.assume-role.arn", kRole},
                               {"client.assume-role.external-id", "ext"},
                               {"client.assume-role.timeout-sec", "900"},
                               {"hadoop.fs.s3a.connection.maximum", "100"}},
                              {{"version", "3.4.2"},
                               {"fs.s3a.aws.credentials.provider",
                                "a.First, org.apache.hadoop.fs.s3a.auth."
                                "AssumedRoleCredentialProvider,b.Second"}});
  ASSERT_TRUE(settings);
  const std::map<std::string, std::string> expected = {
      {"fs.s3a.aws.credentials.provider",
       "org.apache.hadoop.fs.s3a.auth.AssumedRoleCredentialProvider"},
      {"fs.s3a.assumed.role.arn", kRole},
      {"fs.s3a.assumed.role.session.name", "gluecat"},
      {"fs.s3a.assumed.role.session.duration", "900s"},
      {"fs.s3a.assumed.role.external.id", "ext"},
      {"fs.s3a.assumed.role.credentials.provider", "a.First,b.Second"},
      {"fs.s3a.connection.maximum", "100"}};
  EXPECT_EQ(settings->hadoop_options, expected);
}

TEST(Settings, ExplicitHadoopKeysWinAndTheProviderKeyOptsOut) {
  const auto pinned =
      Parse({{"client.assume-role.arn", kRole}, {"hadoop.fs.s3a.assumed.role.arn", "other"}},
            {{"version", "3.4.2"}});
  EXPECT_EQ(pinned->hadoop_options.at("fs.s3a.assumed.role.arn"), "other");
  const auto opted_out =
      Parse({{"client.assume-role.arn", kRole}, {"hadoop.fs.s3a.aws.credentials.provider", "mine"}},
            {{"version", "3.4.2"}});
  EXPECT_EQ(opted_out->hadoop_options.size(), 1U);
}

TEST(Settings, OldHadoopWithAnExternalIdDerivesNothingAndWarns) {
  const auto settings =
      Parse({{"client.assume-role.arn", kRole}, {"client.assume-role.external-id", "ext"}},
            {{"version", "3.3.4"}});
  ASSERT_TRUE(settings);
  EXPECT_TRUE(settings->hadoop_options.empty());
  EXPECT_EQ(settings->warnings.size(), 1U);
}

TEST(Settings, OldHadoopAssumesTheRoleThatIsMeantForTheData) {
  const auto settings = Parse({{"client.assume-role.arn", kRole},
                               {"client.assume-role.external-id", "ext"},
                               {"hadoop.fs.s3a.assumed.role.arn", "data-role"}},
                              {{"version", "3.3.4"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->hadoop_options.at("fs.s3a.assumed.role.arn"), "data-role");
  EXPECT_TRUE(settings->hadoop_options.contains("fs.s3a.aws.credentials.provider"));
  EXPECT_FALSE(settings->hadoop_options.contains("fs.s3a.assumed.role.external.id"));
  EXPECT_TRUE(settings->warnings.empty());
}

TEST(Settings, ASessionThatSaysAsWhomS3aCallsStsIsHeard) {
  const auto settings = Parse({{"client.assume-role.arn", kRole}},
                              {{"version", "3.4.2"},
                               {"fs.s3a.aws.credentials.provider", "a.First"},
                               {"fs.s3a.assumed.role.credentials.provider", "b.Second"}});
  ASSERT_TRUE(settings);
  EXPECT_FALSE(settings->hadoop_options.contains("fs.s3a.assumed.role.credentials.provider"));
}

TEST(Settings, AProviderClassGoesBeforeTheRoleAndDerivesNothing) {
  const auto settings = Parse({{"client.credentials-provider", "com.example.Provider"},
                               {"Client.Credentials-Provider.vaultPath", "x/y"},
                               {"client.credentials-provider.blank", " "},
                               {"client.assume-role.arn", kRole}},
                              {{"version", "3.4.2"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->credentials_provider,
            (CredentialsProviderSettings{"com.example.Provider", {{"vaultPath", "x/y"}}}));
  EXPECT_TRUE(settings->hadoop_options.empty());
  ASSERT_EQ(settings->warnings.size(), 1U);
  EXPECT_NE(settings->warnings[0].find("client.assume-role.arn"), std::string::npos);
}

TEST(Settings, OptionsOfAProviderNeedAProvider) {
  const auto settings = Parse({{"client.credentials-provider.key", "secret"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->credentials_provider, std::nullopt);
  ASSERT_EQ(settings->warnings.size(), 1U);
  EXPECT_EQ(settings->warnings[0].find("secret"), std::string::npos);
}

TEST(OpenRequest, IsReadStrictly) {
  EXPECT_TRUE(ParseOpenRequest(R"({"catalog": "a", "options": {"glue.id": "1"}})"));
  for (const char* bad : {"{}", "[]", R"({"catalog": "a", "option": {}})",
                          R"({"catalog": "a", "options": {"x": 1}})", "{"}) {
    EXPECT_FALSE(ParseOpenRequest(bad)) << bad;
  }
}

}  // namespace
}  // namespace gluecat::catalog
