// What an operator should know of and no caller is told, because the call goes on.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gluecat {

// Thread-safe.
class Warnings {
 public:
  virtual ~Warnings() = default;

  // `text` is one line without a secret: what happened, and what to do.
  virtual void Warn(std::string_view text) = 0;
};

// To standard error, which is where Spark's own log goes: "WARN gluecat: …".
std::shared_ptr<Warnings> StandardErrorWarnings();

// Keeps them, for tests.
class KeptWarnings final : public Warnings {
 public:
  void Warn(std::string_view text) override;
  std::vector<std::string> texts() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> texts_;
};

}  // namespace gluecat
