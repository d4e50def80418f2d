// Who sent a request.
#pragma once

#include <memory>
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

  const Accounts* accounts() const { return accounts_.get(); }

 private:
  Result<Caller> Identify(const Request& request, const aws::Authorization& authorization) const;
  Result<Caller> IdentifyKnown(const Request& request, const aws::Authorization& authorization,
                               std::string& secret) const;
  Status CheckSignature(const Request& request, const aws::Authorization& authorization,
                        std::string_view secret) const;

  std::shared_ptr<const Accounts> accounts_;
  const TemporaryCredentials& temporary_;
  std::shared_ptr<Clock> clock_;
};

}  // namespace gluecat::server
