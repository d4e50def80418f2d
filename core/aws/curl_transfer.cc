#include "core/aws/curl_transfer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include <curl/curl.h>

#include "core/base/text.h"

namespace gluecat::aws {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

// A waiting transfer looks this often whether its caller gave up.
constexpr auto kWaitSlice = std::chrono::milliseconds(20);
constexpr long kReceiveBufferBytes = 512L * 1024;
constexpr std::size_t kMaxHeaderBytes = 256U * 1024;
// Memory set aside on the word of a Content-Length header.
constexpr std::size_t kMaxReserveBytes = std::size_t{16} << 20U;
// A JSON parser wants some bytes after the text; without them it would copy it.
constexpr std::size_t kParserPadding = 64;

long Milliseconds(Duration duration) {
  return static_cast<long>(
      std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::milliseconds>(duration).count()));
}

std::string Seconds(Duration duration) {
  const auto ms = Milliseconds(duration);
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

// What the callbacks of one transfer see.
struct Progress {
  HttpResponse* response = nullptr;
  std::size_t max_bytes = 0;
  std::size_t header_bytes = 0;
  bool headers_complete = false;
  bool too_large = false;
  SteadyTime last_activity;
  curl_off_t bytes_moved = 0;
};

std::size_t OnBody(char* data, std::size_t, std::size_t size, void* context) {
  auto& progress = *static_cast<Progress*>(context);
  std::string& body = progress.response->body;
  if (size > progress.max_bytes - body.size()) {
    progress.too_large = true;
    return CURL_WRITEFUNC_ERROR;
  }
  body.append(data, size);
  return size;
}

void ReserveBody(Progress& progress) {
  const auto text = progress.response->Header("content-length");
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return;
  progress.response->body.reserve(std::min({length, progress.max_bytes, kMaxReserveBytes}) +
                                  kParserPadding);
}

std::size_t OnHeader(char* data, std::size_t, std::size_t size, void* context) {
  auto& progress = *static_cast<Progress*>(context);
  progress.header_bytes += size;
  if (progress.header_bytes > kMaxHeaderBytes) {
    progress.too_large = true;
    return CURL_WRITEFUNC_ERROR;
  }
  const auto line = Trim(std::string_view(data, size));
  if (line.starts_with("HTTP/")) {
    progress.response->headers.clear();
    progress.headers_complete = false;
  } else if (line.empty()) {
    progress.headers_complete = true;
    ReserveBody(progress);
  } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
    progress.response->headers.emplace_back(ToLowerAscii(Trim(line.substr(0, colon))),
                                            Trim(line.substr(colon + 1)));
  }
  return size;
}

int OnProgress(void* context, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent) {
  auto& progress = *static_cast<Progress*>(context);
  if (received + sent != progress.bytes_moved) {
    progress.bytes_moved = received + sent;
    progress.last_activity = std::chrono::steady_clock::now();
  }
  return 0;
}

int OnBeforeRequest(void* context, char*, char*, int, int) {
  auto& progress = *static_cast<Progress*>(context);
  ++progress.response->times_sent;
  progress.last_activity = std::chrono::steady_clock::now();
  return CURL_PREREQFUNC_OK;
}

struct SlistDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Slist = std::unique_ptr<curl_slist, SlistDeleter>;

Slist HeaderLines(const HttpRequest& request, bool expect_continue) {
  curl_slist* lines = nullptr;
  const auto add = [&lines](const std::string& line) {
    if (curl_slist* longer = curl_slist_append(lines, line.c_str())) lines = longer;
  };
  std::string line;
  for (const auto& [name, value] : request.headers) {
    line = name;
    // How libcurl wants a header without a value.
    line += value.empty() ? ";" : ": ";
    line += value;
    add(line);
  }
  add("Accept:");
  if (!expect_continue) add("Expect:");
  return Slist(lines);
}

Error MakeRetryable(ErrorKind kind, std::string message) {
  Error error = MakeError(kind, std::move(message));
  error.retryable = true;
  return error;
}

constexpr int kProxyAuthenticationRequired = 407;

// Trying again does not change a proxy's mind.
Error ProxyRefusal(const Proxy& proxy, const std::string& place, long status) {
  std::string message = "the proxy " + proxy.endpoint.Authority() + " refuses the request to " +
                        place + " (HTTP status " + std::to_string(status) + "): ";
  if (status == kProxyAuthenticationRequired) {
    message += proxy.user.empty() ? "it wants a user and a password, as in http://user:password@" +
                                        proxy.endpoint.Authority()
                                  : "it does not accept the user and password of its setting";
  } else {
    message += "let it allow " + place + ", or name the host in no_proxy";
  }
  return MakeError(ErrorKind::kUnavailable, std::move(message));
}

}  // namespace

struct CurlTransfer::Handles {
  explicit Handles(const HttpClientOptions& options_in) : options(options_in) {}

