#include "cli/list_command.h"

#include <algorithm>
#include <vector>

#include "cli/object_name.h"
#include "cli/text_table.h"
#include "core/entry/recognize.h"

namespace gluecat::cli {
namespace {

// A table as a listing shows it.
struct Line {
  std::string name;
  std::string kind;
  std::string format;
  std::string location;
  std::string reason;
};

Line LineOf(const glue::ListedTable& listed) {
  if (!listed.table) {
    return {listed.name, std::string(entry::TableKindName(entry::TableKind::kUnsupported)), "", "",
            "table " + listed.name + ": " + listed.table.error().message};
  }
  const glue::Table& table = *listed.table;
  entry::Recognized recognized = entry::Recognize(table);
  auto location = entry::ProviderLocation(table);
  return {table.name, std::string(entry::TableKindName(recognized.kind)), recognized.provider,
          location.value_or(""), recognized.reason};
}

void WriteDatabases(const std::vector<glue::Database>& databases, bool json, std::ostream& out) {
  if (json) {
    JsonWriter writer;
    writer.BeginArray();
    for (const auto& database : databases) {
      writer.BeginObject().Member("name", database.name);
      if (database.location_uri) writer.Member("location", *database.location_uri);
      if (database.description) writer.Member("description", *database.description);
      writer.EndObject();
    }
    out << writer.EndArray().text() << '\n';
    return;
  }
  TextTable text({"DATABASE", "LOCATION", "DESCRIPTION"});
  for (const auto& database : databases) {
    text.Add({database.name, database.location_uri.value_or(""),
              OneLine(database.description.value_or(""), 80)});
  }
  text.Write(out);
}

void WriteTables(const std::vector<Line>& lines, bool json, std::ostream& out) {
  if (json) {
    JsonWriter writer;
    writer.BeginArray();
    for (const Line& line : lines) {
      writer.BeginObject().Member("name", line.name).Member("kind", line.kind);
      if (!line.format.empty()) writer.Member("format", line.format);
      if (!line.location.empty()) writer.Member("location", line.location);
      if (!line.reason.empty()) writer.Member("reason", line.reason);
      writer.EndObject();
    }
    out << writer.EndArray().text() << '\n';
    return;
  }
  TextTable text({"TABLE", "KIND", "FORMAT", "LOCATION"});
  for (const Line& line : lines) text.Add({line.name, line.kind, line.format, line.location});
  text.Write(out);
}

}  // namespace

CLI::App* AddListCommand(CLI::App& app, ListOptions& options) {
  CLI::App* const command = app.add_subcommand("ls", "List the databases, or the tables of one");
  command->add_option("database", options.database, "Database whose tables to list")
      ->type_name("DATABASE");
  AddCatalogOptions(*command, options.catalog);
  command->footer(
      "Examples:\n  gluecat ls --region eu-central-1\n"
      "  gluecat ls sales --endpoint local:/var/lib/gluecat --json");
  return command;
}

Status RunList(const ListOptions& options, const CatalogAccess& access, std::ostream& out) {
  if (options.database.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(auto databases, access.client.GetDatabases({}));
    std::ranges::sort(databases, {}, &glue::Database::name);
    WriteDatabases(databases, options.catalog.json, out);
    return {};
  }
  GLUECAT_ASSIGN_OR_RETURN(const ObjectName name, ParseObjectName(options.database));
  if (name.table) {
    return Fail(ErrorKind::kInvalidArgument, "'" + options.database +
                                                 "' names a table; `gluecat show " + name.Text() +
                                                 "` describes it");
  }
  const auto tables = access.client.GetTables(name.database, {});
  if (!tables) return Fail(WithContext(tables.error(), name.Label()));
  std::vector<Line> lines;
  for (const auto& listed : *tables) lines.push_back(LineOf(listed));
  std::ranges::sort(lines, {}, &Line::name);
  WriteTables(lines, options.catalog.json, out);
  return {};
}

}  // namespace gluecat::cli
