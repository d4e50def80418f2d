// A thread for each connection that is open.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include <httplib.h>

#include "server/metrics.h"

namespace gluecat::server {

// A connection keeps its thread until it is closed, also while its client says
// nothing. So there is no queue: what waited in one behind silent clients would wait
// for as long as these stay.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  // `most` connections at once; `metrics` counts the open ones and outlives this.
  ConnectionThreads(std::size_t most, Metrics& metrics) : most_(most), metrics_(metrics) {}

  // False, and the caller closes the connection, when there are `most` already, no
  // thread can be started, or after shutdown.
  bool enqueue(std::function<void()> connection) override;

  // Waits for the connections that are open.
  void shutdown() override;

 private:
  void JoinFinished();

  const std::size_t most_;
  Metrics& metrics_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::list<std::thread> running_;
  std::list<std::thread> finished_;  // to be joined
  bool shut_down_ = false;
};

}  // namespace gluecat::server
