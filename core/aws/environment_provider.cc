#include "core/aws/environment_provider.h"

#include <utility>

#include "core/base/text.h"

namespace gluecat::aws {

EnvironmentProvider::EnvironmentProvider(std::shared_ptr<const Environment> environment)
    : environment_(std::move(environment)) {}

Result<Credentials> EnvironmentProvider::Resolve(const CallLimits& limits) {
  (void)limits;
  const auto key = environment_->Variable("AWS_ACCESS_KEY_ID");
  auto secret = environment_->Variable("AWS_SECRET_ACCESS_KEY");
  if (!secret) secret = environment_->Variable("AWS_SECRET_KEY");
  if (!key && !secret) return Fail(ErrorKind::kNotFound, "AWS_ACCESS_KEY_ID is not set");
  if (!key || !secret) {
    return Fail(ErrorKind::kUnauthenticated,
                std::string("the environment variable ") +
                    (key ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID") + " is not set, but " +
                    (key ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY") + " is");
  }
  Credentials credentials;
  credentials.access_key_id = Trim(*key);
  credentials.secret_access_key = Trim(*secret);
  credentials.session_token = Trim(environment_->Variable("AWS_SESSION_TOKEN").value_or(""));
  credentials.account_id = environment_->Variable("AWS_ACCOUNT_ID").value_or("");
  credentials.provider = name();
  return credentials;
}

}  // namespace gluecat::aws
