#include "cli/pretty_json.h"

#include <string_view>

namespace gluecat::cli {
namespace {

std::string Quoted(std::string_view text) {
  JsonWriter writer;
  return writer.String(text).Take();
}

void Append(std::string& text, JsonView json, std::size_t level) {
  const auto line = [&](std::size_t depth) { text.append(1, '\n').append(2 * depth, ' '); };
  const auto members = json.Members();
  const auto elements = json.Elements();
  if (!members.empty()) {
    text += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      line(level + 1);
      text += Quoted(members[i].first) + ": ";
      Append(text, members[i].second, level + 1);
      if (i + 1 < members.size()) text += ',';
    }
    line(level);
    text += '}';
  } else if (!elements.empty()) {
    text += '[';
    for (std::size_t i = 0; i < elements.size(); ++i) {
      line(level + 1);
      Append(text, elements[i], level + 1);
      if (i + 1 < elements.size()) text += ',';
    }
    line(level);
    text += ']';
  } else {
    text += json.Dump();
  }
}

}  // namespace

std::string PrettyJson(JsonView json) {
  std::string text;
  Append(text, json, 0);
  return text;
}

}  // namespace gluecat::cli
