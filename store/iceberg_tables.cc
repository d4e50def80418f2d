#include "store/iceberg_tables.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "core/base/text.h"
#include "store/entry_text.h"
#include "store/iceberg_metadata.h"
#include "store/service_errors.h"

namespace gluecat::store {
namespace {

constexpr std::string_view kSuffix = ".metadata.json";
constexpr std::string_view kTableType = "table_type";
constexpr std::string_view kMetadataLocation = "metadata_location";
constexpr std::string_view kPreviousMetadataLocation = "previous_metadata_location";

// Random, version 4.
Result<std::string> NewUuid(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(auto select,
                           call.connection.Prepare("SELECT lower(hex(randomblob(16)))"));
  GLUECAT_RETURN_IF_ERROR(select.Step());
  std::string text(select.Text(0));
  text[12] = '4';
  text[16] = "89ab"[static_cast<unsigned char>(text[16]) % 4];
  for (const std::size_t at : {20, 16, 12, 8}) text.insert(at, 1, '-');
  return text;
}

// "00003-<uuid>.metadata.json"
std::string FileName(std::int64_t number, const std::string& uuid) {
  std::string digits = std::to_string(number);
  if (digits.size() < 5) digits.insert(0, 5 - digits.size(), '0');
  return digits + "-" + uuid + std::string(kSuffix);
}

// The number that the file behind `location` should have.
std::int64_t NextNumber(std::string_view location) {
  const std::string_view name = location.substr(location.rfind('/') + 1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || number < 0 || end == name.data() + name.size() || *end != '-')
    return 0;
  return number + 1;
}

std::string WithoutSlashes(std::string location) {
  while (location.ends_with('/')) location.pop_back();
  return location;
}

void WriteColumns(const IcebergSchema& schema, JsonWriter& writer) {
  writer.Key("Columns").BeginArray();
  for (const auto& column : schema.columns) {
    writer.BeginObject().Member("Name", column.name).Member("Type", column.glue_type);
    if (!column.doc.empty()) writer.Member("Comment", column.doc);
    writer.Key("Parameters").BeginObject();
    writer.Member("iceberg.field.id", std::to_string(column.id));
    writer.Member("iceberg.field.optional", column.required ? "false" : "true");
    writer.Member("iceberg.field.current", "true").EndObject().EndObject();
  }
  writer.EndArray();
}

// What the entry shows of `metadata`, beside the members that it has already (`entry`).
EntryChanges ChangesOf(const IcebergMetadata& metadata, JsonView entry,
                       std::string_view metadata_location, std::string_view previous) {
  JsonWriter storage;
  storage.BeginObject();
  WriteColumns(metadata.schema(), storage);
  storage.Member("Location", metadata.location());
  WriteMembers(entry["StorageDescriptor"], {"Columns", "Location"}, storage);
  JsonWriter parameters;
  parameters.BeginObject();
  WriteMembers(entry["Parameters"], {kTableType, kMetadataLocation, kPreviousMetadataLocation},
               parameters);
  parameters.Member(kTableType, "ICEBERG").Member(kMetadataLocation, metadata_location);
  if (!previous.empty()) parameters.Member(kPreviousMetadataLocation, previous);
  EntryChanges changes;
  changes.added.emplace_back("StorageDescriptor", storage.EndObject().Take());
  changes.added.emplace_back("Parameters", parameters.EndObject().Take());
  if (entry["TableType"].IsNull()) changes.added.emplace_back("TableType", "\"EXTERNAL_TABLE\"");
  return changes;
}

Result<int> FormatVersionOf(JsonView input) {
  const std::string version = input["Version"].StringOr("2");
  if (version == "1") return 1;
  if (version == "2") return 2;
  return InvalidInput("The Version " + version +
                      " of an Iceberg table is not supported: this catalog writes 1 and 2.");
}

}  // namespace

Result<IcebergCommit> CreateIcebergTable(Call& call) {
  const JsonView iceberg = call.request["OpenTableFormatInput"]["IcebergInput"];
  const JsonView input = call.request["TableInput"];
  if (iceberg.IsNull()) return InvalidInput("OpenTableFormatInput must have an IcebergInput.");
  for (const std::string_view member : {"PartitionKeys", "TargetTable", "ViewDefinition"}) {
    if (const JsonView given = input[member];
        !given.IsNull() && !(given.IsArray() && given.Elements().empty())) {
      return InvalidInput("An Iceberg table cannot have " + std::string(member) +
                          " in its TableInput; it is partitioned by a PartitionSpec.");
    }
  }
  if (!call.request["PartitionIndexes"].IsNull()) {
    return InvalidInput("An Iceberg table cannot have partition indexes.");
  }
  IcebergMetadata::NewTable table;
  table.now_ms = call.now_ms;
  GLUECAT_ASSIGN_OR_RETURN(table.format_version, FormatVersionOf(iceberg));
  const JsonView create = iceberg["CreateIcebergTableInput"];
  if (create.IsNull()) {
    const JsonView storage = input["StorageDescriptor"];
    table.location = WithoutSlashes(storage["Location"].StringOr(""));
    GLUECAT_ASSIGN_OR_RETURN(table.schema, IcebergSchema::FromColumns(storage["Columns"]));
  } else {
    table.location = WithoutSlashes(create["Location"].StringOr(""));
    GLUECAT_ASSIGN_OR_RETURN(table.schema, IcebergSchema::FromRequest(create["Schema"]));
  }
  GLUECAT_RETURN_IF_ERROR(call.warehouses.Check(table.location));
  GLUECAT_ASSIGN_OR_RETURN(table.uuid, NewUuid(call));
  GLUECAT_ASSIGN_OR_RETURN(
      const auto metadata,
      IcebergMetadata::Create(table, create["Schema"]["SchemaId"].IntOr(0), create["PartitionSpec"],
                              create["WriteOrder"], create["Properties"]));
  GLUECAT_ASSIGN_OR_RETURN(const auto file, NewUuid(call));
  GLUECAT_ASSIGN_OR_RETURN(auto written, call.warehouses.WriteMetadata(
                                             table.location, FileName(0, file), metadata.Json()));
  auto changes = ChangesOf(metadata, input, written, "");
  return IcebergCommit{std::move(written), std::move(changes)};
}

Result<IcebergCommit> UpdateIcebergTable(Call& call, JsonView entry) {
  const JsonView input = call.request["UpdateOpenTableFormatInput"]["UpdateIcebergInput"];
  if (input.IsNull()) {
    return InvalidInput("UpdateOpenTableFormatInput must have an UpdateIcebergInput.");
  }
  const auto updates = input["UpdateIcebergTableInput"]["Updates"].Elements();
  if (updates.empty()) return InvalidInput("Updates must not be empty.");
  const std::string previous = entry["Parameters"][kMetadataLocation].StringOr("");
  if (!EqualsIgnoreCase(entry["Parameters"][kTableType].AsString().value_or(""), "ICEBERG") ||
      previous.empty()) {
    return InvalidInput("Table " + entry["Name"].StringOr("") +
                        " is no Iceberg table: its parameters must have the table_type ICEBERG and "
                        "a metadata_location.");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto text, call.warehouses.ReadMetadata(previous));
  GLUECAT_ASSIGN_OR_RETURN(auto metadata, IcebergMetadata::Parse(text));
  for (const auto& update : updates) GLUECAT_RETURN_IF_ERROR(metadata.Apply(update));
  metadata.Continue(previous, call.now_ms);
  GLUECAT_ASSIGN_OR_RETURN(const auto file, NewUuid(call));
  GLUECAT_ASSIGN_OR_RETURN(
      auto written,
      call.warehouses.WriteMetadata(WithoutSlashes(metadata.location()),
                                    FileName(NextNumber(previous), file), metadata.Json()));
  auto changes = ChangesOf(metadata, entry, written, previous);
  // What the store itself gives an entry.
  changes.left_out = {
      "DatabaseName", "CreateTime", "UpdateTime", "CreatedBy", "IsRegisteredWithLakeFormation",
      "CatalogId",    "VersionId"};
  return IcebergCommit{std::move(written), std::move(changes)};
}

}  // namespace gluecat::store
