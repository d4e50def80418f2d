#include "core/catalog/partition_operations.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/catalog/partition_listing.h"
#include "core/prune/predicate.h"

namespace gluecat::catalog {
namespace {

Result<entry::TableFormat> ReadFormat(JsonView json) {
  RequestReader reader(json);
  entry::TableFormat format;
  format.provider = reader.OptionalText("provider").value_or("");
  format.files.input_format = reader.OptionalText("input_format");
  format.files.output_format = reader.OptionalText("output_format");
  format.files.serialization_library = reader.OptionalText("serialization_library");
  format.files.serde_parameters = reader.StringMap("serde_parameters");
  format.parameters = reader.StringMap("parameters");
  GLUECAT_RETURN_IF_ERROR(reader.Finish());
  return format;
}

Answer ListPartitions(Call& call) {
  const auto target = ReadTable(call);
  const JsonView schema_json = call.reader.Value("partition_schema");
  const JsonView filter = call.reader.Value("filter");
  const JsonView projection = call.reader.Value("projection");
  PartitionQuery query;
  const JsonView format = call.reader.Value("format");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const types::StructType schema, types::ParseSparkSchema(schema_json));
  query.columns = PartitionColumnsOf(schema);
  if (!filter.IsMissing()) {
    GLUECAT_ASSIGN_OR_RETURN(query.filter, prune::ParsePredicate(filter));
  }
  if (!projection.IsMissing()) {
    RequestReader reader(projection);
    query.projection = {reader.StringMap("parameters"), reader.Text("location")};
    GLUECAT_RETURN_IF_ERROR(reader.Finish());
  }
  if (!format.IsMissing()) {
    GLUECAT_ASSIGN_OR_RETURN(query.format, ReadFormat(format));
    query.format->database = target.database;
    query.format->table = target.table;
  }
  return catalog::ListPartitions(call.catalog, target.database, target.table, query, call.context);
}

Result<IfMissing> ParseIfMissing(std::string_view mode) {
  if (mode == "fail") return IfMissing::kFail;
  if (mode == "ignore") return IfMissing::kIgnore;
  return Fail(ErrorKind::kInvalidArgument, "if_missing is '" + std::string(mode) + "'");
}

std::string CountAnswer(std::string_view member, std::size_t count) {
  JsonWriter writer;
  writer.BeginObject().Member(member, static_cast<std::int64_t>(count));
  return writer.EndObject().Take();
}

Result<std::vector<std::string>> ReadValues(JsonView json) {
  if (!json.IsArray()) {
    return Fail(ErrorKind::kInvalidArgument, "partition values are not a list");
  }
  std::vector<std::string> values;
  for (const JsonView element : json.Elements()) {
    if (!element.IsString()) {
      return Fail(ErrorKind::kInvalidArgument, "a partition value is not a string");
    }
    values.emplace_back(*element.AsString());
  }
  return values;
}

Answer AddPartitions(Call& call) {
  const auto target = ReadTable(call);
  const JsonView list = call.reader.List("partitions");
  const std::string mode = call.reader.Text("if_exists");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  IfExists if_exists = IfExists::kFail;
  if (mode == "ignore") {
    if_exists = IfExists::kIgnore;
  } else if (mode == "update") {
    if_exists = IfExists::kUpdate;
  } else if (mode != "fail") {
    return Fail(ErrorKind::kInvalidArgument, "if_exists is '" + mode + "'");
  }
  std::vector<NewPartition> partitions;
  for (const JsonView item : list.Elements()) {
    RequestReader reader(item);
    NewPartition partition;
    GLUECAT_ASSIGN_OR_RETURN(partition.values, ReadValues(reader.Value("values")));
    partition.location = reader.Text("location");
    partition.parameters = reader.StringMap("parameters");
    GLUECAT_RETURN_IF_ERROR(reader.Finish());
    partitions.push_back(std::move(partition));
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto added,
                           call.catalog.AddPartitions(target.database, target.table, partitions,
                                                      if_exists, call.context));
  JsonWriter writer;
  writer.BeginObject().Member("created", static_cast<std::int64_t>(added.created));
  return writer.Member("updated", static_cast<std::int64_t>(added.updated)).EndObject().Take();
}

Answer AlterPartitions(Call& call) {
  const auto target = ReadTable(call);
  const JsonView list = call.reader.List("partitions");
  const std::string mode = call.reader.Text("if_missing");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const IfMissing if_missing, ParseIfMissing(mode));
  std::vector<PartitionChange> changes;
  for (const JsonView item : list.Elements()) {
    RequestReader reader(item);
    PartitionChange change;
    GLUECAT_ASSIGN_OR_RETURN(change.values, ReadValues(reader.Value("values")));
    change.location = reader.OptionalText("location");
    change.parameters = reader.StringMap("parameters");
    change.table_format = reader.Flag("table_format", false);
    GLUECAT_RETURN_IF_ERROR(reader.Finish());
    changes.push_back(std::move(change));
  }
  GLUECAT_ASSIGN_OR_RETURN(const std::size_t altered,
                           call.catalog.AlterPartitions(target.database, target.table, changes,
                                                        if_missing, call.context));
  return CountAnswer("altered", altered);
}

Answer RenamePartition(Call& call) {
  const auto target = ReadTable(call);
  const JsonView values_json = call.reader.List("values");
  const JsonView to_values_json = call.reader.List("to_values");
  const auto location = call.reader.OptionalText("location");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const auto values, ReadValues(values_json));
  GLUECAT_ASSIGN_OR_RETURN(const auto to_values, ReadValues(to_values_json));
  GLUECAT_RETURN_IF_ERROR(call.catalog.RenamePartition(target.database, target.table, values,
                                                       to_values, location, call.context));
  return EmptyAnswer();
}

Answer DropPartitions(Call& call) {
  const auto target = ReadTable(call);
  const JsonView list = call.reader.List("partitions");
  const std::string mode = call.reader.Text("if_missing");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const IfMissing if_missing, ParseIfMissing(mode));
  std::vector<std::vector<std::string>> values;
  for (const JsonView item : list.Elements()) {
    GLUECAT_ASSIGN_OR_RETURN(auto partition, ReadValues(item));
    values.push_back(std::move(partition));
  }
  GLUECAT_ASSIGN_OR_RETURN(
      const std::size_t dropped,
      call.catalog.DropPartitions(target.database, target.table, values, if_missing, call.context));
  return CountAnswer("dropped", dropped);
}

constexpr std::array kOperations = std::to_array<Operation>({
    {"list_partitions", &ListPartitions},
    {"add_partitions", &AddPartitions},
    {"alter_partitions", &AlterPartitions},
    {"rename_partition", &RenamePartition},
    {"drop_partitions", &DropPartitions},
});

}  // namespace

std::span<const Operation> PartitionOperations() { return kOperations; }

}  // namespace gluecat::catalog
