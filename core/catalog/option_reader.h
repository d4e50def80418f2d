// Typed access to the options of a catalog, with the rules that hold for all of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace gluecat::catalog {

// Below these, keys are other people's.
inline constexpr std::string_view kProviderOptions = "client.credentials-provider.";
inline constexpr std::string_view kHadoopPrefix = "hadoop.";

// Blank values count as not set. Keys are matched without case; other
// people's keep it. The
// first bad value is remembered, not thrown.
class OptionReader {
 public:
  OptionReader(std::string catalog, const std::map<std::string, std::string>& options);

  // Keys, and values without blanks around them, of everything that is set.
  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }

  bool HasAnyBelow(std::string_view prefix) const;

  std::optional<std::string> Text(std::string_view key) const;

  // nullopt if not set. A value that is none of the documented ones is remembered
  // as an error, and what is returned then means nothing.
  std::optional<bool> Flag(std::string_view key);
  bool Flag(std::string_view key, bool fallback) { return Flag(key).value_or(fallback); }
  std::optional<std::int64_t> Integer(std::string_view key, std::int64_t least, std::int64_t most);
  // The text, if `valid` says so of it; `allowed` is for the message.
  std::optional<std::string> Checked(std::string_view key, bool (*valid)(std::string_view),
                                     std::string_view allowed);

  // Remembers that `key` has a value that cannot be used.
  void Bad(std::string_view key, std::string_view value, std::string_view allowed);
  // Remembers something else that is wrong with the options.
  void Wrong(std::string_view what);

  // kInvalidArgument, naming the catalog, the key, its value and what is allowed.
  const std::optional<Error>& error() const { return error_; }

  // A warning for every key of ours (glue., client., http-client.) that is not
  // known, with the nearest known one.
  std::vector<std::string> UnknownKeys() const;

 private:
  std::string catalog_;
  std::map<std::string, std::string, std::less<>> values_;
  std::optional<Error> error_;
};

// Every known key under glue., client. and http-client., besides the free-form
// client.credentials-provider.<key>.
const std::vector<std::string_view>& KnownKeys();

}  // namespace gluecat::catalog
