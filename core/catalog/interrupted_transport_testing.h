// A transport that fails at a given call, in one of the ways in which calls fail in life.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json.h"
#include "core/glue/transport.h"

namespace gluecat::catalog {

enum class Interruption : std::uint8_t {
  kDiesBeforeCall,    // the process ends; the call is not sent, and none after it
  kDiesBeforeAnswer,  // the call is carried out, but the process does not live to see the answer
  kThrottled,         // this call is refused, those after it are not
  kPartialFailure,    // a batch is carried out but for its last item; other calls succeed
};

class InterruptedTransport final : public glue::Transport {
 public:
  // The first `calls` calls go to `target` undisturbed.
  InterruptedTransport(std::shared_ptr<glue::Transport> target, std::size_t calls,
                       Interruption interruption)
      : target_(std::move(target)), left_(calls), interruption_(interruption) {}

  Result<std::string> Call(std::string_view operation, std::string_view body,
                           const glue::CallContext& context) override {
    if (dead_) return Fail(ErrorKind::kUnavailable, "the process has ended");
    if (interrupted_ || left_-- > 0) return target_->Call(operation, body, context);
    interrupted_ = true;
    switch (interruption_) {
      case Interruption::kDiesBeforeAnswer:
        // Whatever came of it, nobody hears.
        static_cast<void>(target_->Call(operation, body, context).has_value());
        [[fallthrough]];
      case Interruption::kDiesBeforeCall:
        dead_ = true;
        return Fail(ErrorKind::kUnavailable, "the process has ended");
      case Interruption::kThrottled:
        return Fail(ErrorKind::kThrottled, "Rate exceeded");
      case Interruption::kPartialFailure:
        return AllButTheLast(operation, body, context);
    }
    return Fail(ErrorKind::kInternal, "no such interruption");
  }

 private:
  Result<std::string> AllButTheLast(std::string_view operation, std::string_view body,
                                    const glue::CallContext& context) {
    GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
    JsonWriter request;
    JsonView left_out;
    request.BeginObject();
    for (const auto& [name, value] : document.root().Members()) {
      request.Key(name);
      if (!IsBatch(name)) {
        request.Raw(value.Dump());
        continue;
      }
      const auto items = value.Elements();
      left_out = items.back();
      request.BeginArray();
      for (std::size_t i = 0; i + 1 < items.size(); ++i) request.Raw(items[i].Dump());
      request.EndArray();
    }
    if (left_out.IsMissing()) return target_->Call(operation, body, context);
    GLUECAT_RETURN_IF_ERROR(target_->Call(operation, request.EndObject().text(), context));
    JsonWriter answer;
    answer.BeginObject().Key("Errors").BeginArray().BeginObject();
    answer.Key("PartitionValues").Raw(left_out["Values"].Dump());
    answer.Key("ErrorDetail").BeginObject();
    answer.Member("ErrorCode", "InternalServiceException").Member("ErrorMessage", "try again");
    return answer.EndObject().EndObject().EndArray().EndObject().Take();
  }

  static bool IsBatch(std::string_view member) {
    return member == "PartitionInputList" || member == "PartitionsToDelete";
  }

  const std::shared_ptr<glue::Transport> target_;
  std::size_t left_;
  const Interruption interruption_;
  bool interrupted_ = false;
  bool dead_ = false;
};

}  // namespace gluecat::catalog
