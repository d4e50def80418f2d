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

// One line "gluecat: …" and one of advice, or with `json` the error object of
// docs/waist.md. `label` names the catalog and may be empty.
void WriteError(std::ostream& out, const Error& error, std::string_view label, bool json);

}  // namespace gluecat::cli
