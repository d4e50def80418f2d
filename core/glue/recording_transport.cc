#include "core/glue/recording_transport.h"

#include <algorithm>
#include <utility>

namespace gluecat::glue {

RecordingTransport::RecordingTransport(std::shared_ptr<Transport> target)
    : target_(std::move(target)) {}

std::optional<RecordingTransport::Scripted> RecordingTransport::TakeScripted(
    std::string_view operation, Effect effect) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(scripted_.begin(), scripted_.end(), [&](const Scripted& entry) {
    return entry.operation == operation && entry.effect == effect;
  });
  if (found == scripted_.end()) return std::nullopt;
  Scripted taken = std::move(*found);
  scripted_.erase(found);
  return taken;
}

Result<std::string> RecordingTransport::Call(std::string_view operation, std::string_view body,
                                             const CallContext& context) {
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back({std::string(operation), std::string(body)});
  }
  if (const auto scripted = TakeScripted(operation, Effect::kAction)) scripted->action();
  if (auto scripted = TakeScripted(operation, Effect::kAnswer)) return std::move(scripted->answer);
  if (target_ == nullptr) {
    return Fail(ErrorKind::kInternal, "no answer is scripted for " + std::string(operation));
  }
  Result<std::string> answer = target_->Call(operation, body, context);
  if (!TakeScripted(operation, Effect::kRepeat)) return answer;
  answer = target_->Call(operation, body, context);
  if (context.info != nullptr) *context.info = {2, true};
  return answer;
}

void RecordingTransport::AnswerNext(std::string_view operation, Result<std::string> answer) {
  const std::lock_guard lock(mutex_);
  scripted_.push_back({std::string(operation), Effect::kAnswer, std::move(answer), nullptr});
}

void RecordingTransport::RepeatNext(std::string_view operation) {
  const std::lock_guard lock(mutex_);
  scripted_.push_back({std::string(operation), Effect::kRepeat, std::string(), nullptr});
}

void RecordingTransport::BeforeNext(std::string_view operation, std::function<void()> action) {
  const std::lock_guard lock(mutex_);
  scripted_.push_back({std::string(operation), Effect::kAction, std::string(), std::move(action)});
}

std::vector<RecordedCall> RecordingTransport::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::vector<std::string> RecordingTransport::operations() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  names.reserve(calls_.size());
  for (const auto& call : calls_) names.push_back(call.operation);
  return names;
}

void RecordingTransport::Clear() {
  const std::lock_guard lock(mutex_);
  calls_.clear();
}

}  // namespace gluecat::glue
