// For tests: processes whose ends are written down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/aws/process_runner.h"

namespace gluecat::aws {

// Processes that end as they are told to, and what was run and until when.
class FakeProcesses final : public ProcessRunner {
 public:
  Result<ProcessOutcome> Run(const std::string& command, std::size_t,
                             const CallLimits& limits) override {
    commands.push_back(command);
    deadline = limits.deadline;
    return outcome;
  }

  Result<ProcessOutcome> outcome = ProcessOutcome{};
  std::vector<std::string> commands;
  std::optional<Deadline> deadline;
};

}  // namespace gluecat::aws
