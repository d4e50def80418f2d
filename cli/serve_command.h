// `gluecat serve`.
#pragma once

#include <CLI/CLI.hpp>

#include "core/base/result.h"
#include "server/serve.h"

namespace gluecat::cli {

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddServeCommand(CLI::App& app, server::ServeOptions& options);

// Serves until stopped. Prints "listening on http://…" to standard output when it is ready.
Status RunServe(const server::ServeOptions& options);

}  // namespace gluecat::cli
