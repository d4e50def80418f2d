#include "store/iceberg_schema.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

#include "core/types/data_type.h"
#include "store/service_errors.h"

namespace gluecat::store {
namespace {

constexpr int kMaxDepth = 100;

std::unexpected<Error> Invalid(std::string message) {
  return InvalidInput("The Iceberg schema is not valid: " + std::move(message) + ".");
}

// The numbers in "decimal(10, 2)" or "fixed[16]"; nullopt if the text is not of that form.
std::optional<std::vector<int>> Arguments(std::string_view type, std::string_view before,
                                          char after) {
  if (!type.starts_with(before) || !type.ends_with(after)) return std::nullopt;
  type.remove_prefix(before.size());
  type.remove_suffix(1);
  std::vector<int> numbers;
  while (true) {
    while (type.starts_with(' ')) type.remove_prefix(1);
    int number = 0;
    const auto [end, error] = std::from_chars(type.data(), type.data() + type.size(), number);
    if (error != std::errc() || number < 0) return std::nullopt;
    numbers.push_back(number);
    type.remove_prefix(static_cast<std::size_t>(end - type.data()));
    if (type.empty()) return numbers;
    if (!type.starts_with(',')) return std::nullopt;
    type.remove_prefix(1);
  }
}

// The Glue type that stands for a primitive type, as Iceberg's own Glue catalog chooses it;
// nullopt for what is no type of versions 1 and 2.
std::optional<std::string> GlueTypeOf(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kTypes{{
      {"boolean", "boolean"},
      {"int", "int"},
      {"long", "bigint"},
      {"float", "float"},
      {"double", "double"},
      {"date", "date"},
      {"time", "string"},
      {"timestamp", "timestamp"},
      {"timestamptz", "timestamp"},
      {"string", "string"},
      {"uuid", "string"},
      {"binary", "binary"},
  }};
  for (const auto& [iceberg, glue] : kTypes) {
    if (iceberg == type) return std::string(glue);
  }
  if (const auto size = Arguments(type, "fixed[", ']'); size && size->size() == 1 && (*size)[0] > 0)
    return "binary";
  const auto decimal = Arguments(type, "decimal(", ')');
  if (decimal && decimal->size() == 2 && (*decimal)[0] >= 1 && (*decimal)[0] <= 38 &&
      (*decimal)[1] <= (*decimal)[0]) {
    return "decimal(" + std::to_string((*decimal)[0]) + "," + std::to_string((*decimal)[1]) + ")";
  }
  return std::nullopt;
}

// Reads a schema in the form of metadata files, and writes it anew.
class Reader {
 public:
  explicit Reader(IcebergSchema& schema) : schema_(schema) {}

  Status ReadSchema(JsonView schema) {
    JsonWriter writer;
    GLUECAT_ASSIGN_OR_RETURN(const auto fields, ReadFields(schema["fields"], "", 0, writer));
    static_cast<void>(fields);
    schema_.fields = writer.Take();
    if (schema_.columns.empty()) return Invalid("it has no fields");
    return ReadIdentifiers(schema["identifier-field-ids"]);
  }

 private:
  // The Glue type of each kind of type comes back: "struct<a:int>".
  Result<std::string> ReadFields(JsonView fields, const std::string& path, int depth,
                                 JsonWriter& writer) {
    if (!fields.IsArray()) return Invalid("the fields of a struct are no list");
    std::string glue = "struct<";
    std::set<std::string_view> names;
    writer.BeginArray();
    for (const auto& field : fields.Elements()) {
      const auto id = field["id"].AsInt();
      const auto name = field["name"].AsString();
      const auto required = field["required"].AsBool();
      if (!id || !name || name->empty() || !required) {
        return Invalid("a field lacks its id, its name, or whether it is required");
      }
      if (!names.insert(*name).second) {
        return Invalid("the field " + std::string(*name) + " comes twice");
      }
      if (!field["initial-default"].IsNull() || !field["write-default"].IsNull()) {
        return Invalid("defaults, as field " + std::string(*name) +
                       " has one, are of format version 3");
      }
      const std::string full = path.empty() ? std::string(*name) : path + "." + std::string(*name);
      writer.BeginObject().Member("id", *id).Member("name", *name).Member("required", *required);
      writer.Key("type");
      GLUECAT_ASSIGN_OR_RETURN(auto type,
                               ReadType({*id, full, *required}, field["type"], depth + 1, writer));
      if (const auto doc = field["doc"].AsString()) writer.Member("doc", *doc);
      writer.EndObject();
      if (depth == 0) {
        schema_.columns.push_back(
            {*id, std::string(*name), type, field["doc"].StringOr(""), *required});
      }
      glue += (glue.ends_with('<') ? "" : ",") + std::string(*name) + ":" + type;
    }
    writer.EndArray();
    return glue + ">";
  }

