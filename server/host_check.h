// Which host a request was meant for.
//
// A web page of somebody else can make a browser on this machine send requests to
// a loopback address, and by changing what its own host name resolves to (DNS
// rebinding) even read the answers. The browser then still says that name in Host.
#pragma once

#include <string_view>

namespace gluecat::server {

// "localhost", 127.0.0.0/8 or ::1, without brackets and port.
bool IsLoopbackHost(std::string_view host);

// An IPv4 address of 127.0.0.0/8, ::1, or the former inside IPv6 ("::ffff:127.0.0.1"):
// the address of a peer.
bool IsLoopbackPeer(std::string_view address);

// The host of a Host header ("[::1]:4566" is "::1"); empty if it has no such form.
std::string_view HostOfAuthority(std::string_view authority);

// True if an Origin header, absent or not, is that of a page of `authority` itself.
bool IsSameOrigin(std::string_view origin, std::string_view authority);

}  // namespace gluecat::server
