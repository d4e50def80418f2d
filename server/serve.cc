#include "server/serve.h"

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <charconv>
#include <thread>
#include <utility>

#include <httplib.h>

#include "server/service.h"

namespace gluecat::server {
namespace {

// Bodies of 10 MB get an answer that says what is wrong with them; beyond, they are not read.
constexpr std::size_t kMaxBody = 32 * 1024 * 1024;
// A connection that is kept alive holds a thread.
constexpr std::size_t kThreads = 8;
constexpr std::size_t kMaxThreads = 512;
constexpr std::size_t kMaxQueued = 1024;
constexpr std::time_t kKeepAliveSeconds = 60;
constexpr std::time_t kReadSeconds = 60;
constexpr const char* kRequestIdHeader = "x-amzn-RequestId";

Request ToRequest(const httplib::Request& http) {
  Request request;
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

void Configure(httplib::Server& server, Service& service) {
  server.set_socket_options(ReuseClosedAddress);
  server.set_pre_routing_handler(RefuseLargeBody);
  server.set_post_routing_handler(KeepConnectionAfterAnswer);
  server.set_tcp_nodelay(true);
  server.set_keep_alive_max_count(1'000'000'000);
  server.set_keep_alive_timeout(kKeepAliveSeconds);
  server.set_read_timeout(kReadSeconds);
  server.set_payload_max_length(kMaxBody);
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads, kMaxThreads, kMaxQueued); };

  const auto handle = [&service](const httplib::Request& request, httplib::Response& response) {
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
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (!response.body.empty()) return;
    response.set_content(
        response.status == 413
            ? R"({"__type":"RequestEntityTooLargeException","message":"The request is too large."})"
            : R"({"__type":"UnknownOperationException","message":"There is nothing at this address."})",
        "application/x-amz-json-1.1");
  });
  server.set_exception_handler([](const httplib::Request&, httplib::Response& response,
                                  const std::exception_ptr&) {
    response.status = 500;
    response.set_content(R"({"__type":"InternalServiceException","Message":"The request failed."})",
                         "application/x-amz-json-1.1");
  });
}

// Blocks SIGTERM and SIGINT in this thread and those it starts, and stops the server when one
// arrives.
class StopOnSignal {
 public:
  StopOnSignal() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  ~StopOnSignal() {
    if (thread_.joinable()) {
      pthread_kill(thread_.native_handle(), SIGTERM);  // in case it is still waiting
      thread_.join();
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  void Watch(httplib::Server& server) {
    thread_ = std::thread([this, &server] {
      int signal = 0;
      sigwait(&signals_, &signal);
      server.wait_until_ready();
      server.stop();
    });
  }

 private:
  sigset_t signals_{};
  sigset_t before_{};
  std::thread thread_;
};

}  // namespace

bool ListenAddress::IsLoopback() const {
  if (host == "localhost" || host == "::1") return true;
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos;
}

std::string ListenAddress::Url(int actual_port) const {
  const bool bracketed = host.find(':') != std::string::npos;
  return "http://" + (bracketed ? "[" + host + "]" : host) + ":" + std::to_string(actual_port);
}

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  ListenAddress address;
  const std::size_t colon = text.rfind(':');
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string_view port =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (host.empty() || port.empty() || error != std::errc() || end != port.data() + port.size() ||
      address.port < 0 || address.port > 65535) {
    return Fail(ErrorKind::kInvalidArgument, "cannot listen on '" + std::string(text) +
                                                 "': expected host:port, as in 127.0.0.1:4566");
  }
  address.host = host;
  return address;
}

Status Serve(const ServeOptions& options, std::shared_ptr<Clock> clock,
             const std::function<void(const std::string& address)>& listening) {
  GLUECAT_ASSIGN_OR_RETURN(const auto address, ParseListenAddress(options.listen));
  std::shared_ptr<const Accounts> accounts;
  if (!options.accounts_file.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(auto loaded, Accounts::Load(options.accounts_file));
    accounts = std::make_shared<const Accounts>(std::move(loaded));
  } else if (!address.IsLoopback()) {
    return Fail(ErrorKind::kInvalidArgument,
                "refusing to listen on " + address.host +
                    " without an accounts file: anybody who reaches "
                    "it could change everything. Listen on 127.0.0.1, or give --accounts FILE");
  }
  std::unique_ptr<RequestLog> log;
  if (!options.request_log_file.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(log, RequestLog::Open(options.request_log_file));
  }
  StopOnSignal stop;
  GLUECAT_ASSIGN_OR_RETURN(auto store, store::Store::Open(options.data_directory, clock));
  GLUECAT_ASSIGN_OR_RETURN(
      auto service, Service::Make(std::move(store), std::move(accounts), clock, std::move(log)));

  httplib::Server server;
  Configure(server, *service);
  int port = address.port;
  if (port == 0) {
    port = server.bind_to_any_port(address.host);
  } else if (!server.bind_to_port(address.host, port)) {
    port = -1;
  }
  if (port < 0) {
    return Fail(ErrorKind::kUnavailable, "cannot listen on " + options.listen +
                                             ": the address is in use or not of this machine");
  }
  stop.Watch(server);
  // The socket takes connections from here on.
  listening(address.Url(port));
  if (!server.listen_after_bind())
    return Fail(ErrorKind::kUnavailable, "the server stopped listening");
  return {};
}

}  // namespace gluecat::server
