// `gluecat completion`: what a shell needs to complete commands, options and their values.
#pragma once

#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

namespace gluecat::cli {

struct CompletionOptions {
  std::string shell;  // "bash", "zsh" or "fish"
};

// Declares the subcommand; its arguments end up in `options`.
CLI::App* AddCompletionCommand(CLI::App& app, CompletionOptions& options);

// Writes the script for the shell. It is made from the commands of `app`, so it knows
// every option that they take, and asks nobody when it is used.
void WriteCompletion(const CompletionOptions& options, const CLI::App& app, std::ostream& out);

}  // namespace gluecat::cli
