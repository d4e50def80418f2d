#include "core/aws/credentials.h"

namespace gluecat::aws {

std::string Credentials::Describe() const {
  return provider.empty() ? access_key_id : access_key_id + " from " + provider;
}

}  // namespace gluecat::aws
