#include "server/serve.h"

#include <pthread.h>

#include <charconv>
#include <csignal>
#include <thread>
#include <utility>

#include <httplib.h>

#include "server/host_check.h"
#include "server/metrics.h"
#include "server/routes.h"
#include "server/service.h"
#include "server/tls.h"
#include "server/ui.h"

namespace gluecat::server {
namespace {

// Blocks SIGTERM and SIGINT in this thread and those it starts, and stops the server when one
// arrives; with `hangup`, SIGHUP as well, which calls that and stops nothing.
class Signals {
 public:
  explicit Signals(bool hangup) {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    if (hangup) sigaddset(&signals_, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals() {
    if (thread_.joinable()) {
      pthread_kill(thread_.native_handle(), SIGINT);  // in case it is still waiting
      thread_.join();
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  void Watch(httplib::Server& server, std::function<void()> hangup) {
    thread_ = std::thread([this, &server, hangup = std::move(hangup)] {
      int signal = 0;
      while (sigwait(&signals_, &signal) == 0 && signal == SIGHUP) hangup();
      server.wait_until_ready();
      server.stop();
    });
  }

 private:
  sigset_t signals_{};
  sigset_t before_{};
  std::thread thread_;
};

Result<std::unique_ptr<httplib::Server>> MakeServer(const ServeOptions& options) {
  const TlsFiles files{options.tls_certificate_file, options.tls_key_file};
  if (files.certificate.empty() != files.key.empty()) {
    return Fail(ErrorKind::kInvalidArgument, "TLS needs both a certificate and its key");
  }
  if (files.key.empty()) return std::make_unique<httplib::Server>();
  return MakeTlsServer(files);
}

}  // namespace

bool ListenAddress::IsLoopback() const { return IsLoopbackHost(host); }

std::string ListenAddress::Url(int actual_port, std::string_view scheme) const {
  const bool bracketed = host.find(':') != std::string::npos;
  return std::string(scheme) + "://" + (bracketed ? "[" + host + "]" : host) + ":" +
         std::to_string(actual_port);
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
             const std::function<void(const std::string& address)>& listening,
             const std::function<void(const Status& outcome)>& reread) {
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
  GLUECAT_ASSIGN_OR_RETURN(const auto server, MakeServer(options));
  std::unique_ptr<RequestLog> log;
  if (!options.request_log_file.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(log, RequestLog::Open(options.request_log_file));
  }
  const bool strict = !options.accounts_file.empty();
  Signals signals(strict);
  // A limit of the size of files fails the request that meets it, not the server.
  static_cast<void>(signal(SIGXFSZ, SIG_IGN));
  GLUECAT_ASSIGN_OR_RETURN(auto store, store::Store::Open(options.data_directory, clock,
                                                          {.warehouses = options.warehouses}));
  const auto metrics = std::make_shared<Metrics>(options.version, clock->Now());
  GLUECAT_ASSIGN_OR_RETURN(auto service, Service::Make(store, std::move(accounts), std::move(clock),
                                                       std::move(log), metrics));

  const Ui ui(store, {.needs_signature = strict && !options.ui,
                      .loopback_hosts_only = address.IsLoopback()});
  Configure(*server, {.service = *service,
                      .metrics = *metrics,
                      .store = *store,
                      .ui = ui,
                      .refuse_browsers = !strict,
                      .reset = options.reset});
  int port = address.port;
  if (port == 0) {
    port = server->bind_to_any_port(address.host);
  } else if (!server->bind_to_port(address.host, port)) {
    port = -1;
  }
  if (port < 0) {
    return Fail(ErrorKind::kUnavailable, "cannot listen on " + options.listen +
                                             ": the address is in use or not of this machine");
  }
  signals.Watch(*server, [&] {
    auto again = Accounts::Load(options.accounts_file);
    if (!again) return reread(Fail(std::move(again).error()));
    service->ReplaceAccounts(std::make_shared<const Accounts>(*std::move(again)));
    reread({});
  });
  // The socket takes connections from here on.
  listening(address.Url(port, options.tls_key_file.empty() ? "http" : "https"));
  if (!server->listen_after_bind())
    return Fail(ErrorKind::kUnavailable, "the server stopped listening");
  return {};
}

}  // namespace gluecat::server
