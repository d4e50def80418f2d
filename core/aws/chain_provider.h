// The first of several providers that is configured.
#pragma once

#include <memory>
#include <vector>

#include "core/aws/credentials.h"

namespace gluecat::aws {

class ChainProvider final : public CredentialsProvider {
 public:
  explicit ChainProvider(std::vector<std::shared_ptr<CredentialsProvider>> members);
  std::string_view name() const override { return "chain"; }

  // Asks the members in order. One that declines (kNotFound) is passed over; one
  // that fails ends the search with its failure, named.
  // Errors: kUnauthenticated if every member declines, with each one's reason;
  // otherwise the member's.
  Result<Credentials> Resolve(const CallLimits& limits) override;
  void Invalidate(const Credentials& refused) override;

 private:
  const std::vector<std::shared_ptr<CredentialsProvider>> members_;
};

}  // namespace gluecat::aws
