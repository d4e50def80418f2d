// The command line of gluecat: its commands, how they are found and how they are run.
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/base/error.h"

namespace gluecat::cli {

// What the program is connected to.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;  // shows progress
};

class CommandLine {
 public:
  // What `streams` refers to must outlive it.
  CommandLine(const std::string& version, const Streams& streams);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Runs the command that `arguments` (without the program's name) ask for. Returns the exit
  // code (outcome.h).
  int Run(const std::vector<std::string>& arguments);

  // The commands and their options.
  CLI::App& app() { return app_; }

 private:
  struct Options;
  void AddCommands(const std::string& version);
  void AddTransfers();
  void AddOthers();
  void OnRun(CLI::App* command, std::function<int()> run);

  // What is wrong with `arguments`, which could not be parsed: with the nearest command or
  // option, where something like it exists.
  Error Misunderstood(const std::vector<std::string>& arguments, const CLI::ParseError& error);

  const Streams streams_;
  CLI::App app_;
  std::unique_ptr<Options> options_;
  std::vector<std::pair<CLI::App*, std::function<int()>>> commands_;
};

}  // namespace gluecat::cli
