// An identity that can sign requests, and where it comes from.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/aws/call_limits.h"
#include "core/base/clock.h"
#include "core/base/result.h"

namespace gluecat::aws {

struct Credentials {
  std::string access_key_id = {};
  std::string secret_access_key = {};
  std::string session_token = {};            // empty for long-lived keys
  std::optional<Timestamp> expiration = {};  // nullopt: never
  std::string account_id = {};               // empty if unknown
  std::string provider = {};                 // who gave them, for messages: "environment"

  // What may be shown of them: "AKIDEXAMPLE from environment". Neither the
  // secret nor the token is in it.
  std::string Describe() const;

  bool operator==(const Credentials&) const = default;
};

// Somebody who may know credentials. Thread-safe.
class CredentialsProvider {
 public:
  virtual ~CredentialsProvider() = default;

  // A short name for messages: "environment".
  virtual std::string_view name() const = 0;

  // The credentials to use now. May block, within `limits`.
  //
  // Errors: kNotFound means "not configured here", and its message says what is
  // missing: a chain goes on to its next member. Any other kind means that this
  // provider is configured and failed: a chain stops, because going on would
  // silently use another identity than the user asked for.
  virtual Result<Credentials> Resolve(const CallLimits& limits) = 0;

  // Says that the service refused `refused` as expired, so that the next Resolve
  // does not give them again if there are newer ones.
  virtual void Invalidate(const Credentials& refused) { (void)refused; }
};

}  // namespace gluecat::aws
