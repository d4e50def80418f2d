#include "core/base/pretty_json.h"

#include <string_view>

namespace gluecat {
namespace {

void NewLine(std::size_t depth, std::string& out) { out.append("\n").append(2 * depth, ' '); }

void Append(JsonView value, std::size_t depth, std::string& out) {
  const bool object = value.IsObject();
  if (!object && !value.IsArray()) {
    out += value.Dump();
    return;
  }
  out += object ? '{' : '[';
  bool empty = true;
  const auto item = [&](std::string_view key, JsonView member) {
    if (!empty) out += ',';
    empty = false;
    NewLine(depth + 1, out);
    if (object) out.append(JsonWriter().String(key).Take()).append(": ");
    Append(member, depth + 1, out);
  };
  for (const auto& [key, member] : value.Members()) item(key, member);
  for (const auto& element : value.Elements()) item({}, element);
  if (!empty) NewLine(depth, out);
  out += object ? '}' : ']';
}

}  // namespace

std::string PrettyJson(JsonView value) {
  std::string out;
  Append(value, 0, out);
  return out;
}

}  // namespace gluecat
