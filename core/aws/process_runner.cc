#include "core/aws/process_runner.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>

// NOLINTNEXTLINE(readability-redundant-declaration): POSIX declares it in no header.
extern char** environ;

namespace gluecat::aws {
namespace {

// A waiting thread looks this often whether its caller gave up, or the process ended.
constexpr int kWaitSliceMs = 20;

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  ~FileDescriptor() { Close(); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return descriptor_; }
  void Reset(int descriptor) {
    Close();
    descriptor_ = descriptor;
  }
  void Close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

 private:
  int descriptor_;
};

std::unexpected<Error> CannotStart(int cause) {
  return Fail(ErrorKind::kUnavailable,
              std::string("no process can be started: ") + std::strerror(cause));
}

// A process that leads a group of its own; killed and reaped at the latest here.
class ChildProcess {
 public:
  ChildProcess() = default;
  ~ChildProcess() {
    if (id_ > 0 && !status_) {
      ::kill(-id_, SIGKILL);
      Reap(0);
    }
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // 0, or the errno of the failure. `output` becomes its standard output.
  int Start(const std::string& command, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    // The JVM's files and sockets are none of its business.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    // Nor are the signals that the JVM blocks or ignores.
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes,
        static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = command;
    std::array<char*, 4> arguments = {shell.data(), option.data(), text.data(), nullptr};
    const int failure =
        posix_spawn(&id_, "/bin/sh", &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0) id_ = -1;
    return failure;
  }

  bool Ended() { return status_ || Reap(WNOHANG); }
  int exit_status() const { return status_.value_or(0); }

 private:
  bool Reap(int options) {
    int status = 0;
    pid_t reaped = 0;
    do {
      reaped = ::waitpid(id_, &status, options);
    } while (reaped < 0 && errno == EINTR);
    if (reaped == 0) return false;
    // A process that ignores SIGCHLD is not told how its children end.
    if (reaped < 0) {
      status_ = 0;
    } else {
      status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return true;
  }

  pid_t id_ = -1;
  std::optional<int> status_;
};

class SystemProcessRunner final : public ProcessRunner {
 public:
  Result<ProcessOutcome> Run(const std::string& command, std::size_t max_output,
                             const CallLimits& limits) override {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return CannotStart(errno);
    FileDescriptor reading(ends[0]);
    FileDescriptor writing(ends[1]);
    ::fcntl(reading.get(), F_SETFL, O_NONBLOCK);
    ChildProcess child;
    if (const int cause = child.Start(command, writing.get()); cause != 0) {
      return CannotStart(cause);
    }
    writing.Close();
    ProcessOutcome outcome;
    bool open = true;
    for (;;) {
      // Asked before reading: what an ended process printed is then all there.
      const bool ended = child.Ended();
      if (open) {
        open = Read(reading.get(), max_output, outcome.output);
        if (outcome.output.size() > max_output) {
          return Fail(ErrorKind::kInvalidData,
                      "it printed more than " + std::to_string(max_output) + " bytes");
        }
      }
      // Not waited for: the end of output that a child in the background holds open.
      if (ended) break;
      if (limits.cancellation.IsCancelled()) {
        return Fail(ErrorKind::kCancelled, "cancelled while it was running");
      }
      if (limits.deadline && std::chrono::steady_clock::now() >= *limits.deadline) {
        return Fail(ErrorKind::kTimeout, "it did not end in time and was killed");
      }
      pollfd wanted{reading.get(), POLLIN, 0};
      ::poll(&wanted, open ? 1 : 0, open ? kWaitSliceMs : 1);
    }
    outcome.exit_status = child.exit_status();
    return outcome;
  }

 private:
  // Appends what is there, a little more than `limit` at most; false at the end of the output.
  static bool Read(int descriptor, std::size_t limit, std::string& output) {
    std::array<char, 16384> chunk;
    while (output.size() <= limit) {
      const auto count = ::read(descriptor, chunk.data(), chunk.size());
      if (count == 0) return false;
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      output.append(chunk.data(), static_cast<std::size_t>(count));
    }
    return true;
  }
};

}  // namespace

std::shared_ptr<ProcessRunner> SystemProcesses() { return std::make_shared<SystemProcessRunner>(); }

}  // namespace gluecat::aws
