#include "cli/profile_environment.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gluecat::cli {
namespace {

constexpr auto kKeys =
    std::to_array<std::string_view>({"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY",
                                     "AWS_SESSION_TOKEN", "AWS_WEB_IDENTITY_TOKEN_FILE"});

class ProfileEnvironment final : public Environment {
 public:
  ProfileEnvironment(std::shared_ptr<Environment> base, std::string profile)
      : base_(std::move(base)), profile_(std::move(profile)) {}

  std::optional<std::string> Variable(std::string_view name) const override {
    if (std::ranges::find(kKeys, name) != kKeys.end()) return std::nullopt;
    return base_->Variable(name);
  }
  std::optional<std::string> SystemProperty(std::string_view name) const override {
    return name == "aws.profile" ? profile_ : base_->SystemProperty(name);
  }
  Result<std::string> ReadFile(const std::string& path) const override {
    return base_->ReadFile(path);
  }
  Status ReplaceFile(const std::string& path, std::string_view content) const override {
    return base_->ReplaceFile(path, content);
  }

 private:
  const std::shared_ptr<Environment> base_;
  const std::string profile_;
};

}  // namespace

std::shared_ptr<Environment> WithProfile(std::shared_ptr<Environment> base, std::string profile) {
  if (profile.empty()) return base;
  return std::make_shared<ProfileEnvironment>(std::move(base), std::move(profile));
}

}  // namespace gluecat::cli
