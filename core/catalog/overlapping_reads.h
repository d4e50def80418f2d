// Reads of one object by many threads at once, with one request.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
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

// Whoever comes while a request for the same key is under way takes its answer too,
// unless this process has written something since that request was sent: then the
// answer may be older than what the reader knows to be done, and another request is
// sent. So there is one request however many threads read at once, and every reader
// sees what was written here before it began. What other processes wrote may be
// missing if they did so while the request was on its way: an answer is older than the
// call that gets it by at most the time of one request. Nothing is kept once the
// readers have their answer. Thread-safe.
template <typename T>
class OverlappingReads {
 public:
  using Read = std::function<Result<T>()>;

  // What `read` gives for `key`, which may be called on another thread of those
  // who wait. `written` is what glue::Client::WritesEnded said when the caller came.
  // Cancellation and deadline of `context` are each caller's own: nobody gets an
  // answer that somebody else's gave up on.
  Result<T> Get(const std::string& key, std::uint64_t written, const glue::CallContext& context,
                const Clock& clock, const Read& read) {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto found = under_way_.find(key);
      if (found == under_way_.end() || found->second->written < written) {
        const auto request = std::make_shared<Request>(written);
        under_way_.insert_or_assign(key, request);
        return Send(lock, key, request, context, clock, read);
      }
      const auto request = found->second;
      while (!request->answered) {
        if (auto over = Over(context, clock); !over) {
          return std::unexpected(std::move(over).error());
        }
        changed_.wait_for(lock, kWaitSlice);
      }
      if (request->answer) return *request->answer;
    }
  }

 private:
  struct Request {
    explicit Request(std::uint64_t so_far) : written(so_far) {}
    const std::uint64_t written;  // when it was sent, at least
    bool answered = false;
    std::optional<Result<T>> answer;  // nullopt once answered: its sender gave up
  };

  // A waiting thread looks this often whether its caller gave up.
  static constexpr auto kWaitSlice = std::chrono::milliseconds(20);

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
    // A newer one may have taken its place.
    if (const auto found = under_way_.find(key);
        found != under_way_.end() && found->second == request) {
      under_way_.erase(found);
    }
    changed_.notify_all();
    return answer;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::shared_ptr<Request>> under_way_;  // the newest of each key
};

}  // namespace gluecat::catalog
