#include "core/aws/system_properties_provider.h"

#include <utility>

#include "core/base/text.h"

namespace gluecat::aws {

SystemPropertiesProvider::SystemPropertiesProvider(std::shared_ptr<const Environment> environment)
    : environment_(std::move(environment)) {}

Result<Credentials> SystemPropertiesProvider::Resolve(const CallLimits& limits) {
  (void)limits;
  const auto key = environment_->SystemProperty("aws.accessKeyId");
  auto secret = environment_->SystemProperty("aws.secretAccessKey");
  if (!secret) secret = environment_->SystemProperty("aws.secretKey");
  if (!key && !secret) return Fail(ErrorKind::kNotFound, "aws.accessKeyId is not set");
  if (!key || !secret) {
    return Fail(ErrorKind::kUnauthenticated,
                std::string("the system property ") +
                    (key ? "aws.secretAccessKey" : "aws.accessKeyId") + " is not set, but " +
                    (key ? "aws.accessKeyId" : "aws.secretAccessKey") + " is");
  }
  Credentials credentials;
  credentials.access_key_id = Trim(*key);
  credentials.secret_access_key = Trim(*secret);
  credentials.session_token = Trim(environment_->SystemProperty("aws.sessionToken").value_or(""));
  credentials.account_id = environment_->SystemProperty("aws.accountId").value_or("");
  credentials.provider = name();
  return credentials;
}

}  // namespace gluecat::aws
