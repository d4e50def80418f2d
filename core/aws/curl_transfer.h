// One libcurl handle with its connections. Used by one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/aws/curl_http_client.h"

namespace gluecat::aws {

class CurlTransfer {
 public:
  // `options` must outlive it.
  CurlTransfer(const HttpClientOptions& options, const std::optional<std::string>& ca_bundle);
  ~CurlTransfer();
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  // As HttpClient::Send; `response` is clear.
  Status Perform(const HttpRequest& request, const std::optional<Proxy>& proxy,
                 const CallLimits& limits, HttpResponse& response);

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace gluecat::aws
