// Who sent a request.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "server/accounts.h"
#include "server/caller.h"
#include "server/message.h"
#include "server/temporary_credentials.h"

namespace gluecat::server {

class Authenticator {
 public:
  // Without `accounts`, any key is taken and no signature is checked.
  Authenticator(std::shared_ptr<const Accounts> accounts, const TemporaryCredentials& temporary,
                std::shared_ptr<Clock> clock);

  // Errors, with AWS's codes: MissingAuthenticationTokenException,
  // IncompleteSignatureException, UnrecognizedClientException (unknown key or token),
  // InvalidSignatureException (wrong secret, changed request, a clock more than 5
  // minutes off), ExpiredTokenException.
  Result<Caller> Authenticate(const Request& request, std::string_view service) const;

  // Of this moment; nullptr without accounts.
  std::shared_ptr<const Accounts> accounts() const;
  // Requests that run keep the ones they began with. Thread-safe. Not for one without accounts.
  void ReplaceAccounts(std::shared_ptr<const Accounts> accounts);

 private:
  Result<Caller> Identify(const Request& request, const aws::Authorization& authorization) const;
  Result<Caller> IdentifyKnown(const std::shared_ptr<const Accounts>& accounts,
                               const Request& request, const aws::Authorization& authorization,
                               std::string& secret) const;
  Status CheckSignature(const Request& request, const aws::Authorization& authorization,
                        std::string_view secret) const;

  mutable std::mutex accounts_mutex_;
  std::shared_ptr<const Accounts> accounts_;
  const TemporaryCredentials& temporary_;
  std::shared_ptr<Clock> clock_;
};

}  // namespace gluecat::server
