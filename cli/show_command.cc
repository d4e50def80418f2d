#include "cli/show_command.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "cli/object_name.h"
#include "cli/text_table.h"
#include "core/aws/time_format.h"
#include "core/base/text.h"
#include "core/entry/description.h"
#include "core/entry/keys.h"
#include "core/entry/recognize.h"
#include "core/types/char_varchar.h"
#include "core/types/data_type.h"

namespace gluecat::cli {
namespace {

constexpr std::size_t kLongestValue = 160;  // characters of a parameter

// "Location   s3://…" lines; what is absent is left out.
class Facts {
 public:
  Facts& Add(std::string name, const std::optional<std::string>& value) {
    if (value && !value->empty()) table_.Add({std::move(name), *value});
    return *this;
  }
  void Write(std::ostream& out) const { table_.Write(out); }

 private:
  TextTable table_;
};

std::string TimeText(std::int64_t milliseconds) {
  return aws::FormatIso8601(Timestamp(std::chrono::milliseconds(milliseconds)));
}

void WriteParameters(const glue::Parameters& parameters, std::ostream& out) {
  TextTable table;
  bool any = false;
  for (const auto& [key, value] : parameters) {
    if (key.starts_with(entry::kSchema)) continue;  // shown as columns
    table.Add({key, OneLine(value, kLongestValue)});
    any = true;
  }
  if (!any) return;
  out << "\nParameters\n";
  table.Write(out, "  ");
}

// A column as it is shown, whoever said it.
struct ColumnLine {
  std::string name, type, comment;
};

std::vector<ColumnLine> LinesOf(const std::optional<std::vector<glue::Column>>& columns) {
  std::vector<ColumnLine> lines;
  if (!columns) return lines;
  for (const auto& column : *columns) {
    lines.push_back({column.name, column.type.value_or(""), column.comment.value_or("")});
  }
  return lines;
}

void WriteColumns(std::string_view title, const std::vector<ColumnLine>& lines, std::ostream& out) {
  if (lines.empty()) return;
  out << '\n' << title << '\n';
  const bool comments =
      std::ranges::any_of(lines, [](const auto& c) { return !c.comment.empty(); });
  TextTable table;
  for (const auto& line : lines) {
    std::vector<std::string> cells = {line.name, OneLine(line.type, kLongestValue)};
    if (comments) cells.push_back(line.comment);
    table.Add(std::move(cells));
  }
  table.Write(out, "  ");
}

// In Glue's words, and Spark's for types that Glue has no word for.
std::string TypeText(const types::DataType& type) {
  if (auto text = types::ToGlueType(type)) return *std::move(text);
  const bool simple = type.kind() == types::DataType::Kind::kSimple;
  return simple ? type.name() : types::ToApproximateGlueType(type);
}

void WriteColumns(const glue::Table& table, const entry::TableDescription& description,
                  std::ostream& out) {
  std::vector<ColumnLine> columns, keys;
  for (const auto& field : description.schema.fields) {
    const bool key = std::ranges::any_of(description.partition_columns, [&](const auto& name) {
      return EqualsIgnoreCase(name, field.name);
    });
    (key ? keys : columns)
        .push_back(
            {field.name, TypeText(types::DeclaredType(field)), field.Comment().value_or("")});
  }
  if (description.schema.fields.empty()) {
    if (table.storage_descriptor) columns = LinesOf(table.storage_descriptor->columns);
    keys = LinesOf(table.partition_keys);
  }
  WriteColumns("Columns", columns, out);
  WriteColumns("Partition keys", keys, out);
}

void WriteTable(const glue::Table& table, const ObjectName& name, std::ostream& out) {
  const entry::TableDescription description = entry::DescribeTable(table);
  const auto text = [](const auto& number) { return std::to_string(number); };
  Facts facts;
  facts.Add("Table", name.Text())
      .Add("Kind", std::string(entry::TableKindName(description.kind)))
      .Add("Format", description.provider)
      .Add("Cannot be used", description.reason)
      .Add("Location", description.location)
      .Add("Comment", description.comment)
      .Add("Owner", description.owner)
      .Add("TableType", table.table_type)
      .Add("Created", description.created_ms.transform(TimeText))
      .Add("VersionId", description.version_id);
  if (description.bucketing) {
    facts.Add("Buckets", text(description.bucketing->count) + " by " +
                             Join(description.bucketing->columns, ", "));
  }
  if (description.statistics) {
    facts.Add("Size in bytes", text(description.statistics->size_in_bytes))
        .Add("Rows", description.statistics->row_count.transform(text));
  }
  facts.Write(out);
  WriteColumns(table, description, out);
  WriteParameters(entry::ParametersOf(table), out);
}

void WriteDatabase(const glue::Database& database, std::ostream& out) {
  Facts facts;
  facts.Add("Database", database.name)
      .Add("Description", database.description)
      .Add("Location", database.location_uri)
      .Add("Catalog", database.catalog_id);
  if (database.create_time) {
    facts.Add("Created", TimeText(static_cast<std::int64_t>(*database.create_time * 1000)));
  }
  if (const auto& target = database.target_database) {
    facts.Add("Resource link to", target->database_name.value_or("?") + " of catalog " +
                                      target->catalog_id.value_or("?"));
  }
  facts.Write(out);
  WriteParameters(database.parameters, out);
}

void WriteDatabaseJson(const glue::Database& database, std::ostream& out) {
  JsonWriter writer;
  writer.BeginObject().Member("name", database.name);
  if (database.description) writer.Member("description", *database.description);
  if (database.location_uri) writer.Member("location", *database.location_uri);
  if (database.catalog_id) writer.Member("catalog_id", *database.catalog_id);
  if (database.create_time) {
    writer.Member("created_ms", static_cast<std::int64_t>(*database.create_time * 1000));
  }
  if (const auto& target = database.target_database) {
    writer.Key("resource_link").BeginObject();
    if (target->catalog_id) writer.Member("catalog_id", *target->catalog_id);
    if (target->database_name) writer.Member("database", *target->database_name);
    writer.EndObject();
  }
  writer.Key("parameters").BeginObject();
  for (const auto& [key, value] : database.parameters) writer.Member(key, value);
  writer.EndObject();
  out << writer.EndObject().text() << '\n';
}

}  // namespace

CLI::App* AddShowCommand(CLI::App& app, ShowOptions& options) {
  CLI::App* const command = app.add_subcommand(
      "show", "Describe a database or a table: kind, location, columns, parameters");
  command->add_option("object", options.object, "What to describe")
      ->type_name("DATABASE[.TABLE]")
      ->required();
  AddCatalogOptions(*command, options.catalog);
  command->footer(
      "Examples:\n  gluecat show sales\n"
      "  gluecat show sales.orders --glue-id 111111111111 --json");
  return command;
}

Status RunShow(const ShowOptions& options, const CatalogAccess& access, std::ostream& out) {
  GLUECAT_ASSIGN_OR_RETURN(const ObjectName name, ParseObjectName(options.object));
  if (!name.table) {
    const auto database = access.client.GetDatabase(name.database, {});
    if (!database) return Fail(WithContext(database.error(), name.Label()));
    options.catalog.json ? WriteDatabaseJson(*database, out) : WriteDatabase(*database, out);
    return {};
  }
  const auto table = access.client.GetTable(name.database, *name.table, {});
  if (!table) return Fail(WithContext(table.error(), name.Label()));
  if (!options.catalog.json) {
    WriteTable(*table, name, out);
    return {};
  }
  JsonWriter writer;
  writer.BeginObject().Member("database", name.database);
  entry::WriteDescription(entry::DescribeTable(*table), writer);
  out << writer.EndObject().text() << '\n';
  return {};
}

}  // namespace gluecat::cli
