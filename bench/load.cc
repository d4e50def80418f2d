// Sends one request again and again over several connections, and counts the answers: a client fast
// enough to measure a server with.
//
//   load PORT CLIENTS SECONDS OPERATION BODY
//
// Prints "requests_per_second <number>". Connections are kept open as long as the server does.
// Answers must have status 200; another ends the program with status 1. The signature is one that
// nobody checks.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

std::string RequestText(const std::string& operation, const std::string& body) {
  return "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
         "application/x-amz-json-1.1\r\nX-Amz-Target: AWSGlue." +
         operation +
         "\r\nX-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 "
         "Credential=123456789012/20260101/us-east-1/glue/aws4_request, "
         "SignedHeaders=host;x-amz-date, Signature=" +
         std::string(64, '0') + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

class Client {
 public:
  explicit Client(int port) : port_(port) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { Close(); }

  // False if the server did not answer with status 200.
  bool Call(std::string_view request) {
    if (socket_ < 0 && !Connect()) return false;
    if (!Send(request) || !Receive()) {
      // A server may close a connection that it had kept until now.
      Close();
      if (!Connect() || !Send(request) || !Receive()) return false;
    }
    return answer_.compare(8, 5, " 200 ") == 0;
  }

 private:
  void Close() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
  }

  bool Connect() {
    socket_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }

  bool Send(std::string_view data) const {
    while (!data.empty()) {
      const ssize_t sent = send(socket_, data.data(), data.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      data.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // False if there is nothing more to receive.
  bool More() {
    std::array<char, 64 * 1024> chunk;
    const ssize_t got = recv(socket_, chunk.data(), chunk.size(), 0);
    if (got > 0) answer_.append(chunk.data(), static_cast<std::size_t>(got));
    return got > 0;
  }

  // One answer, whose end a length, the last chunk, or the end of the connection says.
  bool Receive() {
    answer_.clear();
    std::size_t head = 0;
    while ((head = answer_.find("\r\n\r\n")) == std::string::npos) {
      if (!More()) return false;
    }
    head += 4;
    const std::string header = answer_.substr(0, head);
    if (const char* length = strcasestr(header.c_str(), "\r\nContent-Length:")) {
      const std::size_t size = head + std::strtoul(length + 17, nullptr, 10);
      while (answer_.size() < size) {
        if (!More()) return false;
      }
    } else if (strcasestr(header.c_str(), "\r\nTransfer-Encoding: chunked") != nullptr) {
      while (!answer_.ends_with("0\r\n\r\n")) {
        if (!More()) return false;
      }
    } else {
      while (More()) {
      }
    }
    if (strcasestr(header.c_str(), "\r\nConnection: close") != nullptr) Close();
    return true;
  }

  const int port_;
  int socket_ = -1;
  std::string answer_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) {
    std::fputs("usage: load PORT CLIENTS SECONDS OPERATION BODY\n", stderr);
    return 2;
  }
  using Clock = std::chrono::steady_clock;
  const int port = std::atoi(arguments[1]);
  const int clients = std::atoi(arguments[2]);
  const std::string request = RequestText(arguments[4], arguments[5]);
  const auto start = Clock::now();
  const auto end = start + std::chrono::seconds(std::atoi(arguments[3]));
  std::atomic<long> answers = 0;
  std::atomic<bool> failed = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&] {
      Client client(port);
      while (!failed && Clock::now() < end) {
        if (client.Call(request)) {
          ++answers;
        } else {
          failed = true;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  if (failed) {
    std::fputs("load: an answer was not a success\n", stderr);
    return 1;
  }
  const std::chrono::duration<double> taken = Clock::now() - start;
  std::printf("requests_per_second %.1f\n", static_cast<double>(answers) / taken.count());
}
