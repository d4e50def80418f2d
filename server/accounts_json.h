// Reading the members of the accounts file. Unknown members are errors: a misspelt restriction
// must not be ignored. Every error is kInvalidArgument and names the place in the file.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace gluecat::server {

std::unexpected<Error> InvalidAccounts(const std::string& place, std::string_view what);

// That `json` is an object, with members of these names only, each at most once.
Status CheckMembers(JsonView json, const std::string& place,
                    std::initializer_list<std::string_view> allowed);

// Not empty.
Result<std::string> RequiredText(JsonView json, const std::string& place, std::string_view member);

// Empty if it is missing.
Result<std::vector<std::string>> TextList(JsonView json, const std::string& place,
                                          std::string_view member);

// The members of an object of named things; an error if it is there and no object, or if a name
// is empty or there twice.
Result<std::vector<std::pair<std::string, JsonView>>> NamedMembers(JsonView json,
                                                                   const std::string& place,
                                                                   std::string_view member);

}  // namespace gluecat::server
