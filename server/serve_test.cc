#include "server/serve.h"

#include <gtest/gtest.h>

namespace gluecat::server {
namespace {

TEST(ListenAddressTest, HostAndPort) {
  const auto address = ParseListenAddress("127.0.0.1:4566");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->host, "127.0.0.1");
  EXPECT_EQ(address->Url(4566), "http://127.0.0.1:4566");
  EXPECT_EQ(ParseListenAddress("[::1]:0")->Url(80), "http://[::1]:80");
  EXPECT_EQ(address->Url(4566, "https"), "https://127.0.0.1:4566");
  for (const auto* text : {"", ":", "127.0.0.1", "127.0.0.1:", ":80", "127.0.0.1:x", "127.0.0.1:-1",
                           "127.0.0.1:65536"}) {
    EXPECT_FALSE(ParseListenAddress(text)) << text;
  }
}

TEST(ListenAddressTest, Loopback) {
  for (const auto* text : {"127.0.0.1:1", "127.1.2.3:1", "localhost:1", "[::1]:1"}) {
    EXPECT_TRUE(ParseListenAddress(text)->IsLoopback()) << text;
  }
  for (const auto* text :
       {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "127.example.com:1", "1127.0.0.1:1"}) {
    EXPECT_FALSE(ParseListenAddress(text)->IsLoopback()) << text;
  }
}

}  // namespace
}  // namespace gluecat::server
