// The command `gluecat`.
#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/serve_command.h"

namespace {

int Run(int argc, char** argv) {
  CLI::App app("A Glue Data Catalog on your own machine", "gluecat");
  app.set_version_flag("--version", "gluecat " GLUECAT_VERSION);
  app.require_subcommand(1);
  gluecat::server::ServeOptions serve_options;
  serve_options.version = GLUECAT_VERSION;
  const CLI::App* const serve = gluecat::cli::AddServeCommand(app, serve_options);
  CLI11_PARSE(app, argc, argv);

  gluecat::Status outcome;
  if (serve->parsed()) outcome = gluecat::cli::RunServe(serve_options);
  if (outcome) return 0;
  std::cerr << "gluecat: " << outcome.error().message << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "gluecat: " << error.what() << '\n';
    return 1;
  }
}
