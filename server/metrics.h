// What the server counts about itself, for `GET /metrics`.
//
// The number of series is bounded whatever clients send: an operation that the
// services do not know is counted as "other", and error codes are the ones that
// the services have.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/base/clock.h"

namespace gluecat::server {

class Metrics {
 public:
  Metrics(std::string version, Timestamp started)
      : version_(std::move(version)), started_(started) {}

  // A request that was answered. `service` is "glue" or "sts"; an empty `code` is success.
  void Count(std::string_view service, std::string_view operation, std::string_view code,
             Duration latency);

  // Counts one thing that exists as long as the object: a request, a connection.
  class Present {
   public:
    explicit Present(std::atomic<std::int64_t>& gauge) : gauge_(gauge) { ++gauge_; }
    Present(const Present&) = delete;
    Present& operator=(const Present&) = delete;
    ~Present() { --gauge_; }

   private:
    std::atomic<std::int64_t>& gauge_;
  };
  std::atomic<std::int64_t>& requests_in_flight() { return requests_in_flight_; }
  std::atomic<std::int64_t>& open_connections() { return open_connections_; }

  // Everything, in Prometheus' text format 0.0.4. Thread-safe, as all of this class is.
  std::string Text() const;

 private:
  struct Latency {
    std::array<std::uint64_t, 13> buckets{};  // not cumulative; beyond the last bound: only `count`
    std::uint64_t count = 0;
    double seconds = 0;
  };

  const std::string version_;
  const Timestamp started_;
  std::atomic<std::int64_t> requests_in_flight_{0};
  std::atomic<std::int64_t> open_connections_{0};
  mutable std::mutex mutex_;
  std::map<std::tuple<std::string, std::string, std::string>, std::uint64_t> requests_;
  std::map<std::pair<std::string, std::string>, Latency> latencies_;
};

}  // namespace gluecat::server
