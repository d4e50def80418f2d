// A request and an answer, as the protocols see them; HTTP itself is http_server's.
#pragma once

#include <string>

#include "core/aws/sigv4.h"

namespace gluecat::server {

struct Request {
  std::string method;
  std::string path = "/";  // as on the request line, without the query
  std::string query;
  aws::HeaderList headers;
  std::string body;
  std::string source_ip;  // of the peer of the connection
  bool tls = false;

  // The first header of this name (case-insensitive); empty if there is none.
  std::string_view Header(std::string_view name) const;
};

struct Answer {
  int status = 200;
  std::string content_type;
  std::string request_id;
  std::string body;
};

}  // namespace gluecat::server
