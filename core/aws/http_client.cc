#include "core/aws/http_client.h"

namespace gluecat::aws {

std::string_view HttpResponse::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

void HttpResponse::Clear() {
  status = 0;
  headers.clear();
  body.clear();
  times_sent = 0;
}

}  // namespace gluecat::aws
