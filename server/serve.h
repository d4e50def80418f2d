// `gluecat serve`: the store over HTTP.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"

namespace gluecat::server {

struct ServeOptions {
  std::string listen = "127.0.0.1:0";  // host:port; port 0 takes a free one
  std::string data_directory;          // made if it is missing
  std::string accounts_file;           // empty: loopback only, any key is taken
  std::string request_log_file;        // empty: none
  std::string version;                 // of the build, for GET /metrics
  bool ui = false;                     // GET /ui/ to everybody, also with an accounts file
  bool reset = false;                  // POST /reset empties the store
  // Directories below which metadata files of Iceberg tables may be written; store::StoreOptions.
  std::vector<std::string> warehouses;
};

// Serves until SIGTERM or SIGINT arrives, then lets running requests finish and
// returns. `listening` is called once with the address ("http://127.0.0.1:4566") when requests are
// taken. Call it before the process has other threads: it blocks both signals in them.
//
// Errors: kInvalidArgument (an address that is none, a bad accounts file, an
// address beyond the loopback interface without an accounts file), kUnavailable
// (the address or a file cannot be used), and those of store::Store::Open.
Status Serve(const ServeOptions& options, std::shared_ptr<Clock> clock,
             const std::function<void(const std::string& address)>& listening);

// Host and port of "127.0.0.1:4566" or "[::1]:4566". Errors: kInvalidArgument.
struct ListenAddress {
  std::string host;
  int port = 0;
  bool IsLoopback() const;
  // "http://127.0.0.1:4566", with `actual_port`.
  std::string Url(int actual_port) const;
};
Result<ListenAddress> ParseListenAddress(std::string_view text);

}  // namespace gluecat::server
