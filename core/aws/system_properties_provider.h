// Credentials from the JVM's system properties.
#pragma once

#include <memory>

#include "core/aws/credentials.h"
#include "core/base/environment.h"

namespace gluecat::aws {

// aws.accessKeyId, aws.secretAccessKey (or aws.secretKey, its older name),
// aws.sessionToken, aws.accountId.
// Errors: kNotFound without aws.accessKeyId and secret; kUnauthenticated with
// only one of them.
class SystemPropertiesProvider final : public CredentialsProvider {
 public:
  explicit SystemPropertiesProvider(std::shared_ptr<const Environment> environment);
  std::string_view name() const override { return "system properties"; }
  Result<Credentials> Resolve(const CallLimits& limits) override;

 private:
  const std::shared_ptr<const Environment> environment_;
};

}  // namespace gluecat::aws