  const HttpClientOptions& options;
  std::optional<std::string> ca_bundle;
  CURL* easy = nullptr;
  CURLM* multi = nullptr;
  std::array<char, CURL_ERROR_SIZE> message{};

  void Configure();
  void SetRequest(const HttpRequest& request, const std::string& url);
  void SetProxy(const std::optional<Proxy>& proxy);
  // Runs the transfer that is set up; an Error only for what curl does not report itself.
  Result<CURLcode> Run(const std::string& place, const CallLimits& limits,
                       const Progress& progress);
  Error Explain(CURLcode code, const std::string& place, const std::optional<Proxy>& proxy,
                const Progress& progress) const;
};

CurlTransfer::CurlTransfer(const HttpClientOptions& options,
                           const std::optional<std::string>& ca_bundle)
    : handles_(std::make_unique<Handles>(options)) {
  handles_->ca_bundle = ca_bundle;
  handles_->easy = curl_easy_init();
  handles_->multi = curl_multi_init();
  if (handles_->easy != nullptr && handles_->multi != nullptr) handles_->Configure();
}

CurlTransfer::~CurlTransfer() {
  curl_easy_cleanup(handles_->easy);
  curl_multi_cleanup(handles_->multi);
}

void CurlTransfer::Handles::Configure() {
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, message.data());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, options.tcp_keep_alive ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, kReceiveBufferBytes);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, Milliseconds(options.connect_timeout));
  curl_easy_setopt(
      easy, CURLOPT_MAXAGE_CONN,
      static_cast<long>(std::chrono::ceil<std::chrono::seconds>(options.max_idle_time).count()));
  if (options.max_lifetime) {
    curl_easy_setopt(
        easy, CURLOPT_MAXLIFETIME_CONN,
        static_cast<long>(std::chrono::ceil<std::chrono::seconds>(*options.max_lifetime).count()));
  }
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  // Its proxy variables are read by proxy.cc and must not be read again here.
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  if (ca_bundle) curl_easy_setopt(easy, CURLOPT_CAINFO, ca_bundle->c_str());
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, OnBody);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, OnHeader);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, OnProgress);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, OnBeforeRequest);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 4L);
  // A name server that does not answer must not block the destructor.
  curl_multi_setopt(multi, CURLMOPT_QUICK_EXIT, 1L);
}

void CurlTransfer::Handles::SetRequest(const HttpRequest& request, const std::string& url) {
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, nullptr);
  if (request.method == "GET" && request.body.empty()) {
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    return;
  }
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.empty() ? "" : request.body.data());
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  if (request.method != "POST") {
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
}

void CurlTransfer::Handles::SetProxy(const std::optional<Proxy>& proxy) {
  curl_easy_setopt(easy, CURLOPT_PROXY, proxy ? proxy->endpoint.Url().c_str() : "");
  const bool login = proxy && !proxy->user.empty();
  curl_easy_setopt(easy, CURLOPT_PROXYUSERNAME, login ? proxy->user.c_str() : nullptr);
  curl_easy_setopt(easy, CURLOPT_PROXYPASSWORD, login ? proxy->password.c_str() : nullptr);
}

Status CurlTransfer::Perform(const HttpRequest& request, const std::optional<Proxy>& proxy,
                             const CallLimits& limits, HttpResponse& response) {
  Handles& handles = *handles_;
  if (handles.easy == nullptr || handles.multi == nullptr) {
    return Fail(ErrorKind::kInternal, "libcurl cannot be initialized");
  }
  const Endpoint& endpoint = request.endpoint;
  const std::string place = endpoint.Authority();
  handles.SetRequest(request, endpoint.scheme + "://" + endpoint.HostHeader() + request.path);
  handles.SetProxy(proxy);
  const Slist headers = HeaderLines(request, handles.options.expect_continue);
  curl_easy_setopt(handles.easy, CURLOPT_HTTPHEADER, headers.get());
  Progress progress;
  progress.response = &response;
  progress.max_bytes = handles.options.max_response_bytes;
  progress.last_activity = std::chrono::steady_clock::now();
  for (const auto option :
       {CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA, CURLOPT_PREREQDATA}) {
    curl_easy_setopt(handles.easy, option, &progress);
  }
  handles.message[0] = '\0';
  const auto code = handles.Run(place, limits, progress);
  curl_easy_setopt(handles.easy, CURLOPT_HTTPHEADER, nullptr);
  if (!code) return Fail(code.error());
  if (*code != CURLE_OK) return Fail(handles.Explain(*code, place, proxy, progress));
  // libcurl takes a connection that ends among the headers for an empty body.
  if (!progress.headers_complete) {
    return Fail(MakeRetryable(ErrorKind::kUnavailable,
                              "the connection to " + place + " was lost among the headers"));
  }
  long status = 0;
  curl_easy_getinfo(handles.easy, CURLINFO_RESPONSE_CODE, &status);
  response.status = static_cast<int>(status);
  // Only proxies answer with it: the request has not reached its endpoint.
  if (proxy && response.status == kProxyAuthenticationRequired) {
    return Fail(ProxyRefusal(*proxy, place, response.status));
  }
  return {};
}

