#include "cli/completion_command.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/choice.h"
#include "core/base/text.h"

namespace gluecat::cli {
namespace {

// What may stand behind an option, or as an argument.
struct Value {
  enum class Kind { kNone, kChoices, kFile, kOther };
  Kind kind = Kind::kNone;
  std::vector<std::string> choices;
};

struct OptionWords {
  std::string name;  // "--region"
  std::string description;
  Value value;
};

struct CommandWords {
  std::string name;
  std::string description;
  std::vector<OptionWords> options;
  Value arguments;
};

// The type of an option says it: FILE and DIR are files, words in lower case with bars between
// them are the choices.
Value ValueOf(const CLI::Option& option) {
  if (!option.get_positional() && option.get_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  if (type.find("FILE") != std::string::npos || type.find("DIR") != std::string::npos) {
    return {Value::Kind::kFile, {}};
  }
  if (type.find('|') == std::string::npos || type != ToLowerAscii(type)) {
    return {Value::Kind::kOther, {}};
  }
  Value value{Value::Kind::kChoices, {}};
  for (const auto choice : Split(type, '|')) value.choices.emplace_back(choice);
  return value;
}

CommandWords WordsOf(const CLI::App& command) {
  CommandWords words{command.get_name(), command.get_description(), {}, {}};
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_positional()) words.arguments = ValueOf(*option);
    for (const std::string& name : option->get_lnames()) {
      words.options.push_back({"--" + name, option->get_description(), ValueOf(*option)});
    }
  }
  return words;
}

template <typename Named>
std::vector<std::string> NamesOf(const std::vector<Named>& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

std::vector<CommandWords> CommandsOf(const CLI::App& app) {
  std::vector<CommandWords> commands;
  for (const CLI::App* const command : app.get_subcommands({})) {
    commands.push_back(WordsOf(*command));
  }
  const auto names = NamesOf(commands);
  for (auto& command : commands) {
    if (command.name == "help") command.arguments = {Value::Kind::kChoices, names};
  }
  return commands;
}

template <typename Named>
std::string Names(const std::vector<Named>& things) {
  return Join(NamesOf(things), " ");
}

// The lines that complete `value` in bash, at this indentation.
void WriteBashValue(const Value& value, std::ostream& out) {
  if (value.kind == Value::Kind::kFile) {
    out << "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "
           "\"$current\")";
  } else {
    out << "mapfile -t COMPREPLY < <(compgen -W '" << Join(value.choices, " ")
        << "' -- \"$current\")";
  }
}

void WriteBash(const std::vector<CommandWords>& commands, const CommandWords& program,
               std::ostream& out) {
  out << R"(# bash completion of gluecat: source <(gluecat completion bash)
_gluecat() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' i
  # bash takes --option=value apart.
  if [[ $previous == '=' ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [[ $current == '=' ]]; then current=''; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi
  done
  COMPREPLY=()
  case $command:$previous in
)";
  for (const auto& command : commands) {
    for (const auto& option : command.options) {
      if (option.value.kind == Value::Kind::kNone) continue;
      out << "    " << command.name << ':' << option.name << ") ";
      if (option.value.kind != Value::Kind::kOther) {
        WriteBashValue(option.value, out);
        out << "; ";
      }
      out << "return ;;\n";
    }
  }
  out << "  esac\n  if [[ $current == -* ]]; then\n    local options=''\n    case $command in\n";
  const auto options = [&](const CommandWords& words, std::string_view pattern) {
    out << "      " << pattern << ") options='" << Names(words.options) << "' ;;\n";
  };
  for (const auto& command : commands) options(command, command.name);
  options(program, "''");
  out << R"(    esac
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    return
  fi
  case $command in
)";
  out << "    '') mapfile -t COMPREPLY < <(compgen -W '" << Names(commands)
      << "' -- \"$current\") ;;\n";
  for (const auto& command : commands) {
    const auto kind = command.arguments.kind;
    if (kind != Value::Kind::kFile && kind != Value::Kind::kChoices) continue;
    out << "    " << command.name << ") ";
    WriteBashValue(command.arguments, out);
    out << " ;;\n";
  }
  out << "  esac\n}\ncomplete -F _gluecat gluecat\n";
}

// `text` inside single quotes.
std::string Quoted(std::string_view text, std::string_view quote) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += quote;
    } else {
      quoted += c;
    }
  }
  return "'" + quoted + "'";
}

