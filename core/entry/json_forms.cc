#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "core/entry/description.h"

namespace gluecat::entry {
namespace {

std::unexpected<Error> Bad(std::string message) {
  return Fail(ErrorKind::kInvalidArgument, std::move(message));
}

// The members of one JSON object of a request. A member of another type than
// expected is an error of the first call that asks for it.
class Reader {
 public:
  Reader(JsonView json, std::string what) : json_(json), what_(std::move(what)) {}

  Status CheckMembers(std::initializer_list<std::string_view> known) const {
    if (!json_.IsObject()) return Bad(what_ + " is not an object");
    for (const auto& [name, value] : json_.Members()) {
      if (std::ranges::find(known, name) == known.end()) {
        return Bad(what_ + ": unknown member '" + std::string(name) + "'");
      }
    }
    return {};
  }

  Result<std::string> Text(std::string_view name) const {
    const auto text = json_[name].AsString();
    if (!text) return Wrong(name, "a string");
    return std::string(*text);
  }

  Result<std::optional<std::string>> OptionalText(std::string_view name) const {
    if (json_[name].IsNull()) return std::nullopt;
    return Text(name);
  }

  // A member that must be there, and may be null.
  Result<std::optional<std::string>> NullableText(std::string_view name) const {
    if (json_[name].IsMissing()) return Wrong(name, "a string or null");
    return OptionalText(name);
  }

  Result<bool> Flag(std::string_view name, std::optional<bool> fallback = std::nullopt) const {
    const auto member = json_[name];
    if (member.IsNull() && fallback) return *fallback;
    const auto flag = member.AsBool();
    if (!flag) return Wrong(name, "true or false");
    return *flag;
  }

  Result<std::optional<std::int64_t>> OptionalNumber(std::string_view name) const {
    if (json_[name].IsNull()) return std::nullopt;
    const auto number = json_[name].AsInt();
    if (!number) return Wrong(name, "a whole number");
    return number;
  }

  Result<std::vector<std::string>> Texts(std::string_view name, bool needed) const {
    std::vector<std::string> texts;
    const auto member = json_[name];
    if (member.IsNull() && !needed) return texts;
    if (!member.IsArray()) return Wrong(name, "an array of strings");
    for (const auto& item : member.Elements()) {
      const auto text = item.AsString();
      if (!text) return Wrong(name, "an array of strings");
      texts.emplace_back(*text);
    }
    return texts;
  }

  Result<glue::Parameters> Map(std::string_view name) const {
    glue::Parameters map;
    const auto member = json_[name];
    if (member.IsNull()) return map;
    if (!member.IsObject()) return Wrong(name, "an object of strings");
    for (const auto& [key, value] : member.Members()) {
      const auto text = value.AsString();
      if (!text) return Wrong(name, "an object of strings");
      map.insert_or_assign(std::string(key), std::string(*text));
    }
    return map;
  }

  Result<ColumnPath> Path() const {
    GLUECAT_ASSIGN_OR_RETURN(auto path, Texts("path", true));
    if (path.empty()) return Wrong("path", "the names that lead to a column");
    return path;
  }

  Result<types::StructType> Schema(std::string_view name) const {
    auto schema = types::ParseSparkSchema(json_[name]);
    if (!schema)
      return Bad(what_ + ": member '" + std::string(name) + "': " + schema.error().message);
    return *std::move(schema);
  }

  Result<types::DataType> Type(std::string_view name) const {
    auto type = types::ParseSparkType(json_[name]);
    if (!type) return Bad(what_ + ": member '" + std::string(name) + "': " + type.error().message);
    return *std::move(type);
  }

  Result<ColumnPosition> Position(std::string_view name) const {
    const auto member = json_[name];
    if (member.AsString() == "first") return ColumnPosition{true, {}};
    const Reader reader(member, what_ + ": member '" + std::string(name) + "'");
    if (!member.IsObject()) return Wrong(name, R"("first" or {"after": column})");
    GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"after"}));
    GLUECAT_ASSIGN_OR_RETURN(auto after, reader.Text("after"));
    return ColumnPosition{false, std::move(after)};
  }

  JsonView json() const { return json_; }
  const std::string& what() const { return what_; }

 private:
  std::unexpected<Error> Wrong(std::string_view name, std::string_view expected) const {
    return Bad(what_ + ": member '" + std::string(name) + "' is not " + std::string(expected));
  }

  JsonView json_;
  std::string what_;
};

