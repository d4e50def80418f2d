#include "store/entry_text.h"

#include <algorithm>

namespace gluecat::store {

void WriteWithoutNulls(JsonView value, JsonWriter& writer) {
  switch (value.type()) {
    case JsonView::Type::kObject:
      writer.BeginObject();
      WriteMembers(value, {}, writer);
      writer.EndObject();
      return;
    case JsonView::Type::kArray:
      writer.BeginArray();
      for (const auto& element : value.Elements()) WriteWithoutNulls(element, writer);
      writer.EndArray();
      return;
    case JsonView::Type::kString:
      writer.String(*value.AsString());
      return;
    default:
      writer.Raw(value.Dump());
      return;
  }
}

void WriteMembers(JsonView object, std::initializer_list<std::string_view> except,
                  JsonWriter& writer) {
  for (const auto& [name, member] : object.Members()) {
    if (member.IsNull() || std::ranges::find(except, name) != except.end()) continue;
    writer.Key(name);
    WriteWithoutNulls(member, writer);
  }
}

std::string Answer(std::string_view key, std::string_view text) {
  std::string out;
  out.reserve(key.size() + text.size() + 8);
  out += "{\"";
  out += key;
  out += "\":";
  out += text;
  out += '}';
  return out;
}

}  // namespace gluecat::store
