// Credentials that somebody else finds and hands down, such as a Java credentials
// provider on the JVM side.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/aws/credentials.h"
#include "core/base/clock.h"

namespace gluecat::aws {

class PushedProvider final : public CredentialsProvider {
 public:
  // `origin` names who hands them down, for messages: a class name.
  PushedProvider(std::string origin, std::shared_ptr<const Clock> clock);

  // Replaces what Resolve gives.
  void Push(Credentials credentials);

  std::string_view name() const override { return origin_; }

  // Errors: kUnauthenticated if there are none yet, they have expired, or the
  // service refused them and no others have been pushed since.
  Result<Credentials> Resolve(const CallLimits& limits) override;
  void Invalidate(const Credentials& refused) override;

 private:
  const std::string origin_;
  const std::shared_ptr<const Clock> clock_;
  std::mutex mutex_;
  std::optional<Credentials> credentials_;
  bool refused_ = false;
};

}  // namespace gluecat::aws
