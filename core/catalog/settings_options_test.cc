// Every option, from one table: what it becomes, what it refuses, that blank means
// not set, and that its name is matched without case.
#include <cctype>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text.h"
#include "core/catalog/option_reader.h"
#include "core/catalog/settings.h"

namespace gluecat::catalog {
namespace {

using testing::HasSubstr;

constexpr char kRole[] = "arn:aws:iam::111111111111:role/r";

std::string Shown(const std::string& value) { return value; }
std::string Shown(bool value) { return value ? "true" : "false"; }
std::string Shown(std::int64_t value) { return std::to_string(value); }
template <typename T>
std::string Shown(const std::optional<T>& value) {
  return value ? Shown(*value) : "default";
}

struct Row {
  std::string key;
  std::string by_default;  // as the reader shows it
  std::string value;
  std::vector<std::string> refused;
  std::string allowed;  // what the refusal mentions
  std::function<std::string(const Settings&)> read;
  bool warns = false;  // it is accepted and has no effect
};

#define READ(member) [](const Settings& s) { return Shown(s.member); }
#define READ_ROLE(member) [](const Settings& s) { return Shown(s.assume_role->member); }

void PrintTo(const Row& row, std::ostream* out) { *out << row.key; }

const std::vector<std::string> kNoPositive = {"0", "-1", "1.5", "1s", "2147483648", "x", "0x1"};
const std::vector<std::string> kNoFlag = {"1", "yes", "on", "truee"};
const std::vector<std::string> kNoRegion = {"EU-WEST-1", "evil.example/", "-a", "a b"};

const std::vector<Row>& Rows() {
  static const std::vector<Row>* const rows = new std::vector<Row>{
      {"glue.id",
       "default",
       "222222222222:s3tablescatalog/b",
       {std::string(256, '1')},
       "at most 255",
       READ(glue_id)},
      {"glue.endpoint",
       "default",
       "https://glue.example.com/p",
       {"ftp://x", "host:80", "local:"},
       "local:<directory>",
       READ(endpoint)},
      {"glue.skip-archive", "true", "false", kNoFlag, "true or false", READ(skip_archive)},
      {"glue.max-attempts", "3", "7", {"0", "101", "x"}, "from 1 to 100", READ(max_attempts)},
      {"glue.request-timeout-ms", "default", "60000", kNoPositive, "from 1 to 2147483647",
       READ(request_timeout_ms)},
      {"cache.expiration-interval-ms",
       "0",
       "30000",
       {"-1", "1.5", "1s", "2147483648"},
       "from 0 to 2147483647",
       READ(cache_expiration_ms)},
      {"client.region", "default", "eu-central-1", kNoRegion, "region", READ(region)},
      {"client.use-fips-endpoint", "default", "true", kNoFlag, "true or false", READ(use_fips)},
      {"client.use-dualstack-endpoint", "default", "false", kNoFlag, "true or false",
       READ(use_dual_stack)},
      {"client.credentials-provider",
       "default",
       "com.example.Provider",
       {},
       "",
       [](const Settings& s) {
         return s.credentials_provider ? s.credentials_provider->class_name : "default";
       },
       // Of the role beside it.
       true},
      {"client.assume-role.arn",
       kRole,
       "arn:aws-cn:iam::222222222222:role/path/x",
       {"r", "arn:aws:iam::1:user/x", "arn:aws:s3:::b"},
       "role ARN",
       READ_ROLE(arn)},
      {"client.assume-role.external-id",
       "default",
       "a word",
       {"x", std::string(1225, 'x')},
       "2 to 1224",
       READ_ROLE(external_id)},
      {"client.assume-role.session-name",
       "gluecat",
       "night@ly",
       {"a", "a b", std::string(65, 'a')},
       "2 to 64",
       READ_ROLE(session_name)},
      {"client.assume-role.region", "default", "eu-west-3", kNoRegion, "region", READ_ROLE(region)},
      {"client.assume-role.timeout-sec",
       "3600",
       "900",
       {"899", "43201", "-5", "1h"},
       "from 900 to 43200",
       READ_ROLE(duration_seconds)},
      {"http-client.type",
       "ok",
       "apache",
       {"netty", "Apache", "crt"},
       "apache or urlconnection",
       [](const Settings& s) { return s.http == HttpSettings() ? "ok" : "changed"; }},
      {"http-client.ca-bundle", "default", "/etc/ca.pem", {}, "", READ(http.ca_bundle)},
      {"http-client.proxy-endpoint",
       "default",
       "http://proxy:3128",
       {},
       "",
       READ(http.proxy_endpoint)},
      {"http-client.proxy-use-system-property-values", "true", "false", kNoFlag, "true or false",
       READ(http.proxy_from_system_properties)},
      {"http-client.proxy-use-environment-variable-values", "true", "FALSE", kNoFlag,
       "true or false", READ(http.proxy_from_environment)},
      {"http-client.urlconnection.socket-timeout-ms", "default", "5000", kNoPositive,
       "from 1 to 2147483647", READ(http.socket_timeout_ms)},
      {"http-client.urlconnection.connection-timeout-ms", "default", "5000", kNoPositive,
       "from 1 to 2147483647", READ(http.connection_timeout_ms)},
      {"http-client.apache.socket-timeout-ms", "default", "5000", kNoPositive,
       "from 1 to 2147483647", READ(http.socket_timeout_ms)},
      {"http-client.apache.connection-timeout-ms", "default", "5000", kNoPositive,
       "from 1 to 2147483647", READ(http.connection_timeout_ms)},
      {"http-client.apache.connection-acquisition-timeout-ms", "default", "5000", kNoPositive,
       "from 1 to 2147483647", READ(http.acquisition_timeout_ms)},
      {"http-client.apache.connection-max-idle-time-ms", "default", "5000", kNoPositive,
       "from 1 to 2147483647", READ(http.max_idle_time_ms)},
      {"http-client.apache.connection-time-to-live-ms",
       "default",
       "0",
       {"-1", "x"},
       "from 0 to 2147483647",
       READ(http.time_to_live_ms)},
      {"http-client.apache.expect-continue-enabled", "false", "true", kNoFlag, "true or false",
       READ(http.expect_continue)},
      {"http-client.apache.max-connections", "default", "64", kNoPositive, "from 1 to 2147483647",
       READ(http.max_connections)},
      {"http-client.apache.tcp-keep-alive-enabled", "false", "true", kNoFlag, "true or false",
       READ(http.tcp_keep_alive)},
      {"http-client.apache.use-idle-connection-reaper-enabled", "ok", "true", kNoFlag,
       "true or false",
       [](const Settings& s) { return s.http == HttpSettings() ? "ok" : "changed"; }, true},
      {"warehouse", "default", "s3://bucket/w", {}, "", READ(warehouse)},
      {"default-namespace", "default", "sales", {}, "", READ(default_namespace)},
  };
  return *rows;
}

// `key` beside a role, so that the options of roles mean something.
Result<Settings> With(const std::string& key, const std::string& value) {
  OpenRequest request;
  request.catalog = "acct_a";
  request.hadoop["version"] = "3.4.2";
  request.options["client.assume-role.arn"] = kRole;
  if (key != "client.assume-role.arn" || !Trim(value).empty()) request.options[key] = value;
  return ParseSettings(request);
}

class EveryOption : public testing::TestWithParam<Row> {};

TEST_P(EveryOption, HasItsDefaultAndTakesItsValue) {
  const Row& row = GetParam();
  for (const char* blank : {"", "  "}) {
    const auto settings = With(row.key, blank);
    ASSERT_TRUE(settings) << settings.error().message;
    EXPECT_EQ(row.read(*settings), row.by_default);
    EXPECT_THAT(settings->warnings, testing::IsEmpty());
  }
  const auto settings = With(row.key, " " + row.value + "\t");
  ASSERT_TRUE(settings) << settings.error().message;
  const bool inert = row.by_default == "ok";
  EXPECT_EQ(row.read(*settings), inert ? "ok" : row.value == "FALSE" ? "false" : row.value);
  EXPECT_EQ(settings->warnings.size(), row.warns ? 1U : 0U);
}

TEST_P(EveryOption, IsMatchedWithoutCase) {
  const Row& row = GetParam();
  std::string key = row.key;
  for (char& c : key) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  OpenRequest request;
  request.catalog = "acct_a";
  request.options = {{"Client.Assume-Role.ARN", kRole}};
  if (row.key == "client.assume-role.arn") request.options.clear();
  request.options[key] = row.value;
  const auto upper = ParseSettings(request);
  ASSERT_TRUE(upper) << upper.error().message;
  EXPECT_EQ(row.read(*upper), row.read(*With(row.key, row.value)));
}

TEST_P(EveryOption, RefusesOtherValuesNamingCatalogKeyValueAndWhatIsAllowed) {
  const Row& row = GetParam();
  for (const auto& value : row.refused) {
    const auto settings = With(row.key, value);
    ASSERT_FALSE(settings) << value;
    EXPECT_EQ(settings.error().kind, ErrorKind::kInvalidArgument);
    for (const auto& part : {std::string("'acct_a'"), row.key, "'" + value + "'", row.allowed}) {
      EXPECT_THAT(settings.error().message, HasSubstr(part));
    }
  }
}

std::string NameOf(const testing::TestParamInfo<Row>& info) {
  std::string name;
  for (const char c : info.param.key) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Settings, EveryOption, testing::ValuesIn(Rows()), NameOf);

TEST(EveryOptionTable, IsComplete) {
  std::vector<std::string> known(KnownKeys().begin(), KnownKeys().end());
  known.insert(known.end(), {"warehouse", "default-namespace"});
  std::vector<std::string> listed;
  for (const Row& row : Rows()) listed.push_back(row.key);
  EXPECT_THAT(listed, testing::UnorderedElementsAreArray(known));
}

}  // namespace
}  // namespace gluecat::catalog
