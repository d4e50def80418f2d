// What a Glue request is about: for decisions, messages and the request log.
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"

namespace gluecat::server {

struct Resource {
  std::string catalog_id;
  std::string database;  // as in the request; empty if it names none
  std::string table;

  // arn:aws:glue:<region>:<account>:table/<database>/<table>, database/<database> or catalog.
  std::string Arn(std::string_view region) const;
};

// `account` is the catalog of requests that name none.
Resource ResourceOf(std::string_view operation, JsonView request, std::string_view account);

}  // namespace gluecat::server
