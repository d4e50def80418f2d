// Where the threads of a test wait for each other.
#pragma once

#include <condition_variable>
#include <mutex>

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

}  // namespace gluecat