  struct Place {
    std::int64_t id = 0;
    std::string name;
    bool required = false;
  };

  Result<std::string> ReadType(const Place& place, JsonView type, int depth, JsonWriter& writer) {
    if (depth > kMaxDepth) return Invalid("it is nested too deeply");
    if (place.id <= 0) return Invalid("the id of field " + place.name + " is not positive");
    const auto primitive = type.AsString();
    const std::string kind = primitive ? std::string(*primitive) : type["type"].StringOr("");
    if (!schema_.by_id.emplace(place.id, IcebergField{place.name, kind, place.required}).second) {
      return Invalid("the id " + std::to_string(place.id) + " of field " + place.name +
                     " comes twice");
    }
    if (primitive) {
      const auto glue = GlueTypeOf(kind);
      if (!glue) {
        return Invalid("the type " + kind + " of field " + place.name +
                       " is none of format versions 1 and 2");
      }
      writer.String(kind);
      return *glue;
    }
    if (kind == "struct") {
      writer.BeginObject().Member("type", "struct").Key("fields");
      GLUECAT_ASSIGN_OR_RETURN(auto glue, ReadFields(type["fields"], place.name, depth, writer));
      writer.EndObject();
      return glue;
    }
    if (kind == "list") {
      writer.BeginObject().Member("type", "list");
      GLUECAT_ASSIGN_OR_RETURN(const auto element,
                               ReadPart(place, type, "element", true, depth, writer));
      writer.EndObject();
      return "array<" + element + ">";
    }
    if (kind == "map") {
      writer.BeginObject().Member("type", "map");
      GLUECAT_ASSIGN_OR_RETURN(const auto key, ReadPart(place, type, "key", false, depth, writer));
      GLUECAT_ASSIGN_OR_RETURN(const auto value,
                               ReadPart(place, type, "value", true, depth, writer));
      writer.EndObject();
      return "map<" + key + "," + value + ">";
    }
    return Invalid("the type of field " + place.name +
                   " is neither a name, a struct, a list nor a "
                   "map");
  }

  // The element of a list, the key or value of a map.
  Result<std::string> ReadPart(const Place& place, JsonView type, const std::string& part,
                               bool may_be_null, int depth, JsonWriter& writer) {
    const auto id = type[part + "-id"].AsInt();
    const JsonView required = type[part + "-required"];
    if (!id || (may_be_null && !required.AsBool())) {
      return Invalid("the type of field " + place.name + " lacks " + part + "-id or " + part +
                     "-required");
    }
    writer.Member(part + "-id", *id).Key(part);
    GLUECAT_ASSIGN_OR_RETURN(
        auto glue, ReadType({*id, place.name + "." + part, required.BoolOr(true)}, type[part],
                            depth + 1, writer));
    if (may_be_null) writer.Member(part + "-required", required.BoolOr(true));
    return glue;
  }

  Status ReadIdentifiers(JsonView ids) {
    JsonWriter writer;
    writer.BeginArray();
    for (const auto& element : ids.Elements()) {
      const std::int64_t id = element.IntOr(0);
      const auto field = schema_.by_id.find(id);
      if (field == schema_.by_id.end() || !field->second.required ||
          !GlueTypeOf(field->second.type) || field->second.type == "float" ||
          field->second.type == "double") {
        return Invalid("the identifier field " + std::to_string(id) +
                       " must be a required field of a primitive type that is no floating-point "
                       "number");
      }
      writer.Int(id);
    }
    schema_.identifier_field_ids = writer.EndArray().Take();
    return {};
  }

  IcebergSchema& schema_;
};

// Ids in the order of Iceberg: all fields of a struct before what is in them.
class ColumnTypes {
 public:
  Result<std::string> Fields(const types::StructType& fields) {
    std::vector<std::int64_t> ids(fields.fields.size());
    for (auto& id : ids) id = ++last_id_;
    JsonWriter writer;
    writer.BeginArray();
    for (std::size_t i = 0; i < fields.fields.size(); ++i) {
      const auto& field = fields.fields[i];
      writer.BeginObject().Member("id", ids[i]).Member("name", field.name);
      writer.Member("required", false).Key("type");
      GLUECAT_ASSIGN_OR_RETURN(const auto type, Type(field.type));
      writer.Raw(type);
      if (const auto comment = field.Comment()) writer.Member("doc", *comment);
      writer.EndObject();
    }
    return writer.EndArray().Take();
  }