Result<std::optional<Bucketing>> ParseBucketing(JsonView json) {
  if (json.IsNull()) return std::nullopt;
  const Reader reader(json, "bucketing");
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"count", "columns", "sort_columns"}));
  Bucketing bucketing;
  GLUECAT_ASSIGN_OR_RETURN(const auto count, reader.OptionalNumber("count"));
  if (!count) return Bad("bucketing: member 'count' is missing");
  bucketing.count = *count;
  GLUECAT_ASSIGN_OR_RETURN(bucketing.columns, reader.Texts("columns", true));
  GLUECAT_ASSIGN_OR_RETURN(bucketing.sort_columns, reader.Texts("sort_columns", false));
  return bucketing;
}

// --- Changes: one parser per kind ----------------------------------------------

Result<TableChange> ParseSetProperty(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "key", "value"}));
  SetProperty change;
  GLUECAT_ASSIGN_OR_RETURN(change.key, reader.Text("key"));
  GLUECAT_ASSIGN_OR_RETURN(change.value, reader.Text("value"));
  return change;
}

Result<TableChange> ParseRemoveProperty(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "key"}));
  GLUECAT_ASSIGN_OR_RETURN(auto key, reader.Text("key"));
  return RemoveProperty{std::move(key)};
}

Result<TableChange> ParseSetComment(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "comment"}));
  GLUECAT_ASSIGN_OR_RETURN(auto comment, reader.NullableText("comment"));
  return SetComment{std::move(comment)};
}

Result<TableChange> ParseSetOwner(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "owner"}));
  GLUECAT_ASSIGN_OR_RETURN(auto owner, reader.Text("owner"));
  return SetOwner{std::move(owner)};
}

Result<TableChange> ParseSetLocation(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "location"}));
  GLUECAT_ASSIGN_OR_RETURN(auto location, reader.Text("location"));
  return SetLocation{std::move(location)};
}

// set_schema and convert_to_delta
template <typename Change>
Result<TableChange> ParseWholeSchema(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "schema", "partition_columns"}));
  Change change;
  GLUECAT_ASSIGN_OR_RETURN(change.schema, reader.Schema("schema"));
  GLUECAT_ASSIGN_OR_RETURN(change.partition_columns, reader.Texts("partition_columns", true));
  return change;
}

Result<TableChange> ParseSetOption(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "key", "value"}));
  SetOption change;
  GLUECAT_ASSIGN_OR_RETURN(change.key, reader.Text("key"));
  GLUECAT_ASSIGN_OR_RETURN(change.value, reader.Text("value"));
  return change;
}

Result<TableChange> ParseRemoveOption(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "key"}));
  GLUECAT_ASSIGN_OR_RETURN(auto key, reader.Text("key"));
  return RemoveOption{std::move(key)};
}

// nullopt without a size.
Result<std::optional<Statistics>> ReadStatistics(const Reader& reader) {
  GLUECAT_ASSIGN_OR_RETURN(const auto size, reader.OptionalNumber("size_in_bytes"));
  GLUECAT_ASSIGN_OR_RETURN(const auto rows, reader.OptionalNumber("row_count"));
  GLUECAT_ASSIGN_OR_RETURN(auto columns, reader.Map("columns"));
  if (!size) return std::nullopt;
  return Statistics{*size, rows, std::move(columns)};
}

Result<TableChange> ParseSetStatistics(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "size_in_bytes", "row_count", "columns"}));
  if (reader.json()["size_in_bytes"].IsMissing()) {
    return Bad(reader.what() + ": member 'size_in_bytes' is missing (null removes)");
  }
  SetStatistics change;
  GLUECAT_ASSIGN_OR_RETURN(change.statistics, ReadStatistics(reader));
  return change;
}

Result<TableChange> ParseAddColumn(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(
      reader.CheckMembers({"op", "path", "type", "nullable", "comment", "default", "position"}));
  AddColumn change;
  GLUECAT_ASSIGN_OR_RETURN(change.path, reader.Path());
  GLUECAT_ASSIGN_OR_RETURN(change.type, reader.Type("type"));
  GLUECAT_ASSIGN_OR_RETURN(change.nullable, reader.Flag("nullable", true));
  GLUECAT_ASSIGN_OR_RETURN(change.comment, reader.OptionalText("comment"));
  GLUECAT_ASSIGN_OR_RETURN(change.default_value, reader.OptionalText("default"));
  if (!reader.json()["position"].IsNull()) {
    GLUECAT_ASSIGN_OR_RETURN(change.position, reader.Position("position"));
  }
  return change;
}

