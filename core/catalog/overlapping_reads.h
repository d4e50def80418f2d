// Reads of one object by many threads at once, with few requests and no stale answer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/glue/transport.h"

namespace gluecat::catalog {

// A reader must see everything that was written before it began, by whomever. So
// it never takes the answer of a request that was sent before: whoever comes while
// one is under way waits for its end, and those who waited then share one request.
// However many threads read at once, there are two requests: that of the first, and
// that of all others. Nothing is kept once they have their answer. Thread-safe.
template <typename T>
class OverlappingReads {
 public:
  using Read = std::function<Result<T>()>;

  // What `read` gives for `key`, which may be called on another thread of those
  // who wait. Cancellation and deadline of `context` are each caller's own: nobody
  // gets an answer that somebody else's gave up on.
  Result<T> Get(const std::string& key, const glue::CallContext& context, const Clock& clock,
                const Read& read) {
    std::unique_lock lock(mutex_);
    for (;;) {
      Line& line = lines_[key];
      if (line.running == nullptr) {
        // The first, or the one who goes for all who waited.
        const auto request =
            line.waiting != nullptr ? std::exchange(line.waiting, nullptr) : MakeRequest();
        line.running = request;
        return Send(lock, key, request, context, clock, read);
      }
      if (line.waiting == nullptr) line.waiting = MakeRequest();
      const auto mine = line.waiting;
      ++mine->readers;
      // Until it has its answer, or is to be sent and nobody has begun to.
      while (!mine->answered && lines_[key].running != nullptr) {
        if (auto over = Over(context, clock); !over) {
          if (--mine->readers == 0 && lines_[key].waiting == mine) lines_[key].waiting = nullptr;
          Forget(key);
          return std::unexpected(std::move(over).error());
        }
        changed_.wait_for(lock, kWaitSlice);
      }
      if (mine->answer) return *mine->answer;
      --mine->readers;
    }
  }

 private:
  struct Request {
    int readers = 0;  // who wait for it
    bool answered = false;
    std::optional<Result<T>> answer;  // nullopt once answered: its sender gave up
  };
  struct Line {
    std::shared_ptr<Request> running;  // sent and not answered yet
    std::shared_ptr<Request> waiting;  // of those who came since
  };

  // A waiting thread looks this often whether its caller gave up.
  static constexpr auto kWaitSlice = std::chrono::milliseconds(20);

  static std::shared_ptr<Request> MakeRequest() { return std::make_shared<Request>(); }

  static Status Over(const glue::CallContext& context, const Clock& clock) {
    if (context.cancellation.IsCancelled()) {
      return Fail(ErrorKind::kCancelled, "cancelled while waiting for another reader");
    }
    if (context.deadline && clock.SteadyNow() >= *context.deadline) {
      return Fail(ErrorKind::kTimeout, "the time is used up while waiting for another reader");
    }
    return {};
  }

  Result<T> Send(std::unique_lock<std::mutex>& lock, const std::string& key,
                 const std::shared_ptr<Request>& request, const glue::CallContext& context,
                 const Clock& clock, const Read& read) {
    lock.unlock();
    Result<T> answer = read();
    lock.lock();
    request->answered = true;
    if (answer || Over(context, clock)) request->answer = answer;
    lines_[key].running = nullptr;
    Forget(key);
    changed_.notify_all();
    return answer;
  }

  void Forget(const std::string& key) {
    const auto line = lines_.find(key);
    if (line != lines_.end() && line->second.running == nullptr &&
        line->second.waiting == nullptr) {
      lines_.erase(line);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Line> lines_;
};

}  // namespace gluecat::catalog
