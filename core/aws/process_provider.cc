#include "core/aws/process_provider.h"

#include <algorithm>
#include <utility>

#include "core/aws/credentials_json.h"
#include "core/aws/time_format.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

constexpr std::size_t kMaxOutputBytes = 64'000;
constexpr auto kLongest = std::chrono::minutes(1);

// The program without its arguments, which may hold a secret.
std::string ProgramOf(std::string_view command) {
  command = Trim(command);
  if (command.starts_with('"')) {
    command.remove_prefix(1);
    return std::string(command.substr(0, command.find('"')));
  }
  return std::string(command.substr(0, command.find_first_of(" \t")));
}

}  // namespace

ProcessProvider::ProcessProvider(std::string command, std::string account_id,
                                 const ClientRuntime& runtime)
    : command_(std::move(command)),
      account_id_(std::move(account_id)),
      label_("credential_process " + ProgramOf(command_)),
      processes_(runtime.processes),
      clock_(runtime.retry->shared_clock()) {}

Result<Credentials> ProcessProvider::Resolve(const CallLimits& limits) {
  CallLimits bounded = limits;
  const Deadline latest = clock_->SteadyNow() + kLongest;
  bounded.deadline = limits.deadline ? std::min(*limits.deadline, latest) : latest;
  const auto outcome = processes_->Run(command_, kMaxOutputBytes, bounded);
  if (!outcome) return Fail(WithContext(outcome.error(), label_));
  if (outcome->exit_status != 0) {
    return Fail(ErrorKind::kUnauthenticated,
                label_ + " ended with status " + std::to_string(outcome->exit_status) +
                    "; run it by hand to see why (its complaints are on standard error)");
  }
  const auto document = JsonDocument::Parse(outcome->output);
  if (document && document->root().IsObject() && document->root()["Version"].IntOr(0) != 1) {
    return Fail(ErrorKind::kInvalidData,
                label_ + ": what it printed does not say \"Version\": 1, the only one there is");
  }
  auto credentials = ParseCredentialsJson(outcome->output, "SessionToken");
  if (!credentials) {
    return Fail(WithContext(
        std::move(credentials).error(),
        label_ + R"( must print {"Version": 1, "AccessKeyId": …, "SecretAccessKey": …} )" +
            "and nothing else"));
  }
  if (credentials->expiration && *credentials->expiration <= clock_->Now()) {
    return Fail(ErrorKind::kUnauthenticated, label_ + " gave credentials that expired at " +
                                                 FormatIso8601(*credentials->expiration));
  }
  if (credentials->account_id.empty()) credentials->account_id = account_id_;
  credentials->provider = label_;
  return credentials;
}

}  // namespace gluecat::aws
