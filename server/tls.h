// The server's side of TLS: 1.2 and newer, with a certificate from a file.
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"

namespace httplib {
class Server;
}  // namespace httplib

namespace gluecat::server {

struct TlsFiles {
  std::string certificate;  // PEM: the server's own first, then those that lead to the authority
  std::string key;          // PEM, not encrypted
};

// A server that speaks HTTPS only.
// Errors: kInvalidArgument, naming the file that cannot be read or is no such thing, or saying that
// the two do not belong together.
Result<std::unique_ptr<httplib::Server>> MakeTlsServer(const TlsFiles& files);

}  // namespace gluecat::server