Result<CURLcode> CurlTransfer::Handles::Run(const std::string& place, const CallLimits& limits,
                                            const Progress& progress) {
  curl_multi_add_handle(multi, easy);
  std::optional<Error> stop;
  for (;;) {
    int running = 0;
    if (const CURLMcode failed = curl_multi_perform(multi, &running); failed != CURLM_OK) {
      stop =
          MakeError(ErrorKind::kInternal, std::string("libcurl: ") + curl_multi_strerror(failed));
      break;
    }
    if (running == 0) break;
    if (limits.cancellation.IsCancelled()) {
      stop = MakeError(ErrorKind::kCancelled, "the request to " + place + " was cancelled");
      break;
    }
    const auto now = std::chrono::steady_clock::now();
    if (limits.deadline && now >= *limits.deadline) {
      stop = MakeError(ErrorKind::kTimeout, "the time for the request to " + place + " is used up");
      break;
    }
    if (progress.response->times_sent > 0 &&
        now - progress.last_activity > options.socket_timeout) {
      stop = MakeRetryable(ErrorKind::kTimeout,
                           place + " sent nothing for " + Seconds(options.socket_timeout));
      break;
    }
    Duration wait = kWaitSlice;
    if (limits.deadline) wait = std::min<Duration>(wait, *limits.deadline - now);
    curl_multi_poll(multi, nullptr, 0, static_cast<int>(Milliseconds(wait)), nullptr);
  }
  CURLcode code = CURLE_OK;
  int queued = 0;
  while (const CURLMsg* done = curl_multi_info_read(multi, &queued)) {
    if (done->msg == CURLMSG_DONE) code = done->data.result;
  }
  // Closes the connection of a transfer that was stopped.
  curl_multi_remove_handle(multi, easy);
  if (stop) return Fail(*std::move(stop));
  return code;
}

Error CurlTransfer::Handles::Explain(CURLcode code, const std::string& place,
                                     const std::optional<Proxy>& proxy,
                                     const Progress& progress) const {
  const std::string via = proxy ? " through the proxy " + proxy->endpoint.Authority() : "";
  long os_error = 0;
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &os_error);
  std::string detail = message[0] != '\0' ? message.data() : curl_easy_strerror(code);
  if (progress.too_large) {
    return MakeError(ErrorKind::kInvalidData, "the answer of " + place +
                                                  " is larger than accepted (" +
                                                  std::to_string(progress.max_bytes) + " bytes)");
  }
  long tunnel_status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &tunnel_status);
  if (proxy && tunnel_status >= 400) {
    Error refusal = ProxyRefusal(*proxy, place, tunnel_status);
    // 5xx is a proxy in trouble rather than one that forbids.
    refusal.retryable = tunnel_status >= 500;
    return refusal;
  }
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return MakeRetryable(ErrorKind::kUnavailable,
                           "cannot connect to " + place +
                               ": the host name cannot be resolved (check the region and the "
                               "endpoint it is made of, and the name servers)");
    case CURLE_COULDNT_RESOLVE_PROXY:
      return MakeRetryable(ErrorKind::kUnavailable, "cannot connect to " + place + via +
                                                        ": the proxy's name cannot be resolved");
    case CURLE_COULDNT_CONNECT:
      if (os_error != 0) detail = std::strerror(static_cast<int>(os_error));
      return MakeRetryable(ErrorKind::kUnavailable,
                           "cannot connect to " + place + via + ": " + detail);
    case CURLE_OPERATION_TIMEDOUT:
      return MakeRetryable(
          ErrorKind::kUnavailable,
          "cannot connect to " + place + via + " within " + Seconds(options.connect_timeout));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
      return MakeError(ErrorKind::kUnavailable,
                       "the TLS certificate of " + place + " is not trusted: " + detail +
                           " (trusted certificates: " + ca_bundle.value_or("OpenSSL's default") +
                           "; http-client.ca-bundle or AWS_CA_BUNDLE names others)");
    case CURLE_SSL_CACERT_BADFILE:
      return MakeError(ErrorKind::kInvalidArgument,
                       "cannot read the trusted certificates in " +
                           ca_bundle.value_or("OpenSSL's default") +
                           " (http-client.ca-bundle, AWS_CA_BUNDLE or SSL_CERT_FILE): it must be a "
                           "readable PEM file");
    case CURLE_SSL_CONNECT_ERROR:
      return MakeRetryable(ErrorKind::kUnavailable,
                           "no TLS connection to " + place + via + ": " + detail);
    case CURLE_URL_MALFORMAT:
      return MakeError(ErrorKind::kInvalidArgument, place + ": " + detail);
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return MakeError(ErrorKind::kInvalidData, place + " does not answer in HTTP: " + detail);
    default:
      return MakeRetryable(ErrorKind::kUnavailable,
                           "the connection to " + place + via + " was lost: " + detail);
  }
}

}  // namespace gluecat::aws