Result<TableChange> ParseDeleteColumn(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "path", "if_exists"}));
  DeleteColumn change;
  GLUECAT_ASSIGN_OR_RETURN(change.path, reader.Path());
  GLUECAT_ASSIGN_OR_RETURN(change.if_exists, reader.Flag("if_exists", false));
  return change;
}

Result<TableChange> ParseRenameColumn(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "path", "to"}));
  RenameColumn change;
  GLUECAT_ASSIGN_OR_RETURN(change.path, reader.Path());
  GLUECAT_ASSIGN_OR_RETURN(change.to, reader.Text("to"));
  return change;
}

Result<TableChange> ParseUpdateColumnType(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "path", "type"}));
  UpdateColumnType change;
  GLUECAT_ASSIGN_OR_RETURN(change.path, reader.Path());
  GLUECAT_ASSIGN_OR_RETURN(change.type, reader.Type("type"));
  return change;
}

Result<TableChange> ParseUpdateColumnNullability(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "path", "nullable"}));
  UpdateColumnNullability change;
  GLUECAT_ASSIGN_OR_RETURN(change.path, reader.Path());
  GLUECAT_ASSIGN_OR_RETURN(change.nullable, reader.Flag("nullable"));
  return change;
}

Result<TableChange> ParseUpdateColumnComment(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "path", "comment"}));
  UpdateColumnComment change;
  GLUECAT_ASSIGN_OR_RETURN(change.path, reader.Path());
  GLUECAT_ASSIGN_OR_RETURN(change.comment, reader.NullableText("comment"));
  return change;
}

Result<TableChange> ParseUpdateColumnPosition(const Reader& reader) {
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"op", "path", "position"}));
  UpdateColumnPosition change;
  GLUECAT_ASSIGN_OR_RETURN(change.path, reader.Path());
  GLUECAT_ASSIGN_OR_RETURN(change.position, reader.Position("position"));
  return change;
}

struct ChangeParser {
  std::string_view op;
  Result<TableChange> (*parse)(const Reader&);
};

constexpr auto kParsers = std::to_array<ChangeParser>({
    {"set_property", ParseSetProperty},
    {"remove_property", ParseRemoveProperty},
    {"set_comment", ParseSetComment},
    {"set_owner", ParseSetOwner},
    {"set_location", ParseSetLocation},
    {"set_schema", ParseWholeSchema<SetSchema>},
    {"convert_to_delta", ParseWholeSchema<ConvertToDelta>},
    {"set_option", ParseSetOption},
    {"remove_option", ParseRemoveOption},
    {"set_statistics", ParseSetStatistics},
    {"add_column", ParseAddColumn},
    {"delete_column", ParseDeleteColumn},
    {"rename_column", ParseRenameColumn},
    {"update_column_type", ParseUpdateColumnType},
    {"update_column_nullability", ParseUpdateColumnNullability},
    {"update_column_comment", ParseUpdateColumnComment},
    {"update_column_position", ParseUpdateColumnPosition},
});

// --- Writing -----------------------------------------------------------------------

void WriteTexts(std::string_view name, const std::vector<std::string>& texts, JsonWriter& writer) {
  writer.Key(name).BeginArray();
  for (const auto& text : texts) writer.String(text);
  writer.EndArray();
}

void WriteMap(std::string_view name, const glue::Parameters& map, JsonWriter& writer) {
  writer.Key(name).BeginObject();
  for (const auto& [key, value] : map) writer.Member(key, value);
  writer.EndObject();
}

void WriteFormat(const TableFormat& format, JsonWriter& writer) {
  writer.Key("format").BeginObject();
  if (!format.provider.empty()) writer.Member("provider", format.provider);
  const auto& files = format.files;
  if (files.input_format) writer.Member("input_format", *files.input_format);
  if (files.output_format) writer.Member("output_format", *files.output_format);
  if (files.serialization_library) {
    writer.Member("serialization_library", *files.serialization_library);
  }
  WriteMap("serde_parameters", files.serde_parameters, writer);
  WriteMap("parameters", format.parameters, writer);
  writer.EndObject();
}

}  // namespace

