// A transport that remembers every call and can fail on demand: for tests that
// count requests, inspect them, or need Glue to misbehave.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/glue/transport.h"

namespace gluecat::glue {

// A call as it was sent.
struct RecordedCall {
  std::string operation;
  std::string body;
};

// Thread-safe.
class RecordingTransport final : public Transport {
 public:
  // Calls go to `target`, unless an answer was scripted for them. Without a
  // target every call needs a scripted answer; one that has none fails with
  // kInternal.
  explicit RecordingTransport(std::shared_ptr<Transport> target = nullptr);

  Result<std::string> Call(std::string_view operation, std::string_view body,
                           const CallContext& context) override;

  // The next call of `operation` gets this answer and does not reach the target.
  // Several for one operation are used in order.
  void AnswerNext(std::string_view operation, Result<std::string> answer);

  // The next call of `operation` reaches the target twice, as when the answer of
  // the first attempt is lost and the transport tries again: the caller gets the
  // second answer, and CallInfo says that the outcome of the first is unknown.
  void RepeatNext(std::string_view operation);

  // Runs `action` right before the next call of `operation` is passed on.
  void BeforeNext(std::string_view operation, std::function<void()> action);

  std::vector<RecordedCall> calls() const;
  // The operations only, in order.
  std::vector<std::string> operations() const;
  void Clear();

 private:
  enum class Effect : std::uint8_t { kAnswer, kRepeat, kAction };
  struct Scripted {
    std::string operation;
    Effect effect;
    Result<std::string> answer;
    std::function<void()> action;
  };
  std::optional<Scripted> TakeScripted(std::string_view operation, Effect effect);

  std::shared_ptr<Transport> target_;
  mutable std::mutex mutex_;
  std::vector<RecordedCall> calls_;
  std::deque<Scripted> scripted_;
};

}  // namespace gluecat::glue
