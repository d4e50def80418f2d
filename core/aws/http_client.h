// One HTTP request and its answer. The interface is what tests replace;
// curl_http_client.h is the real one.
#pragma once

#include <string>
#include <string_view>

#include "core/aws/call_limits.h"
#include "core/aws/endpoint.h"
#include "core/aws/sigv4.h"
#include "core/base/result.h"

namespace gluecat::aws {

struct HttpRequest {
  std::string method = "POST";
  Endpoint endpoint;
  std::string path = "/";  // percent-encoded, the endpoint's prefix included
  HeaderList headers;      // Host included, Content-Length not
  std::string_view body;   // must outlive the call
  // Straight to the endpoint, whatever proxy is configured: for addresses that
  // only this machine can reach.
  bool bypass_proxy = false;
};

struct HttpResponse {
  int status = 0;      // 0 until a status line has arrived
  HeaderList headers;  // names in lower case
  std::string body;

  // How often the request was begun to be written to a connection. 0: nothing
  // reached the server. 2: a pooled connection turned out to be dead after the
  // first time, and what the server made of that is unknown.
  int times_sent = 0;

  // The first header of that name (lower case); empty if there is none.
  std::string_view Header(std::string_view name) const;

  // Makes it fresh and keeps the memory of the body.
  void Clear();
};

// Thread-safe.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // Sends `request` once and blocks until the whole answer is in `response`,
  // whatever its status. What `response` held before is gone; a body's memory is
  // used again, so that a caller of many large answers should keep it.
  //
  // Errors (`retryable` says whether trying again makes sense; messages name
  // "host:port"): kUnavailable (no connection, connection lost, certificate not
  // trusted), kTimeout (a timeout of the client, or the deadline), kCancelled,
  // kInvalidData (not HTTP, or larger than the client accepts), kInvalidArgument.
  virtual Status Send(const HttpRequest& request, const CallLimits& limits,
                      HttpResponse& response) = 0;
};

}  // namespace gluecat::aws
