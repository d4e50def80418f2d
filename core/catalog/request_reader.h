// Reads an operation's request strictly: what is missing, mistyped or unknown is
// an error, so that a misspelt member is never silently ignored.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/glue/model.h"

namespace gluecat::catalog {

// Reads remember the first error; call Finish() after the last one and use the
// values only if it succeeds.
class RequestReader {
 public:
  explicit RequestReader(JsonView request);

  std::string Text(std::string_view key);
  std::optional<std::string> OptionalText(std::string_view key);
  bool Flag(std::string_view key, bool fallback);
  glue::Parameters StringMap(std::string_view key);
  // The member as it is; missing if absent or null.
  JsonView Value(std::string_view key);
  JsonView List(std::string_view key);

  // Errors: kInvalidArgument.
  Status Finish();

 private:
  void Bad(std::string_view key, std::string_view problem);

  JsonView request_;
  std::set<std::string, std::less<>> read_;
  std::optional<Error> error_;
};

}  // namespace gluecat::catalog
