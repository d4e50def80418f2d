// Who sent a request, and what its own policies say.
#pragma once

#include <memory>
#include <string>

#include "server/accounts.h"
#include "server/policy.h"

namespace gluecat::server {

struct Caller {
  std::string account;
  std::string arn;
  std::string user_id;    // as GetCallerIdentity calls it
  std::string user_name;  // empty for sessions
  std::string role_arn;   // of a session; empty for users
  std::string access_key_id;
  std::string region;   // of the signature
  std::string service;  // "glue" or "sts"
  std::string source_ip;
  bool secure_transport = false;
  // nullptr: everything is allowed (no accounts file). Keeps the accounts that it is of.
  std::shared_ptr<const Permissions> permissions;
  // The policy that the session was opened with; nullptr for users and without one.
  std::shared_ptr<const Policy> session_policy;
};

}  // namespace gluecat::server
