// Any text as a policy: what is read can be decided by, a policy that only denies allows nothing,
// one that only allows denies nothing, and what is read reads the same without its white space.
//
// The first line is the action, the second the ARN (with "/" at its end: all below it), the rest
// the policy.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "server/policy.h"
#include "server/policy_evaluation.h"

namespace {

using namespace gluecat::server;

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool Has(const Policy& policy, Effect effect) {
  return std::ranges::any_of(policy.statements,
                             [&](const auto& each) { return each.effect == effect; });
}

ConditionValues Values() {
  ConditionValues values;
  values.principal_arn = "arn:aws:iam::111111111111:role/r";
  values.principal_account = "111111111111";
  values.requested_region = "eu-central-1";
  values.source_ip = "192.0.2.7";
  values.current_time = gluecat::Timestamp(std::chrono::seconds(1'700'000'000));
  return values;
}

void Check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const ActionName action{std::string(TakeLine(text)), "glue:GetTable"};
  const std::string arn(TakeLine(text));
  const ResourceName resource{arn, arn.ends_with('/')};
  const ConditionValues values = Values();
  const Access access{action, resource, values};

  if (const auto policy = ParseIdentityPolicy(text, kMaxIdentityPolicy)) {
    const auto verdict = Evaluate(*policy, access);
    Check(verdict != Verdict::kAllow || Has(*policy, Effect::kAllow));
    Check(verdict != Verdict::kDeny || Has(*policy, Effect::kDeny));
    const auto document = gluecat::JsonDocument::Parse(text);
    Check(document.has_value());
    const auto again = ParseIdentityPolicy(document->root());
    Check(again && Evaluate(*again, access) == verdict);
  }
  if (const auto policy = ParseResourcePolicy(text, "111111111111", "eu-central-1")) {
    const PrincipalNames caller{"222222222222", "arn:aws:iam::222222222222:role/r",
                                "arn:aws:sts::222222222222:assumed-role/r/me"};
    const auto verdict = EvaluateResourcePolicy(*policy, caller, access);
    Check(verdict != ResourceVerdict::kDeny || Has(*policy, Effect::kDeny));
    Check(verdict == ResourceVerdict::kDeny || verdict == ResourceVerdict::kNothing ||
          Has(*policy, Effect::kAllow));
  }
  return 0;
}
