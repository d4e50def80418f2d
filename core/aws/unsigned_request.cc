#include "core/aws/unsigned_request.h"

namespace gluecat::aws {

Result<HttpResponse> SendUnsigned(const ClientRuntime& runtime, const UnsignedRequest& request,
                                  const CallLimits& limits) {
  HttpRequest http;
  http.method = request.method;
  http.endpoint = request.endpoint;
  http.path = request.endpoint.path + request.path;
  http.headers = request.headers;
  http.headers.emplace_back("Host", request.endpoint.HostHeader());
  http.headers.emplace_back("User-Agent", "gluecat");
  http.body = request.body;
  http.bypass_proxy = request.bypass_proxy;
  RetryingCall call(*runtime.retry);
  HttpResponse response;
  for (;;) {
    const Status status = runtime.http->Send(http, limits, response);
    const FailureClass failure =
        status ? ClassifyAnswer({}, response.status) : ClassifySendError(status.error());
    if (status && failure == FailureClass::kFinal) {
      call.Succeeded();
      return response;
    }
    if (call.WaitToRetry(failure, RequestedWait(response), limits)) continue;
    if (limits.cancellation.IsCancelled()) return Fail(ErrorKind::kCancelled, "cancelled");
    if (!status) return Fail(status.error());
    return response;
  }
}

}  // namespace gluecat::aws
