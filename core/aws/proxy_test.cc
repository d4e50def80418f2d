#include "core/aws/proxy.h"

#include <gtest/gtest.h>

#include "core/base/environment.h"

namespace gluecat::aws {
namespace {

class ProxyTest : public testing::Test {
 protected:
  // "host:port" of the proxy for `url`, "none", or "error".
  std::string For(const std::string& url) {
    const auto proxy = ProxyFor(*ParseEndpoint(url), options_, environment_);
    if (!proxy) return "error";
    return *proxy ? (*proxy)->endpoint.Authority() : "none";
  }

  ProxyOptions options_;
  FixedEnvironment environment_;
};

TEST_F(ProxyTest, NoneByDefault) { EXPECT_EQ(For("https://glue.example.com"), "none"); }

TEST_F(ProxyTest, OptionBeforePropertiesBeforeEnvironment) {
  environment_.variables["https_proxy"] = "http://env:1";
  EXPECT_EQ(For("https://glue.example.com"), "env:1");
  environment_.system_properties = {{"https.proxyHost", "jvm"}, {"https.proxyPort", "2"}};
  EXPECT_EQ(For("https://glue.example.com"), "jvm:2");
  options_.endpoint = "http://option:3";
  EXPECT_EQ(For("https://glue.example.com"), "option:3");
}

TEST_F(ProxyTest, SourcesCanBeTurnedOff) {
  environment_.variables["https_proxy"] = "http://env:1";
  environment_.system_properties = {{"https.proxyHost", "jvm"}};
  options_.use_system_properties = false;
  EXPECT_EQ(For("https://glue.example.com"), "env:1");
  options_.use_environment_variables = false;
  EXPECT_EQ(For("https://glue.example.com"), "none");
}

TEST_F(ProxyTest, SchemesHaveTheirOwn) {
  environment_.variables = {{"HTTPS_PROXY", "secure:1"}, {"http_proxy", "plain:2"}};
  EXPECT_EQ(For("https://glue.example.com"), "secure:1");
  EXPECT_EQ(For("http://glue.example.com"), "plain:2");
  environment_.variables = {{"ALL_PROXY", "any:3"}};
  EXPECT_EQ(For("http://glue.example.com"), "any:3");
}

TEST_F(ProxyTest, LoopbackNeedsTheOption) {
  environment_.variables["http_proxy"] = "http://env:1";
  for (const char* url : {"http://127.0.0.1:4566", "http://localhost", "http://[::1]:80"}) {
    EXPECT_EQ(For(url), "none") << url;
  }
  options_.endpoint = "http://option:3";
  EXPECT_EQ(For("http://127.0.0.1:4566"), "option:3");
}

TEST_F(ProxyTest, NoProxyNamesHostsAndDomains) {
  environment_.variables = {{"http_proxy", "http://env:1"},
                            {"NO_PROXY", "exact.com, .dotted.com,*.starred.com ,port.com:81,"}};
  for (const char* url : {"http://exact.com", "http://a.exact.com", "http://dotted.com",
                          "http://b.dotted.com", "http://c.starred.com", "http://port.com:81"}) {
    EXPECT_EQ(For(url), "none") << url;
  }
  for (const char* url : {"http://inexact.com", "http://exact.com.evil", "http://port.com:82"}) {
    EXPECT_EQ(For(url), "env:1") << url;
  }
  environment_.variables["no_proxy"] = "*";
  EXPECT_EQ(For("http://anything.com"), "none");
}

TEST_F(ProxyTest, NonProxyHostsOfJava) {
  environment_.system_properties = {{"http.proxyHost", "jvm"},
                                    {"http.nonProxyHosts", "exact.com|*.end.com|10.1.*||"}};
  for (const char* url : {"http://exact.com", "http://a.end.com", "http://10.1.2.3"}) {
    EXPECT_EQ(For(url), "none") << url;
  }
  for (const char* url : {"http://a.exact.com", "http://end.com", "http://10.2.2.3"}) {
    EXPECT_EQ(For(url), "jvm:80") << url;
  }
}

TEST_F(ProxyTest, LoginIsDecodedAndNeverShown) {
  options_.endpoint = "http://us%3Aer:p%40ss:word@proxy:3128/";
  const auto proxy = ProxyFor(*ParseEndpoint("https://a.com"), options_, environment_);
  ASSERT_TRUE(proxy);
  EXPECT_EQ((*proxy)->user, "us:er");
  EXPECT_EQ((*proxy)->password, "p@ss:word");
  EXPECT_EQ((*proxy)->endpoint.Url(), "http://proxy:3128");

  options_.endpoint = "socks5://user:hunter2@proxy:1080";
  const auto bad = ProxyFor(*ParseEndpoint("https://a.com"), options_, environment_);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(bad.error().message.find("hunter2"), std::string::npos);
  EXPECT_NE(bad.error().message.find("http-client.proxy-endpoint"), std::string::npos);
}

}  // namespace
}  // namespace gluecat::aws
