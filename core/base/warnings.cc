#include "core/base/warnings.h"

#include <cstdio>

namespace gluecat {
namespace {

class ToStandardError final : public Warnings {
 public:
  void Warn(std::string_view text) override {
    // In one piece: other threads, and the JVM, write there too.
    const std::string line = "WARN gluecat: " + std::string(text) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
};

}  // namespace

std::shared_ptr<Warnings> StandardErrorWarnings() { return std::make_shared<ToStandardError>(); }

void KeptWarnings::Warn(std::string_view text) {
  const std::lock_guard lock(mutex_);
  texts_.emplace_back(text);
}

std::vector<std::string> KeptWarnings::texts() const {
  const std::lock_guard lock(mutex_);
  return texts_;
}

}  // namespace gluecat
