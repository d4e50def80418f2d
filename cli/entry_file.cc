#include "cli/entry_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "core/aws/time_format.h"
#include "core/base/json.h"
#include "core/glue/codec.h"

namespace gluecat::cli {
namespace {

constexpr auto kTimes = std::to_array<std::string_view>(
    {"CreateTime", "UpdateTime", "LastAccessTime", "LastAnalyzedTime"});

// The entry inside its wrapper, if it has one.
JsonView Unwrapped(JsonView root, std::string_view structure) {
  const auto members = root.Members();
  if (members.size() != 1) return root;
  const auto& [name, value] = members.front();
  const bool wrapper = name == structure || name == std::string(structure) + "Input";
  return wrapper ? value : root;
}

// The entry in the API's own form: times are numbers.
Result<JsonDocument> Normalized(std::string_view json, std::string_view structure) {
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(json));
  const JsonView entry = Unwrapped(document.root(), structure);
  if (!entry.IsObject()) {
    return Fail(ErrorKind::kInvalidData,
                "the JSON is no " + std::string(structure) + ": it is not an object");
  }
  JsonWriter writer;
  writer.BeginObject();
  for (const auto& [name, value] : entry.Members()) {
    writer.Key(name);
    const bool time = std::ranges::find(kTimes, name) != kTimes.end();
    if (!time || !value.IsString()) {
      writer.Raw(value.Dump());
      continue;
    }
    const auto parsed = aws::ParseIso8601(*value.AsString());
    if (!parsed) {
      return Fail(ErrorKind::kInvalidData,
                  std::string(structure) + "." + std::string(name) + " is no time");
    }
    writer.Double(std::chrono::duration<double>(parsed->time_since_epoch()).count());
  }
  return JsonDocument::Parse(writer.EndObject().text());
}

}  // namespace

Result<glue::Table> ReadTableFile(std::string_view json) {
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, Normalized(json, "Table"));
  return glue::DecodeTable(document.root());
}

Result<glue::Database> ReadDatabaseFile(std::string_view json) {
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, Normalized(json, "Database"));
  return glue::DecodeDatabase(document.root());
}

}  // namespace gluecat::cli
