// The outside world a credential chain looks at: environment variables, Java
// system properties and small configuration files. Injected, so that tests
// state exactly what is there.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace gluecat {

class Environment {
 public:
  virtual ~Environment() = default;

  // An environment variable; nullopt if unset. Empty values count as unset.
  virtual std::optional<std::string> Variable(std::string_view name) const = 0;

  // A Java system property handed down at open; nullopt if unset or blank.
  virtual std::optional<std::string> SystemProperty(std::string_view name) const = 0;

  // The content of a small file (at most 1 MiB).
  // Errors: kNotFound, kInvalidArgument (too large), kUnavailable (cannot be read).
  virtual Result<std::string> ReadFile(const std::string& path) const = 0;

  // Replaces a small file as a whole: nobody sees half of it, and only its owner can
  // read it. Errors: kUnavailable (cannot be written).
  virtual Status ReplaceFile(const std::string& path, std::string_view content) const = 0;
};

// The system property, else the environment variable: the AWS SDK for Java's order.
std::optional<std::string> PropertyOrVariable(const Environment& environment,
                                              std::string_view property, std::string_view variable);

// The process's environment and file system, with the given system properties.
std::shared_ptr<Environment> ProcessEnvironment(
    std::map<std::string, std::string> system_properties = {});

// A fixed environment, for tests.
class FixedEnvironment final : public Environment {
 public:
  std::map<std::string, std::string, std::less<>> variables;
  std::map<std::string, std::string, std::less<>> system_properties;
  mutable std::map<std::string, std::string, std::less<>> files;
  bool files_are_read_only = false;

  std::optional<std::string> Variable(std::string_view name) const override;
  std::optional<std::string> SystemProperty(std::string_view name) const override;
  Result<std::string> ReadFile(const std::string& path) const override;
  Status ReplaceFile(const std::string& path, std::string_view content) const override;
};

}  // namespace gluecat
