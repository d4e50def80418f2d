// The credentials that AssumeRole hands out, without remembering them.
//
// The session token holds who the caller became and until when, sealed with a
// key of the store's directory; the secret follows from the access key id and
// that key. So every server on the directory knows them, also after a restart,
// and no number of them takes memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/aws/credentials.h"
#include "core/base/clock.h"

namespace gluecat::server {

struct AssumedSession {
  std::string role_arn;
  std::string session_name;
  Timestamp expiration;
  std::string policy;  // the policy that was given to AssumeRole, as JSON; empty without one

  std::string account() const;  // of the role
  std::string arn() const;      // arn:aws:sts::<account>:assumed-role/<role>/<session>
};

class TemporaryCredentials {
 public:
  explicit TemporaryCredentials(std::string key) : key_(std::move(key)) {}

  aws::Credentials Issue(const AssumedSession& session) const;

  // The session of a token that came with `access_key_id`; nullopt if we did not
  // issue the two together. Expired ones are given too: it is the caller who looks at the clock.
  std::optional<AssumedSession> Open(std::string_view access_key_id,
                                     std::string_view session_token) const;

  std::string SecretOf(std::string_view access_key_id) const;

 private:
  std::string key_;
};

// The account that a role's ARN names; nullopt if it is not one.
std::optional<std::string> AccountOfRole(std::string_view role_arn);

// The account inside an access key id that Issue made; nullopt for others.
std::optional<std::string> AccountOfTemporaryKey(std::string_view access_key_id);

}  // namespace gluecat::server
