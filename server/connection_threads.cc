#include "server/connection_threads.h"

#include <system_error>
#include <utility>

namespace gluecat::server {

bool ConnectionThreads::enqueue(std::function<void()> connection) {
  JoinFinished();
  const std::lock_guard lock(mutex_);
  if (shut_down_ || running_.size() >= most_) return false;
  const auto place = running_.emplace(running_.end());
  try {
    *place = std::thread([this, place, connection = std::move(connection)] {
      {
        const Metrics::Present open(metrics_.open_connections());
        connection();
      }
      const std::lock_guard ending(mutex_);
      finished_.splice(finished_.end(), running_, place);
      ended_.notify_all();
    });
  } catch (const std::system_error&) {
    running_.erase(place);
    return false;
  }
  return true;
}

void ConnectionThreads::shutdown() {
  {
    std::unique_lock lock(mutex_);
    shut_down_ = true;
    ended_.wait(lock, [this] { return running_.empty(); });
  }
  JoinFinished();
}

void ConnectionThreads::JoinFinished() {
  std::list<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    threads.splice(threads.end(), finished_);
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace gluecat::server