void WriteDescription(const TableDescription& description, JsonWriter& writer) {
  writer.Member("name", description.name);
  writer.Member("kind", TableKindName(description.kind));
  if (!description.reason.empty()) writer.Member("reason", description.reason);
  writer.Member("provider", description.provider);
  if (!description.read_only.empty()) writer.Member("read_only", description.read_only);
  writer.Member("managed", description.managed);
  writer.Key("schema").Raw(types::ToSparkJson(description.schema));
  if (description.schema_stored) writer.Member("schema_stored", true);
  WriteTexts("partition_columns", description.partition_columns, writer);
  if (const auto& bucketing = description.bucketing) {
    writer.Key("bucketing").BeginObject().Member("count", bucketing->count);
    WriteTexts("columns", bucketing->columns, writer);
    WriteTexts("sort_columns", bucketing->sort_columns, writer);
    writer.EndObject();
  }
  writer.Member("partitions_tracked", description.partitions_tracked);
  if (description.files_in_manifests) writer.Member("files_in_manifests", true);
  if (const auto& projection = description.projection) {
    writer.Key("projection").BeginObject();
    WriteMap("parameters", projection->parameters, writer);
    writer.Member("location", projection->location).EndObject();
  }
  if (description.format) WriteFormat(*description.format, writer);
  if (description.location) writer.Member("location", *description.location);
  WriteMap("options", description.options, writer);
  WriteMap("properties", description.properties, writer);
  if (description.comment) writer.Member("comment", *description.comment);
  if (description.owner) writer.Member("owner", *description.owner);
  if (description.created_ms) writer.Member("created_ms", *description.created_ms);
  if (description.create_version) writer.Member("create_version", *description.create_version);
  if (const auto& statistics = description.statistics) {
    writer.Key("statistics").BeginObject().Member("size_in_bytes", statistics->size_in_bytes);
    if (statistics->row_count) writer.Member("row_count", *statistics->row_count);
    if (!statistics->columns.empty()) WriteMap("columns", statistics->columns, writer);
    writer.EndObject();
  }
  if (description.version_id) writer.Member("version_id", *description.version_id);
}

Result<TableSpec> ParseTableSpec(JsonView json) {
  const Reader reader(json, "table specification");
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers(
      {"provider", "schema", "partition_columns", "bucketing", "location", "managed", "options",
       "properties", "comment", "owner", "partitions_tracked"}));
  TableSpec spec;
  GLUECAT_ASSIGN_OR_RETURN(spec.provider, reader.Text("provider"));
  GLUECAT_ASSIGN_OR_RETURN(spec.schema, reader.Schema("schema"));
  GLUECAT_ASSIGN_OR_RETURN(spec.partition_columns, reader.Texts("partition_columns", false));
  GLUECAT_ASSIGN_OR_RETURN(spec.bucketing, ParseBucketing(json["bucketing"]));
  GLUECAT_ASSIGN_OR_RETURN(spec.location, reader.OptionalText("location"));
  GLUECAT_ASSIGN_OR_RETURN(spec.managed, reader.Flag("managed", false));
  GLUECAT_ASSIGN_OR_RETURN(spec.options, reader.Map("options"));
  GLUECAT_ASSIGN_OR_RETURN(spec.properties, reader.Map("properties"));
  GLUECAT_ASSIGN_OR_RETURN(spec.comment, reader.OptionalText("comment"));
  GLUECAT_ASSIGN_OR_RETURN(spec.owner, reader.OptionalText("owner"));
  GLUECAT_ASSIGN_OR_RETURN(spec.partitions_tracked, reader.Flag("partitions_tracked", true));
  return spec;
}

Result<Statistics> ParseStatistics(JsonView json) {
  const Reader reader(json, "statistics");
  GLUECAT_RETURN_IF_ERROR(reader.CheckMembers({"size_in_bytes", "row_count", "columns"}));
  GLUECAT_ASSIGN_OR_RETURN(auto statistics, ReadStatistics(reader));
  if (!statistics) return Bad(reader.what() + ": member 'size_in_bytes' is missing");
  return *std::move(statistics);
}

Result<std::vector<TableChange>> ParseTableChanges(JsonView json) {
  if (!json.IsArray()) return Bad("'changes' is not an array");
  std::vector<TableChange> changes;
  for (const auto& item : json.Elements()) {
    const std::string op = item["op"].StringOr("");
    const auto* parser = std::ranges::find(kParsers, op, &ChangeParser::op);
    if (parser == kParsers.end()) return Bad("unknown change '" + op + "' of a table");
    GLUECAT_ASSIGN_OR_RETURN(auto change, parser->parse(Reader(item, "change " + op)));
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace gluecat::entry
