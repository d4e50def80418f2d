#include "core/base/environment.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <utility>

namespace gluecat {
namespace {

constexpr std::size_t kMaxFileBytes = 1U << 20U;

template <typename Map>
std::optional<std::string> NonEmpty(const Map& map, std::string_view name) {
  const auto found = map.find(name);
  if (found == map.end() || found->second.find_first_not_of(" \t\r\n") == std::string::npos) {
    return std::nullopt;
  }
  return found->second;
}

class RealEnvironment final : public Environment {
 public:
  explicit RealEnvironment(std::map<std::string, std::string> system_properties)
      : system_properties_(system_properties.begin(), system_properties.end()) {}

  std::optional<std::string> Variable(std::string_view name) const override {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::string(value);
  }

  std::optional<std::string> SystemProperty(std::string_view name) const override {
    return NonEmpty(system_properties_, name);
  }

  Result<std::string> ReadFile(const std::string& path) const override {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      const int cause = errno;
      return Fail(
          cause == ENOENT || cause == ENOTDIR ? ErrorKind::kNotFound : ErrorKind::kUnavailable,
          "cannot open " + path + ": " + std::strerror(cause));
    }
    std::string content(kMaxFileBytes + 1, '\0');
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    if (file.bad()) return Fail(ErrorKind::kUnavailable, "cannot read " + path);
    content.resize(static_cast<std::size_t>(file.gcount()));
    if (content.size() > kMaxFileBytes) {
      return Fail(ErrorKind::kInvalidArgument, path + " is larger than 1 MiB");
    }
    return content;
  }

  Status ReplaceFile(const std::string& path, std::string_view content) const override {
    std::string draft = path + ".XXXXXX";
    const int file = ::mkstemp(draft.data());  // of mode 0600
    if (file < 0) return CannotWrite(path);
    const bool complete = WriteAll(file, content);
    if (::close(file) == 0 && complete && ::rename(draft.c_str(), path.c_str()) == 0) return {};
    const Status failure = CannotWrite(path);
    ::unlink(draft.c_str());
    return failure;
  }

 private:
  static Status CannotWrite(const std::string& path) {
    return Fail(ErrorKind::kUnavailable, "cannot write " + path + ": " + std::strerror(errno));
  }
  static bool WriteAll(int file, std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(file, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  std::map<std::string, std::string, std::less<>> system_properties_;
};

}  // namespace

std::optional<std::string> PropertyOrVariable(const Environment& environment,
                                              std::string_view property,
                                              std::string_view variable) {
  auto value = environment.SystemProperty(property);
  return value ? value : environment.Variable(variable);
}

std::shared_ptr<Environment> ProcessEnvironment(
    std::map<std::string, std::string> system_properties) {
  return std::make_shared<RealEnvironment>(std::move(system_properties));
}

std::optional<std::string> FixedEnvironment::Variable(std::string_view name) const {
  return NonEmpty(variables, name);
}

std::optional<std::string> FixedEnvironment::SystemProperty(std::string_view name) const {
  return NonEmpty(system_properties, name);
}

Result<std::string> FixedEnvironment::ReadFile(const std::string& path) const {
  const auto found = files.find(path);
  if (found == files.end()) return Fail(ErrorKind::kNotFound, "cannot open " + path);
  return found->second;
}

Status FixedEnvironment::ReplaceFile(const std::string& path, std::string_view content) const {
  if (files_are_read_only) return Fail(ErrorKind::kUnavailable, "cannot write " + path);
  files[path] = content;
  return {};
}

}  // namespace gluecat
