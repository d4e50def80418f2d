// Where the threads of a test wait for each other.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <set>
#include <thread>

#include "core/base/cancellation.h"
#include "core/base/clock.h"

namespace gluecat {

// A gate that a test opens when everybody is where it wants them.
class Gate {
 public:
  void Open() {
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
    }
    changed_.notify_all();
  }
  void Pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

// A clock that stands still and knows which threads have asked it, as those do that
// wait with a deadline.
class CountingClock final : public Clock {
 public:
  Timestamp Now() const override { return {}; }
  Deadline SteadyNow() const override {
    {
      const std::lock_guard lock(mutex_);
      threads_.insert(std::this_thread::get_id());
    }
    changed_.notify_all();
    return {};
  }
  bool Sleep(Duration /*duration*/, const CancellationToken& /*cancellation*/) override {
    return true;
  }

  // Waits until so many threads besides the calling one have asked.
  void AwaitOthers(std::size_t count) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return threads_.size() - threads_.count(std::this_thread::get_id()) >= count;
    });
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::set<std::thread::id> threads_;
};

}  // namespace gluecat
