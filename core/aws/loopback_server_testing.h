// For tests: a server on 127.0.0.1 whose answers are raw bytes, so that it can
// misbehave in every way.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "core/aws/endpoint.h"
#include "core/base/text.h"

namespace gluecat::aws {

struct LoopbackRequest {
  std::string line;  // "POST / HTTP/1.1"
  std::string head;  // header lines
  std::string body;
  int connection = 0;  // counted from 1
  int number = 0;      // of this request on its connection, from 1

  // A header's value; empty if there is none.
  std::string Header(std::string_view name) const {
    for (auto text : Split(head, '\n')) {
      const auto colon = text.find(':');
      if (colon != std::string_view::npos && EqualsIgnoreCase(text.substr(0, colon), name)) {
        return std::string(Trim(text.substr(colon + 1)));
      }
    }
    return {};
  }
};

struct LoopbackReply {
  enum class Then { kKeep, kClose, kReset, kSilence };
  std::string bytes;
  Then then = Then::kKeep;
};

inline LoopbackReply HttpReply(int status, const std::string& body,
                               const std::string& more_headers = "") {
  return {"HTTP/1.1 " + std::to_string(status) + " Status\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n" + more_headers + "\r\n" + body,
          LoopbackReply::Then::kKeep};
}

// A socket that listens on a free port of 127.0.0.1.
struct LoopbackListener {
  int socket = -1;
  std::uint16_t port = 0;
};

// `backlog`: how many connections may wait to be accepted. Ends the test where there is no socket
// to be had.
inline LoopbackListener ListenOnLoopback(int backlog) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (listener < 0 || ::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(listener, backlog) != 0 ||
      ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    std::abort();
  }
  return {listener, ntohs(address.sin_port)};
}

class LoopbackServer {
 public:
  // Called for each request, on a thread of its connection.
  using Handler = std::function<LoopbackReply(const LoopbackRequest&)>;

  explicit LoopbackServer(Handler handler) : handler_(std::move(handler)) {
    const LoopbackListener listener = ListenOnLoopback(64);
    listener_ = listener.socket;
    port_ = listener.port;
    acceptor_ = std::thread([this] { Accept(); });
  }

  ~LoopbackServer() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
    }
    for (auto& thread : threads_) thread.join();
    for (const int socket : sockets_) ::close(socket);
    ::close(listener_);
  }

  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  std::uint16_t port() const { return port_; }
  Endpoint endpoint() const { return {"http", "127.0.0.1", port_, ""}; }
  int connections() const { return connections_; }
  int requests() const { return requests_; }

 private:
  void Accept() {
    while (!stopping_) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) continue;
      const int on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const int connection = ++connections_;
      const std::lock_guard lock(mutex_);
      sockets_.push_back(socket);
      threads_.emplace_back([this, socket, connection] { Serve(socket, connection); });
    }
  }

  static bool ReadMore(int socket, std::string& buffer) {
    char chunk[65536];
    const auto count = ::recv(socket, chunk, sizeof chunk, 0);
    if (count <= 0) return false;
    buffer.append(chunk, static_cast<std::size_t>(count));
    return true;
  }

  static bool Read(int socket, std::string& buffer, LoopbackRequest& request) {
    std::size_t head_end;
    while ((head_end = buffer.find("\r\n\r\n")) == std::string::npos) {
      if (!ReadMore(socket, buffer)) return false;
    }
    const auto line_end = buffer.find("\r\n");
    request.line = buffer.substr(0, line_end);
    request.head = buffer.substr(line_end, head_end - line_end);
    const auto length = request.Header("content-length");
    const std::size_t body_size = length.empty() ? 0 : std::stoul(length);
    while (buffer.size() < head_end + 4 + body_size) {
      if (!ReadMore(socket, buffer)) return false;
    }
    request.body = buffer.substr(head_end + 4, body_size);
    buffer.erase(0, head_end + 4 + body_size);
    return true;
  }

  static bool Write(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
      const auto count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  void Serve(int socket, int connection) {
    std::string buffer;
    LoopbackRequest request;
    request.connection = connection;
    while (Read(socket, buffer, request)) {
      ++request.number;
      ++requests_;
      const auto reply = handler_(request);
      if (!Write(socket, reply.bytes)) break;
      if (reply.then == LoopbackReply::Then::kClose) break;
      if (reply.then == LoopbackReply::Then::kReset) {
        const linger now{1, 0};
        ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        Close(socket);
        return;
      }
    }
    ::shutdown(socket, SHUT_RDWR);
  }

  void Close(int socket) {
    const std::lock_guard lock(mutex_);
    sockets_.remove(socket);
    ::close(socket);
  }

  const Handler handler_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<int> connections_{0};
  std::atomic<int> requests_{0};
  std::mutex mutex_;
  std::list<int> sockets_;
  std::list<std::thread> threads_;
  std::thread acceptor_;
};

// A port of 127.0.0.1 on which nobody listens.
inline std::uint16_t UnusedPort() {
  const LoopbackListener listener = ListenOnLoopback(1);
  ::close(listener.socket);
  return listener.port;
}

}  // namespace gluecat::aws
