#include "store/iceberg_warehouse.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/text.h"
#include "store/service_errors.h"

namespace gluecat::store {
namespace {

constexpr std::size_t kMaxMetadataBytes = std::size_t{64} << 20U;
constexpr mode_t kDirectoryMode = 0777;  // less the umask
constexpr mode_t kFileMode = 0666;

// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

std::unexpected<Error> Failed(std::string_view doing, const std::string& what, int error) {
  return Fail(ErrorKind::kUnavailable, "the store failed to " + std::string(doing) + " " + what +
                                           ": " + std::generic_category().message(error));
}

std::unexpected<Error> Refused(std::string_view location, std::string_view why) {
  return InvalidInput("The Iceberg location " + std::string(location) +
                      " is not possible: " + std::string(why) + ".");
}

// Directory `name` in `parent`; a symbolic link is none.
Result<Descriptor> OpenDirectory(const Descriptor& parent, const std::string& name, bool make,
                                 const std::string& location) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor directory(openat(parent.number(), name.c_str(), kFlags));
  if (!directory && errno == ENOENT && make) {
    if (mkdirat(parent.number(), name.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
      return Failed("make the directories of", location, errno);
    }
    if (fsync(parent.number()) != 0) return Failed("keep the directories of", location, errno);
    directory = Descriptor(openat(parent.number(), name.c_str(), kFlags));
  }
  if (directory) return directory;
  const int error = errno;
  if (error == ENOENT) return Refused(location, name + " is not there");
  if (error == ELOOP || error == ENOTDIR) {
    return Refused(location, name + " is no directory, or a symbolic link");
  }
  return Failed("open the directories of", location, error);
}

Result<Descriptor> OpenPath(const std::string& root, const std::vector<std::string>& components,
                            bool make, const std::string& location) {
  Descriptor directory(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return Failed("open the warehouse", root, errno);
  for (const auto& component : components) {
    GLUECAT_ASSIGN_OR_RETURN(directory, OpenDirectory(directory, component, make, location));
  }
  return directory;
}

Status WriteAll(const Descriptor& file, std::string_view text, const std::string& what) {
  while (!text.empty()) {
    const ssize_t written = write(file.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("write", what, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(file.number()) != 0) return Failed("write", what, errno);
  return {};
}

// The path below `root`, both absolute; nothing if it is not below.
bool TakePrefix(std::string_view& path, const std::string& root) {
  if (!path.starts_with(root) || path.size() <= root.size() + 1) return false;
  if (!root.ends_with('/') && path[root.size()] != '/') return false;
  path.remove_prefix(root.size());
  return true;
}

}  // namespace

Result<IcebergWarehouses> IcebergWarehouses::Of(const std::vector<std::string>& directories) {
  IcebergWarehouses warehouses;
  for (const auto& directory : directories) {
    std::error_code error;
    const auto canonical = std::filesystem::canonical(directory, error);
    if (error || !std::filesystem::is_directory(canonical, error)) {
      return Fail(ErrorKind::kInvalidArgument,
                  "the warehouse " + directory + " is no directory that exists: make it first");
    }
    std::string named = std::filesystem::absolute(directory).lexically_normal().string();
    while (named.size() > 1 && named.ends_with('/')) named.pop_back();
    warehouses.roots_.push_back({std::move(named), canonical.string()});
  }
  return warehouses;
}

Result<IcebergWarehouses::Place> IcebergWarehouses::PlaceOf(std::string_view location) const {
  if (roots_.empty()) {
    return Refused(location,
                   "this catalog writes no table metadata, for it has no warehouse directory "
                   "(gluecat serve --warehouse DIR)");
  }
  std::string_view path = location;
  if (!path.starts_with("file:/")) {
    return Refused(location,
                   "it must be a file: location below a warehouse directory of the server");
  }
  path.remove_prefix(std::string_view("file:").size());
  if (path.starts_with("//")) path.remove_prefix(2);
  if (!path.starts_with('/') || path.starts_with("//")) {
    return Refused(location, "it must be a file: location without a host");
  }
  if (std::ranges::any_of(path, [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
    return Refused(location, "it holds control characters");
  }
  for (const auto& root : roots_) {
    std::string_view below = path;
    if (!TakePrefix(below, root.named) && !TakePrefix(below, root.canonical)) continue;
    Place place{root.canonical, {}};
    for (const auto component : Split(below, '/')) {
      if (component.empty()) continue;
      if (component == "." || component == "..") {
        return Refused(location, "\".\" and \"..\" may not be in it");
      }
      place.components.emplace_back(component);
    }
    if (!place.components.empty()) return place;
  }
  return Refused(location, "it is not below a warehouse directory of the server");
}

Status IcebergWarehouses::Check(std::string_view location) const {
  GLUECAT_RETURN_IF_ERROR(PlaceOf(location));
  return {};
}

Result<std::string> IcebergWarehouses::WriteMetadata(const std::string& location,
                                                     const std::string& name,
                                                     std::string_view text) const {
  GLUECAT_ASSIGN_OR_RETURN(auto place, PlaceOf(location));
  place.components.emplace_back("metadata");
  GLUECAT_ASSIGN_OR_RETURN(const auto directory,
                           OpenPath(place.root, place.components, true, location));
  std::string base = location;
  while (base.ends_with('/')) base.pop_back();
  std::string target = base + "/metadata/" + name;
  const std::string temporary = "." + name + ".tmp";
  const auto discard = [&] { unlinkat(directory.number(), temporary.c_str(), 0); };
  {
    const Descriptor file(openat(directory.number(), temporary.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode));
    if (!file) return Failed("write", target, errno);
    if (auto written = WriteAll(file, text, target); !written) {
      discard();
      return Fail(std::move(written).error());
    }
  }
  if (renameat(directory.number(), temporary.c_str(), directory.number(), name.c_str()) != 0) {
    const int error = errno;
    discard();
    return Failed("write", target, error);
  }
  if (fsync(directory.number()) != 0) return Failed("write", target, errno);
  return target;
}

Result<std::string> IcebergWarehouses::ReadMetadata(const std::string& location) const {
  GLUECAT_ASSIGN_OR_RETURN(auto place, PlaceOf(location));
  const std::string name = place.components.back();
  place.components.pop_back();
  GLUECAT_ASSIGN_OR_RETURN(const auto directory,
                           OpenPath(place.root, place.components, false, location));
  const Descriptor file(
      openat(directory.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status = {};
  if (!file || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Refused(location, "there is no such metadata file");
  }
  if (static_cast<std::size_t>(status.st_size) > kMaxMetadataBytes) {
    return Refused(location, "the metadata file is larger than 64 MiB");
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const ssize_t count = read(file.number(), text.data() + length, text.size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failed("read", location, errno);
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
  }
  text.resize(length);
  return text;
}

void IcebergWarehouses::Discard(const std::string& location) const {
  auto place = PlaceOf(location);
  if (!place) return;
  const std::string name = place->components.back();
  place->components.pop_back();
  const auto directory = OpenPath(place->root, place->components, false, location);
  if (directory) unlinkat(directory->number(), name.c_str(), 0);
}

}  // namespace gluecat::store
