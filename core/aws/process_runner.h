// Running a command of the machine and reading what it prints.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/aws/call_limits.h"
#include "core/base/result.h"

namespace gluecat::aws {

struct ProcessOutcome {
  // As shells count: 128 + n for a process ended by signal n.
  int exit_status = 0;
  std::string output;  // its standard output
};

// Thread-safe.
class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;

  // Runs `command` with /bin/sh and blocks until it has ended. Its standard input
  // is empty and its standard error ours, where its complaints belong: they are
  // in no message, since nobody knows whether they hold a secret. A process that
  // outlives `limits`, or prints more than `max_output` bytes, is killed together
  // with those it started.
  //
  // Errors, without the command in them: kTimeout, kCancelled, kInvalidData (too
  // much output), kUnavailable (no process can be started).
  virtual Result<ProcessOutcome> Run(const std::string& command, std::size_t max_output,
                                     const CallLimits& limits) = 0;
};

// Processes of this machine.
std::shared_ptr<ProcessRunner> SystemProcesses();

}  // namespace gluecat::aws
