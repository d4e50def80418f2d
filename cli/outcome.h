// How a command ends: exit codes, and what is said about a failure.
#pragma once

#include <ostream>
#include <string_view>

#include "core/base/error.h"

namespace gluecat::cli {

// docs/command.md is the reference; they are public API.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;  // the command line cannot be understood; nothing was asked
inline constexpr int kExitNotFound = 3;

// kExitUsage for what was refused before any service was asked, kExitNotFound for
// an object that Glue does not have, else kExitFailed.
int ExitCodeOf(const Error& error);

// What to do about an error of this kind; empty if the message says it all.
std::string_view AdviceFor(const Error& error);

// What an error is about; each part may be empty.
struct ErrorSubject {
  std::string_view catalog = {};  // the label of CatalogAccess
  std::string_view glue_id = {};
  std::string_view object = {};  // "sales.orders"
};

// One line "gluecat: …" and one of advice, or with `json` the error object of
// docs/waist.md.
void WriteError(std::ostream& out, const Error& error, const ErrorSubject& subject, bool json);

}  // namespace gluecat::cli
