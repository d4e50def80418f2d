// Credentials from environment variables.
#pragma once

#include <memory>

#include "core/aws/credentials.h"
#include "core/base/environment.h"

namespace gluecat::aws {

// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY (or AWS_SECRET_KEY, its older name),
// AWS_SESSION_TOKEN, AWS_ACCOUNT_ID.
// Errors: kNotFound with neither of key and secret; kUnauthenticated with only
// one of them.
class EnvironmentProvider final : public CredentialsProvider {
 public:
  explicit EnvironmentProvider(std::shared_ptr<const Environment> environment);
  std::string_view name() const override { return "environment"; }
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  const std::shared_ptr<const Environment> environment_;
};

}  // namespace gluecat::aws
