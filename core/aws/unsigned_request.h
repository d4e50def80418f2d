// Requests without a signature: to the metadata services beside a machine or a
// container, and to IAM Identity Center, which wants a token instead.
#pragma once

#include <string>
#include <string_view>

#include "core/aws/client_runtime.h"
#include "core/aws/endpoint.h"
#include "core/aws/http_client.h"

namespace gluecat::aws {

struct UnsignedRequest {
  std::string method = "GET";
  Endpoint endpoint;
  std::string path = "/";  // with its query, without the endpoint's prefix
  HeaderList headers;      // Host not included
  std::string body;
  bool bypass_proxy = true;
};

// The answer, whatever its status; one that says that trying again may help is
// asked for again, as the retry policy has it.
// Errors: those of HttpClient::Send.
Result<HttpResponse> SendUnsigned(const ClientRuntime& runtime, const UnsignedRequest& request,
                                  const CallLimits& limits);

}  // namespace gluecat::aws
