// For tests: a clock that never waits, and an HTTP client whose answers are written down.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/aws/credentials.h"
#include "core/aws/http_client.h"
#include "core/aws/time_format.h"
#include "core/base/cancellation.h"
#include "core/base/clock.h"
#include "core/base/text.h"

namespace gluecat::aws {

class FakeClock final : public Clock {
 public:
  explicit FakeClock(Timestamp now = *ParseIso8601("2026-01-02T03:04:05Z")) : now_(now) {}

  Timestamp Now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  Deadline SteadyNow() const override {
    const std::lock_guard lock(mutex_);
    return steady_;
  }
  bool Sleep(Duration duration, const CancellationToken& cancellation) override {
    if (cancellation.IsCancelled()) return false;
    {
      const std::lock_guard lock(mutex_);
      sleeps_.push_back(duration);
    }
    Advance(duration);
    return true;
  }

  void Advance(Duration duration) {
    const std::lock_guard lock(mutex_);
    now_ += std::chrono::duration_cast<Timestamp::duration>(duration);
    steady_ += duration;
  }
  // Wall-clock time only, as when somebody sets the clock.
  void Set(Timestamp now) {
    const std::lock_guard lock(mutex_);
    now_ = now;
  }
  std::vector<Duration> sleeps() const {
    const std::lock_guard lock(mutex_);
    return sleeps_;
  }

 private:
  mutable std::mutex mutex_;
  Timestamp now_;
  Deadline steady_ = Deadline(std::chrono::hours(1));
  std::vector<Duration> sleeps_;
};

// One scripted outcome of Send.
struct FakeOutcome {
  HttpResponse response;
  std::optional<Error> error;
  // Called while the request is under way.
  std::function<void()> meanwhile;
};

inline FakeOutcome Answer(int status, std::string body, HeaderList headers = {}) {
  FakeOutcome outcome;
  outcome.response.status = status;
  outcome.response.body = std::move(body);
  outcome.response.headers = std::move(headers);
  outcome.response.headers.emplace_back("content-length",
                                        std::to_string(outcome.response.body.size()));
  outcome.response.times_sent = 1;
  return outcome;
}

// A failure below HTTP; `times_sent` as in HttpResponse.
inline FakeOutcome Failure(ErrorKind kind, int times_sent = 1, bool retryable = true) {
  FakeOutcome outcome;
  outcome.error = MakeError(kind, "test failure");
  outcome.error->retryable = retryable;
  outcome.response.times_sent = times_sent;
  return outcome;
}

class FakeHttpClient final : public HttpClient {
 public:
  struct Request {
    HttpRequest request;
    std::string body;
    std::string Header(std::string_view name) const {
      for (const auto& [key, value] : request.headers) {
        if (ToLowerAscii(key) == ToLowerAscii(name)) return value;
      }
      return {};
    }
  };

  // The last outcome repeats for ever.
  void Script(std::vector<FakeOutcome> outcomes) {
    const std::lock_guard lock(mutex_);
    outcomes_.assign(std::make_move_iterator(outcomes.begin()),
                     std::make_move_iterator(outcomes.end()));
  }

  Status Send(const HttpRequest& request, const CallLimits& limits,
              HttpResponse& response) override {
    FakeOutcome outcome;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back({request, std::string(request.body)});
      requests_.back().request.body = {};
      if (outcomes_.empty()) return Fail(ErrorKind::kInternal, "no outcome is scripted");
      outcome = outcomes_.front();
      if (outcomes_.size() > 1) outcomes_.pop_front();
    }
    if (limits.cancellation.IsCancelled()) return Fail(ErrorKind::kCancelled, "cancelled");
    if (outcome.meanwhile) outcome.meanwhile();
    response = outcome.response;
    if (outcome.error) return Fail(*outcome.error);
    return {};
  }

  std::vector<Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  mutable std::mutex mutex_;
  std::deque<FakeOutcome> outcomes_;
  std::vector<Request> requests_;
};

// A provider that does what it is told, and counts.
class FakeProvider final : public CredentialsProvider {
 public:
  explicit FakeProvider(std::function<Result<Credentials>(int)> resolve, std::string name = "fake")
      : resolve_(std::move(resolve)), name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  Result<Credentials> Resolve(const CallLimits&) override {
    int count = 0;
    {
      const std::lock_guard lock(mutex_);
      count = ++calls_;
    }
    return resolve_(count);
  }
  void Invalidate(const Credentials& refused) override {
    const std::lock_guard lock(mutex_);
    invalidated_.push_back(refused.access_key_id);
  }
  int calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  std::vector<std::string> invalidated() const {
    const std::lock_guard lock(mutex_);
    return invalidated_;
  }

 private:
  const std::function<Result<Credentials>(int)> resolve_;
  const std::string name_;
  mutable std::mutex mutex_;
  int calls_ = 0;
  std::vector<std::string> invalidated_;
};

}  // namespace gluecat::aws