 private:
  Result<std::string> Type(const types::DataType& type) {
    JsonWriter writer;
    switch (type.kind()) {
      case types::DataType::Kind::kSimple: {
        GLUECAT_ASSIGN_OR_RETURN(const auto name, Simple(type.name()));
        return writer.String(name).Take();
      }
      case types::DataType::Kind::kStruct: {
        writer.BeginObject().Member("type", "struct").Key("fields");
        GLUECAT_ASSIGN_OR_RETURN(const auto fields, Fields(type.fields()));
        return writer.Raw(fields).EndObject().Take();
      }
      case types::DataType::Kind::kArray: {
        writer.BeginObject().Member("type", "list").Member("element-id", ++last_id_).Key("element");
        GLUECAT_ASSIGN_OR_RETURN(const auto element, Type(type.element()));
        return writer.Raw(element).Member("element-required", false).EndObject().Take();
      }
      case types::DataType::Kind::kMap: {
        const std::int64_t key_id = ++last_id_;
        const std::int64_t value_id = ++last_id_;
        writer.BeginObject().Member("type", "map").Member("key-id", key_id).Key("key");
        GLUECAT_ASSIGN_OR_RETURN(const auto key, Type(type.key()));
        writer.Raw(key).Member("value-id", value_id).Key("value");
        GLUECAT_ASSIGN_OR_RETURN(const auto value, Type(type.value()));
        return writer.Raw(value).Member("value-required", false).EndObject().Take();
      }
    }
    return Fail(ErrorKind::kInternal, "a type of no known kind");
  }

  static Result<std::string> Simple(std::string_view spark) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kTypes{{
        {"boolean", "boolean"},
        {"byte", "int"},
        {"short", "int"},
        {"integer", "int"},
        {"long", "long"},
        {"float", "float"},
        {"double", "double"},
        {"date", "date"},
        {"timestamp", "timestamp"},
        {"string", "string"},
        {"binary", "binary"},
    }};
    for (const auto& [name, iceberg] : kTypes) {
      if (name == spark) return std::string(iceberg);
    }
    if (spark.starts_with("decimal")) return std::string(spark);
    if (spark.starts_with("char(") || spark.starts_with("varchar(")) return "string";
    return Invalid("Iceberg has no type for " + std::string(spark));
  }

  std::int64_t last_id_ = 0;
};

}  // namespace

std::string IcebergSchema::Json(std::int64_t schema_id) const {
  JsonWriter writer;
  writer.BeginObject().Member("type", "struct").Member("schema-id", schema_id);
  if (identifier_field_ids != "[]") writer.Key("identifier-field-ids").Raw(identifier_field_ids);
  return writer.Key("fields").Raw(fields).EndObject().Take();
}

Result<IcebergSchema> IcebergSchema::FromMetadata(JsonView json) {
  IcebergSchema schema;
  GLUECAT_RETURN_IF_ERROR(Reader(schema).ReadSchema(json));
  return schema;
}

// The types of fields come in the form of metadata files already.
Result<IcebergSchema> IcebergSchema::FromRequest(JsonView schema) {
  JsonWriter writer;
  writer.BeginObject().Key("fields").BeginArray();
  for (const auto& field : schema["Fields"].Elements()) {
    writer.BeginObject();
    for (const auto& [given, name] : std::array<std::pair<std::string_view, std::string_view>, 7>{
             {{"Id", "id"},
              {"Name", "name"},
              {"Type", "type"},
              {"Required", "required"},
              {"Doc", "doc"},
              {"InitialDefault", "initial-default"},
              {"WriteDefault", "write-default"}}}) {
      if (const JsonView member = field[given]; !member.IsNull())
        writer.Key(name).Raw(member.Dump());
    }
    writer.EndObject();
  }
  writer.EndArray();
  if (const JsonView ids = schema["IdentifierFieldIds"]; !ids.IsNull()) {
    writer.Key("identifier-field-ids").Raw(ids.Dump());
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(writer.EndObject().text()));
  return FromMetadata(document.root());
}

Result<IcebergSchema> IcebergSchema::FromColumns(JsonView columns) {
  types::StructType row;
  for (const auto& column : columns.Elements()) {
    types::StructField field;
    field.name = column["Name"].StringOr("");
    auto type = types::ParseGlueType(column["Type"].StringOr("string"));
    if (!type) return Invalid("column " + field.name + ": " + type.error().message);
    field.type = *std::move(type);
    if (const auto comment = column["Comment"].AsString()) field.SetComment(std::string(*comment));
    row.fields.push_back(std::move(field));
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto fields, ColumnTypes().Fields(row));
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse("{\"fields\":" + fields + "}"));
  return FromMetadata(document.root());
}

}  // namespace gluecat::store
