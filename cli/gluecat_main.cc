// The command `gluecat`.
#include <unistd.h>

#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/outcome.h"

int main(int argc, char** argv) {
  try {
    const gluecat::cli::Streams streams{std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0};
    gluecat::cli::CommandLine command_line(GLUECAT_VERSION, streams);
    return command_line.Run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::cerr << "gluecat: " << error.what() << '\n';
    return gluecat::cli::kExitFailed;
  }
}
