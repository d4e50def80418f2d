#include "cli/partitions_command.h"

#include <limits>
#include <utility>
#include <vector>

#include "cli/object_name.h"
#include "cli/text_table.h"
#include "core/base/json.h"

namespace gluecat::cli {
namespace {

std::string LocationOf(const glue::Partition& partition) {
  return partition.storage_descriptor ? partition.storage_descriptor->location.value_or("") : "";
}

void WriteText(const std::vector<std::string>& keys, const std::vector<glue::Partition>& partitions,
               std::ostream& out) {
  std::vector<std::string> headings = keys;
  headings.emplace_back("LOCATION");
  TextTable text(std::move(headings));
  for (const auto& partition : partitions) {
    std::vector<std::string> cells = partition.values;
    cells.resize(keys.size());
    cells.push_back(LocationOf(partition));
    text.Add(std::move(cells));
  }
  text.Write(out);
}

void WriteJson(const std::vector<std::string>& keys, const std::vector<glue::Partition>& partitions,
               std::ostream& out) {
  JsonWriter writer;
  writer.BeginObject().Key("partition_keys").BeginArray();
  for (const auto& key : keys) writer.String(key);
  writer.EndArray().Key("partitions").BeginArray();
  for (const auto& partition : partitions) {
    writer.BeginObject().Key("values").BeginArray();
    for (const auto& value : partition.values) writer.String(value);
    writer.EndArray();
    if (const auto location = LocationOf(partition); !location.empty()) {
      writer.Member("location", location);
    }
    writer.EndObject();
  }
  out << writer.EndArray().EndObject().text() << '\n';
}

}  // namespace

CLI::App* AddPartitionsCommand(CLI::App& app, PartitionsOptions& options) {
  CLI::App* const command = app.add_subcommand("partitions", "List the partitions of a table");
  command->add_option("table", options.table, "Table")->type_name("DATABASE.TABLE")->required();
  command
      ->add_option("--where", options.where,
                   "Expression of Glue's language over the partition keys, which Glue evaluates")
      ->type_name("EXPRESSION");
  command->add_option("--limit", options.limit, "How many partitions at most")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  AddCatalogOptions(*command, options.catalog);
  command->footer(
      "Examples:\n  gluecat partitions sales.orders --limit 20\n"
      "  gluecat partitions sales.orders --where \"year = 2026 AND month IN (5, 6)\" --json");
  return command;
}

Status RunPartitions(const PartitionsOptions& options, const CatalogAccess& access,
                     std::ostream& out) {
  GLUECAT_ASSIGN_OR_RETURN(const ObjectName name, ParseTableName(options.table));
  const auto table = access.client.GetTable(name.database, *name.table, {});
  if (!table) return Fail(WithContext(table.error(), name.Label()));
  std::vector<std::string> keys;
  if (table->partition_keys) {
    for (const auto& key : *table->partition_keys) keys.push_back(key.name);
  }
  glue::PartitionQuery query;
  query.database = name.database;
  query.table = *name.table;
  query.expression = options.where;
  const auto partitions = access.client.GetPartitions(
      query, {}, options.limit.value_or(std::numeric_limits<std::size_t>::max()));
  if (!partitions) {
    return Fail(WithContext(partitions.error(), "partitions of " + name.Label()));
  }
  options.catalog.json ? WriteJson(keys, *partitions, out) : WriteText(keys, *partitions, out);
  return {};
}

}  // namespace gluecat::cli