// A description for zsh's _arguments, where brackets and colons mean something.
std::string ZshText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string ZshAction(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kChoices:
      return ":value:(" + Join(value.choices, " ") + ")";
    case Value::Kind::kFile:
      return ":file:_files";
    case Value::Kind::kOther:
      return ":value: ";
    case Value::Kind::kNone:
      return "";
  }
  return "";
}

void WriteZsh(const std::vector<CommandWords>& commands, std::ostream& out) {
  constexpr std::string_view kQuote = R"('\'')";
  out << "#compdef gluecat\n# zsh completion of gluecat: source <(gluecat completion zsh)\n"
         "_gluecat() {\n  local -a commands\n  commands=(\n";
  for (const auto& command : commands) {
    out << "    " << Quoted(command.name + ":" + command.description, kQuote) << '\n';
  }
  out << "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
         "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n";
  for (const auto& command : commands) {
    out << "    " << command.name << ")\n      _arguments";
    for (const auto& option : command.options) {
      const std::string text = option.name + "[" + ZshText(option.description) + "]";
      out << " \\\n        " << Quoted("*" + text + ZshAction(option.value), kQuote);
    }
    if (command.arguments.kind != Value::Kind::kNone) {
      out << " \\\n        " << Quoted("*" + ZshAction(command.arguments), kQuote);
    }
    out << " ;;\n";
  }
  out << "  esac\n}\ncompdef _gluecat gluecat\n";
}

void WriteFish(const std::vector<CommandWords>& commands, std::ostream& out) {
  constexpr std::string_view kQuote = R"(\')";
  out << "# fish completion of gluecat: gluecat completion fish | source\n"
         "complete -c gluecat -f\n";
  for (const auto& command : commands) {
    out << "complete -c gluecat -n __fish_use_subcommand -a " << command.name << " -d "
        << Quoted(command.description, kQuote) << '\n';
  }
  for (const auto& command : commands) {
    const std::string begin =
        "complete -c gluecat -n '__fish_seen_subcommand_from " + command.name + "'";
    const auto value = [&](const Value& of) {
      if (of.kind == Value::Kind::kChoices) out << " -a " << Quoted(Join(of.choices, " "), kQuote);
      if (of.kind == Value::Kind::kFile) out << " -F";
    };
    for (const auto& option : command.options) {
      out << begin << " -l " << option.name.substr(2) << " -d "
          << Quoted(option.description, kQuote);
      if (option.value.kind != Value::Kind::kNone) out << " -r";
      value(option.value);
      out << '\n';
    }
    const auto kind = command.arguments.kind;
    if (kind == Value::Kind::kFile || kind == Value::Kind::kChoices) {
      out << begin;
      value(command.arguments);
      out << '\n';
    }
  }
}

}  // namespace

CLI::App* AddCompletionCommand(CLI::App& app, CompletionOptions& options) {
  CLI::App* const command =
      app.add_subcommand("completion", "Print a script that lets a shell complete gluecat");
  CLI::Option* const shell = command->add_option("shell", options.shell, "Which shell");
  OnlyOneOf(*shell->required(), {"bash", "zsh", "fish"});
  command->footer(
      "Examples:\n  source <(gluecat completion bash)      # in ~/.bashrc\n"
      "  source <(gluecat completion zsh)       # in ~/.zshrc, behind compinit\n"
      "  gluecat completion fish > ~/.config/fish/completions/gluecat.fish");
  return command;
}

void WriteCompletion(const CompletionOptions& options, const CLI::App& app, std::ostream& out) {
  const auto commands = CommandsOf(app);
  if (options.shell == "bash") WriteBash(commands, WordsOf(app), out);
  if (options.shell == "zsh") WriteZsh(commands, out);
  if (options.shell == "fish") WriteFish(commands, out);
}

}  // namespace gluecat::cli
