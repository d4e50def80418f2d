// The two AWS services that `gluecat serve` answers for, without the network:
// Glue (JSON 1.1) and STS (Query protocol).
#pragma once

#include <memory>
#include <utility>

#include "core/base/clock.h"
#include "server/accounts.h"
#include "server/authenticator.h"
#include "server/catalog_policies.h"
#include "server/glue_resources.h"
#include "server/message.h"
#include "server/metrics.h"
#include "server/request_log.h"
#include "server/temporary_credentials.h"
#include "store/store.h"

namespace gluecat::server {

class Service {
 public:
  // `accounts`, `log` and `metrics` may be null. Errors: kUnavailable (the store's directory).
  static Result<std::unique_ptr<Service>> Make(std::shared_ptr<store::Store> store,
                                               std::shared_ptr<const Accounts> accounts,
                                               std::shared_ptr<Clock> clock,
                                               std::unique_ptr<RequestLog> log,
                                               std::shared_ptr<Metrics> metrics);

  // Total: whatever the request is, there is an answer in its protocol's form. Thread-safe.
  Answer Handle(const Request& request);

  // Later requests are decided by these. Thread-safe. Only for a service that has accounts.
  void ReplaceAccounts(std::shared_ptr<const Accounts> accounts) {
    authenticator_.ReplaceAccounts(std::move(accounts));
  }

 private:
  Service(std::shared_ptr<store::Store> store, std::shared_ptr<const Accounts> accounts,
          std::shared_ptr<Clock> clock, std::unique_ptr<RequestLog> log,
          std::shared_ptr<Metrics> metrics, std::string key);

  Answer Dispatch(const Request& request, LogEntry& entry);
  Result<std::string> HandleGlue(const Request& request, LogEntry& entry);
  Result<std::string> HandleSts(const Request& request, LogEntry& entry);
  // Whether the caller may carry out `operation` on `target` in `region`, and by what.
  // Errors: AccessDeniedException.
  Result<CatalogAccess> Allow(const Caller& caller, const GlueTarget& target,
                              std::string_view operation, const std::string& region);
  // The store's answer to what the caller may do.
  Result<std::string> ExecuteAllowed(const Caller& caller, const GlueTarget& target,
                                     std::string_view operation, JsonView request);

  std::shared_ptr<store::Store> store_;
  std::shared_ptr<Clock> clock_;
  std::unique_ptr<RequestLog> log_;
  std::shared_ptr<Metrics> metrics_;
  CatalogPolicies catalog_policies_;
  TemporaryCredentials temporary_;
  Authenticator authenticator_;
};

}  // namespace gluecat::server
