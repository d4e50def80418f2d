#include "cli/command_line.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/completion_command.h"
#include "cli/outcome.h"
#include "cli/suggestion.h"

namespace gluecat::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CommandLineTest : public testing::Test {
 protected:
  // What the command line prints when it is run on its own.
  int Run(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    return CommandLine("1.2.3", streams_).Run(arguments);
  }

  std::vector<const CLI::App*> Commands() {
    const auto& app = command_line_.app();
    return app.get_subcommands([](const CLI::App*) { return true; });
  }

  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  Streams streams_{in_, out_, err_};
  CommandLine command_line_{"1.2.3", streams_};
};

// A value that an option of this type takes.
std::string ValueFor(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.starts_with("N:")) return "7";  // a number with bounds
  return type.substr(0, type.find('|'));
}

TEST_F(CommandLineTest, EveryCommandHasUsageOptionsAndAnExample) {
  EXPECT_EQ(Commands().size(), 12U);
  for (const CLI::App* const command : Commands()) {
    const std::string name = command->get_name();
    ASSERT_EQ(Run({name, "--help"}), kExitOk) << name;
    EXPECT_THAT(out_.str(), HasSubstr("Usage: gluecat " + name));
    EXPECT_THAT(out_.str(), HasSubstr("Options:")) << name;
    EXPECT_THAT(out_.str(), testing::ContainsRegex("Examples?:\n +[^\n]*gluecat " + name)) << name;
    const std::string help = out_.str();
    ASSERT_EQ(Run({"help", name}), kExitOk) << name;
    EXPECT_EQ(out_.str(), help);
    for (const CLI::Option* const option : command->get_options()) {
      EXPECT_FALSE(option->get_description().empty()) << name << " " << option->get_name();
    }
    ASSERT_EQ(Run({"--help"}), kExitOk);
    EXPECT_THAT(out_.str(), HasSubstr("  " + name + " "));
  }
}

TEST_F(CommandLineTest, EveryOptionOfTheHelpIsAccepted) {
  int tried = 0;
  for (const CLI::App* const command : Commands()) {
    std::vector<std::string> needed = {command->get_name()};
    for (const CLI::Option* const option : command->get_options()) {
      if (!option->get_required()) continue;
      if (!option->get_positional()) needed.push_back(option->get_name());
      needed.push_back(ValueFor(*option));
    }
    for (const CLI::Option* const option : command->get_options()) {
      if (option->get_positional() || option->get_name() == "--help") continue;
      for (const auto& name : option->get_lnames()) {
        auto arguments = needed;
        if (std::ranges::find(arguments, "--" + name) == arguments.end()) {
          arguments.push_back("--" + name);
          if (option->get_expected_max() > 0) arguments.push_back(ValueFor(*option));
        }
        for (const CLI::Option* const other : option->get_needs()) {
          arguments.push_back(other->get_name());
          if (other->get_expected_max() > 0) arguments.push_back(ValueFor(*other));
        }
        if (name == "help") continue;
        ++tried;
        CommandLine command_line("1", streams_);
        std::ranges::reverse(arguments);
        EXPECT_NO_THROW(command_line.app().parse(arguments))
            << command->get_name() << " --" << name;
      }
    }
  }
  EXPECT_GT(tried, 80);
}

TEST_F(CommandLineTest, SaysItsVersionAndItsCommands) {
  EXPECT_EQ(Run({"--version"}), kExitOk);
  EXPECT_EQ(out_.str(), "gluecat 1.2.3\n");
  ASSERT_EQ(Run({"help"}), kExitOk);
  const std::string help = out_.str();
  ASSERT_EQ(Run({"--help"}), kExitOk);
  EXPECT_EQ(out_.str(), help);
}

TEST_F(CommandLineTest, SuggestsTheNearest) {
  const struct {
    std::vector<std::string> arguments;
    std::string message;
  } cases[] = {
      {{"exprot", "d", "f"}, "there is no command 'exprot'; is it 'export'?"},
      {{"xyzzy"}, "there is no command 'xyzzy'\n"},
      {{"help", "pust"}, "is it 'put'?"},
      {{"ls", "--regoin", "x"}, "there is no option --regoin; is it --region?"},
      {{"ls", "--regoin=x"}, "there is no option --regoin; is it --region?"},
      {{"copy", "d", "--source-reigon", "x"}, "is it --source-region?"},
      {{"ls", "--frobnicate"}, "there is no option --frobnicate\n"},
      {{"import", "f", "--on-conflict", "ask"}, "--on-conflict"},
      {{"show"}, "object is required"},
      {{}, "A subcommand is required"},
  };
  for (const auto& [arguments, message] : cases) {
    EXPECT_EQ(Run(arguments), kExitUsage) << message;
    EXPECT_THAT(err_.str(), HasSubstr(message));
    EXPECT_EQ(out_.str(), "");
  }
}

TEST_F(CommandLineTest, WrongUsageIsAlsoSaidInJson) {
  EXPECT_EQ(Run({"ls", "--regoin", "x", "--json"}), kExitUsage);
  EXPECT_THAT(err_.str(), StartsWith("{"));
  EXPECT_THAT(err_.str(), HasSubstr(R"("kind":"invalid_argument")"));
}

TEST_F(CommandLineTest, CompletionKnowsEveryCommandAndOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    ASSERT_EQ(Run({"completion", shell}), kExitOk);
    const std::string script = out_.str();
    for (const CLI::App* const command : Commands()) {
      EXPECT_THAT(script, HasSubstr(command->get_name())) << shell;
      for (const CLI::Option* const option : command->get_options()) {
        for (const auto& name : option->get_lnames()) {
          EXPECT_THAT(script, HasSubstr(name)) << shell;
        }
      }
    }
    EXPECT_THAT(script, HasSubstr("fail skip replace")) << shell;
  }
  EXPECT_EQ(Run({"completion", "cmd"}), kExitUsage);
}

TEST(NearestTest, TakesTheFewestChanges) {
  const std::vector<std::string> words = {"export", "import", "ls", "put"};
  EXPECT_EQ(Nearest("exprot", words), "export");
  EXPECT_EQ(Nearest("improt", words), "import");
  EXPECT_EQ(Nearest("sl", words), "ls");
  EXPECT_EQ(Nearest("putt", words), "put");
  EXPECT_EQ(Nearest("x", words), std::nullopt);
  EXPECT_EQ(Nearest("anything", words), std::nullopt);
  EXPECT_EQ(Nearest(std::string(100'000, 'e'), words), std::nullopt);
}

}  // namespace
}  // namespace gluecat::cli
