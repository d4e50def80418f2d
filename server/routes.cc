#include "server/routes.h"

#include <sys/socket.h>

#include <string_view>
#include <utility>

#include <httplib.h>

#include "core/base/json.h"
#include "server/connection_threads.h"
#include "server/host_check.h"

namespace gluecat::server {
namespace {

// Bodies of 10 MB get an answer that says what is wrong with them; beyond, they are not read.
constexpr std::size_t kMaxBody = 32 * 1024 * 1024;
constexpr std::size_t kMaxConnections = 1024;  // each has a thread
constexpr std::time_t kKeepAliveSeconds = 60;
constexpr std::time_t kReadSeconds = 60;
constexpr const char* kJsonType = "application/x-amz-json-1.1";
constexpr const char* kRequestIdHeader = "x-amzn-RequestId";

Request ToRequest(const httplib::Request& http) {
  Request request;
  request.source_ip = http.remote_addr;
  request.tls = http.ssl != nullptr;
  request.method = http.method;
  const std::size_t question = http.target.find('?');
  request.path = http.target.substr(0, question);
  if (question != std::string::npos) request.query = http.target.substr(question + 1);
  for (const auto& [name, value] : http.headers) request.headers.emplace_back(name, value);
  request.body = http.body;
  return request;
}

// Unlike SO_REUSEPORT, which is httplib's choice, this does not let two servers share an address.
void ReuseClosedAddress(socket_t socket) {
  const int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
}

// Answers a request whose body is announced as too large before any of it is read.
httplib::Server::HandlerResponse RefuseLargeBody(const httplib::Request& request,
                                                 httplib::Response& response) {
  if (request.get_header_value_u64("Content-Length") <= kMaxBody) {
    return httplib::Server::HandlerResponse::Unhandled;
  }
  response.status = httplib::StatusCode::PayloadTooLarge_413;
  return httplib::Server::HandlerResponse::Handled;
}

// httplib closes the connection after every error. Ours are answers like any other, and a client
// that asks for a table that is not there goes on with the same connection.
void KeepConnectionAfterAnswer(const httplib::Request& request, httplib::Response& response) {
  const bool answered = response.has_header(kRequestIdHeader);
  if (answered && !request.has_header("Connection")) response.headers.erase("Connection");
}

// The answer to what never reached a handler.
void ExplainRefusal(const httplib::Request&, httplib::Response& response) {
  if (!response.body.empty()) return;
  const auto [type, message] = [&]() -> std::pair<std::string_view, std::string_view> {
    switch (response.status) {
      case httplib::StatusCode::Forbidden_403:
        return {"AccessDeniedException",
                "Without an accounts file, calls from web pages are refused."};
      case httplib::StatusCode::NotFound_404:
        return {"UnknownOperationException", "There is nothing at this address."};
      case httplib::StatusCode::PayloadTooLarge_413:
        return {"RequestEntityTooLargeException", "The request is too large."};
      case httplib::StatusCode::UriTooLong_414:
        return {"RequestEntityTooLargeException", "The request's address is too long."};
      default:
        return {"SerializationException",
                "The request is not well-formed HTTP, or its header is too large."};
    }
  }();
  JsonWriter writer;
  writer.BeginObject().Member("__type", type).Member("message", message).EndObject();
  response.set_content(writer.Take(), kJsonType);
}

// Only for programs on this machine: what comes from elsewhere, or from a web page of somebody
// else in a browser here, finds nothing.
void Reset(store::Store& store, const httplib::Request& request, httplib::Response& response) {
  const std::string host = request.get_header_value("Host");
  if (!IsLoopbackPeer(request.remote_addr) || !IsLoopbackHost(HostOfAuthority(host)) ||
      !IsSameOrigin(request.get_header_value("Origin"), host)) {
    response.status = httplib::StatusCode::NotFound_404;
    return;
  }
  const auto cleared = store.Clear();
  if (!cleared) {
    response.status = httplib::StatusCode::InternalServerError_500;
    response.set_content(cleared.error().message + "\n", "text/plain");
    return;
  }
  response.set_content("{}", kJsonType);
}

// Nothing but the page itself and its style sheet is loaded, run, framed, sent on or kept.
void ShowPage(const Ui& ui, const httplib::Request& http, httplib::Response& response) {
  Answer answer = ui.Get(ToRequest(http));
  response.status = answer.status;
  response.set_header("Content-Security-Policy",
                      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
                      "frame-ancestors 'none'");
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("X-Frame-Options", "DENY");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  response.set_header("Cross-Origin-Opener-Policy", "same-origin");
  response.set_header("Cache-Control", "no-store");
  response.set_content(std::move(answer.body), answer.content_type);
}

}  // namespace

void Configure(httplib::Server& server, const Routes& routes) {
  server.set_socket_options(ReuseClosedAddress);
  server.set_pre_routing_handler(RefuseLargeBody);
  server.set_post_routing_handler(KeepConnectionAfterAnswer);
  server.set_tcp_nodelay(true);
  server.set_keep_alive_max_count(1'000'000'000);
  server.set_keep_alive_timeout(kKeepAliveSeconds);
  server.set_read_timeout(kReadSeconds);
  server.set_payload_max_length(kMaxBody);
  server.new_task_queue = [&metrics = routes.metrics] {
    return new ConnectionThreads(kMaxConnections, metrics);
  };

  const auto handle = [&service = routes.service, refuse = routes.refuse_browsers](
                          const httplib::Request& request, httplib::Response& response) {
    if (refuse && request.has_header("Origin")) {
      response.status = httplib::StatusCode::Forbidden_403;
      return;
    }
    Answer answer = service.Handle(ToRequest(request));
    response.status = answer.status;
    response.set_header(kRequestIdHeader, answer.request_id);
    response.set_content(std::move(answer.body), answer.content_type);
  };
  server.Get("/healthz", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("ok\n", "text/plain");
  });
  server.Get("/", handle);
  server.Post("/", handle);
  server.Get("/metrics",
             [&metrics = routes.metrics](const httplib::Request&, httplib::Response& response) {
               response.set_content(metrics.Text(), "text/plain; version=0.0.4; charset=utf-8");
             });
  server.Get("/ui", [](const httplib::Request&, httplib::Response& response) {
    response.set_redirect("/ui/", httplib::StatusCode::MovedPermanently_301);
  });
  server.Get("/ui/.*",
             [&ui = routes.ui](const httplib::Request& request, httplib::Response& response) {
               ShowPage(ui, request, response);
             });
  if (routes.reset) {
    server.Post("/reset", [&store = routes.store](const httplib::Request& request,
                                                  httplib::Response& response) {
      Reset(store, request, response);
    });
  }
  server.set_error_handler(ExplainRefusal);
  server.set_exception_handler(
      [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
        response.status = 500;
        response.set_content(
            R"({"__type":"InternalServiceException","Message":"The request failed."})", kJsonType);
      });
}

}  // namespace gluecat::server
