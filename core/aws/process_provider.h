// Credentials that a command prints: credential_process of a profile (AWS SDKs and
// Tools Reference Guide, "Process credential provider").
#pragma once

#include <memory>
#include <string>

#include "core/aws/client_runtime.h"
#include "core/aws/credentials.h"

namespace gluecat::aws {

// Runs the command on every Resolve: put a CachingProvider in front.
class ProcessProvider final : public CredentialsProvider {
 public:
  // `command` is for /bin/sh. `account_id` is that of the credentials where the
  // command does not say it.
  ProcessProvider(std::string command, std::string account_id, const ClientRuntime& runtime);
  std::string_view name() const override { return "credential_process"; }

  // The command has a minute, or what `limits` leave of it.
  // Errors, which name the program and neither its arguments nor its output:
  // kUnauthenticated (it ended with a status other than 0, or its credentials
  // have expired), kInvalidData (it printed something else than credentials, or
  // more than 64,000 bytes), kTimeout, kCancelled, kUnavailable.
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  const std::string command_;
  const std::string account_id_;
  const std::string label_;  // what may be shown of the command
  const std::shared_ptr<ProcessRunner> processes_;
  const std::shared_ptr<const Clock> clock_;
};

}  // namespace gluecat::aws
