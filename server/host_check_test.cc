#include "server/host_check.h"

#include <gtest/gtest.h>

namespace gluecat::server {
namespace {

TEST(HostCheckTest, Loopback) {
  for (const auto* host : {"localhost", "LocalHost", "127.0.0.1", "127.1.2.3", "::1"}) {
    EXPECT_TRUE(IsLoopbackHost(host)) << host;
  }
  for (const auto* host : {"", "evil.example", "127.evil.example", "localhost.evil.example",
                           "10.0.0.1", "0.0.0.0", "::", "localhost."}) {
    EXPECT_FALSE(IsLoopbackHost(host)) << host;
  }
  EXPECT_TRUE(IsLoopbackPeer("::ffff:127.0.0.1"));
  EXPECT_TRUE(IsLoopbackPeer("127.0.0.1"));
  EXPECT_FALSE(IsLoopbackPeer("::ffff:10.0.0.1"));
  EXPECT_FALSE(IsLoopbackPeer("localhost"));
  EXPECT_FALSE(IsLoopbackPeer(""));
}

TEST(HostCheckTest, HostOfAuthority) {
  EXPECT_EQ(HostOfAuthority("127.0.0.1:4566"), "127.0.0.1");
  EXPECT_EQ(HostOfAuthority("localhost"), "localhost");
  EXPECT_EQ(HostOfAuthority("[::1]:80"), "::1");
  EXPECT_EQ(HostOfAuthority("[::1]"), "::1");
  for (const auto* bad : {"", "127.0.0.1:80:evil", "localhost:80@evil", "[::1]evil:80", "[::1"}) {
    EXPECT_FALSE(IsLoopbackHost(HostOfAuthority(bad))) << bad;
  }
}

TEST(HostCheckTest, Origin) {
  EXPECT_TRUE(IsSameOrigin("", "localhost:1"));
  EXPECT_TRUE(IsSameOrigin("http://localhost:1", "localhost:1"));
  EXPECT_FALSE(IsSameOrigin("http://localhost:2", "localhost:1"));
  EXPECT_FALSE(IsSameOrigin("null", "localhost:1"));
  EXPECT_FALSE(IsSameOrigin("http://evil.example", "localhost:1"));
}

}  // namespace
}  // namespace gluecat::server
