#include "store/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/cancellation.h"

namespace gluecat::store {
namespace {

constexpr auto kPatience = std::chrono::seconds(15);
constexpr auto kPause = std::chrono::milliseconds(5);
constexpr int kMarkAttempts = 20;
constexpr std::string_view kMarkPrefix = "process-";

std::unexpected<Error> Unusable(const std::string& path, int error) {
  return Fail(ErrorKind::kUnavailable,
              "cannot lock " + path + ": " + std::generic_category().message(error));
}

// The pid alone is not enough: containers that share a directory count from 1 each.
std::string MarkName() {
  struct stat status{};
  const bool known = stat("/proc/self/ns/pid", &status) == 0;
  return std::string(kMarkPrefix) + std::to_string(known ? status.st_ino : 0) + "-" +
         std::to_string(getpid()) + ".lock";
}

}  // namespace

// A file with an exclusive flock, which belongs to this open file and not to the process.
class DirectoryLock::LockedFile {
 public:
  // nullptr if somebody else holds it.
  static Result<std::unique_ptr<LockedFile>> TryOpen(const std::string& path, bool remove_at_end) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return Unusable(path, errno);
    std::unique_ptr<LockedFile> locked(new LockedFile(file));
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return nullptr;
      return Unusable(path, errno);
    }
    // Its last holder may have removed it in between: then the name is somebody else's by now.
    struct stat status{};
    if (fstat(file, &status) != 0 || status.st_nlink == 0) return nullptr;
    if (remove_at_end) locked->path_ = path;
    return locked;
  }

  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  ~LockedFile() {
    if (!path_.empty()) unlink(path_.c_str());
    close(file_);
  }

 private:
  explicit LockedFile(int file) : file_(file) {}
  int file_;
  std::string path_;
};

namespace {

// Marks of processes that were killed.
template <typename TryOpen>
void RemoveStaleMarks(const std::string& directory, TryOpen try_open) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    // Whoever holds its mark keeps it; taking a free one and letting go removes it.
    if (name.starts_with(kMarkPrefix)) static_cast<void>(try_open(entry.path().string(), true));
  }
}

}  // namespace

Result<DirectoryLock> DirectoryLock::Take(const std::string& directory, Clock& clock) {
  const std::filesystem::path folder(directory);
  const std::string opening_path = (folder / "gluecat.lock").string();
  std::unique_ptr<LockedFile> opening;
  for (auto waited = std::chrono::milliseconds(0);; waited += kPause) {
    GLUECAT_ASSIGN_OR_RETURN(opening, LockedFile::TryOpen(opening_path, false));
    if (opening) break;
    if (waited >= kPatience) return Unusable(opening_path, EWOULDBLOCK);
    clock.Sleep(kPause, CancellationToken());
  }
  RemoveStaleMarks(directory, LockedFile::TryOpen);

  // The marks this copy of the library holds; leaked, so that nothing runs at exit.
  static auto& mutex = *new std::mutex();
  static auto& marks = *new std::map<std::string, std::weak_ptr<LockedFile>>();
  const std::string path = (folder / MarkName()).string();
  const std::lock_guard lock(mutex);
  std::shared_ptr<LockedFile> mark = marks[path].lock();
  if (!mark) {
    std::unique_ptr<LockedFile> locked;
    // A store of ours that is being closed at this moment lets go at once.
    for (int attempt = 0; !locked && attempt < kMarkAttempts; ++attempt) {
      if (attempt > 0) clock.Sleep(kPause, CancellationToken());
      GLUECAT_ASSIGN_OR_RETURN(locked, LockedFile::TryOpen(path, true));
    }
    if (!locked) {
      return Fail(ErrorKind::kUnsupported,
                  "another copy of the gluecat library in this process has the directory open");
    }
    mark = std::move(locked);
    marks[path] = mark;
  }
  return DirectoryLock(std::move(opening), std::move(mark));
}

DirectoryLock::DirectoryLock(std::unique_ptr<LockedFile> opening, std::shared_ptr<LockedFile> mark)
    : opening_(std::move(opening)), mark_(std::move(mark)) {}
DirectoryLock::DirectoryLock(DirectoryLock&&) noexcept = default;
DirectoryLock::~DirectoryLock() = default;

void DirectoryLock::FinishOpening() { opening_.reset(); }

}  // namespace gluecat::store
