#include <algorithm>
#include <charconv>

#include "core/types/data_type.h"

namespace gluecat::types {
namespace {

constexpr std::size_t kMaxSimpleName = 255;
constexpr std::size_t kMaxUdtSize = 65536;

bool LooksLikeTypeName(std::string_view name) {
  if (name.empty() || name.size() > kMaxSimpleName) return false;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!is_letter(name.front())) return false;
  return std::ranges::all_of(name, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') ||
           std::string_view("_ (),.:-").find(c) != std::string_view::npos;
  });
}

// "(10,2)" of decimal(10,2): numbers, and 1 <= precision <= 38, scale <= precision.
bool IsDecimalArguments(std::string_view text) {
  int precision = 0;
  int scale = 0;
  const char* const end = text.data() + text.size();
  const auto skip_space = [&](const char* at) {
    while (at != end && *at == ' ') ++at;
    return at;
  };
  const auto first = std::from_chars(skip_space(text.data() + 1), end, precision);
  const char* const comma = skip_space(first.ptr);
  if (first.ec != std::errc{} || comma == end || *comma != ',') return false;
  const auto second = std::from_chars(skip_space(comma + 1), end, scale);
  const char* const close = skip_space(second.ptr);
  if (second.ec != std::errc{} || close == end || *close != ')' || close + 1 != end) return false;
  return precision >= 1 && precision <= 38 && scale <= precision;
}

// "(12)" of char(12) and varchar(12).
bool IsLengthArgument(std::string_view text) {
  int length = 0;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data() + 1, end, length);
  return number.ec == std::errc{} && length >= 1 && number.ptr + 1 == end && *number.ptr == ')';
}

bool IsSimpleTypeName(std::string_view name) {
  if (!LooksLikeTypeName(name)) return false;
  const auto arguments = [&](std::string_view word) { return name.substr(word.size()); };
  if (name.starts_with("decimal(")) return IsDecimalArguments(arguments("decimal"));
  if (name.starts_with("char(")) return IsLengthArgument(arguments("char"));
  if (name.starts_with("varchar(")) return IsLengthArgument(arguments("varchar"));
  return true;
}

Result<StructType> ParseStruct(JsonView json, int depth);

Result<DataType> ParseType(JsonView json, int depth) {
  if (depth > kMaxTypeDepth) {
    return Fail(ErrorKind::kInvalidData,
                "schema JSON: more than " + std::to_string(kMaxTypeDepth) + " nested types");
  }
  if (const auto name = json.AsString()) {
    if (!IsSimpleTypeName(*name)) {
      constexpr std::size_t kMostShown = 60;
      return Fail(ErrorKind::kInvalidData,
                  "schema JSON: '" + std::string(name->substr(0, kMostShown)) + "' is not a type");
    }
    return DataType::Simple(std::string(*name));
  }
  const std::string kind = json["type"].StringOr("");
  if (kind == "struct") {
    GLUECAT_ASSIGN_OR_RETURN(auto fields, ParseStruct(json, depth));
    return DataType::Struct(std::move(fields));
  }
  if (kind == "array") {
    GLUECAT_ASSIGN_OR_RETURN(auto element, ParseType(json["elementType"], depth + 1));
    return DataType::Array(std::move(element), json["containsNull"].BoolOr(true));
  }
  if (kind == "map") {
    GLUECAT_ASSIGN_OR_RETURN(auto key, ParseType(json["keyType"], depth + 1));
    GLUECAT_ASSIGN_OR_RETURN(auto value, ParseType(json["valueType"], depth + 1));
    return DataType::Map(std::move(key), std::move(value), json["valueContainsNull"].BoolOr(true));
  }
  if (kind == "udt") {
    std::string text = json.Dump();
    if (text.size() > kMaxUdtSize) {
      return Fail(ErrorKind::kInvalidData,
                  "schema JSON: a user-defined type of " + std::to_string(text.size()) + " bytes");
    }
    // Only to bound what lies below it: the JSON itself is kept.
    if (const auto stored = json["sqlType"]; !stored.IsNull()) {
      GLUECAT_RETURN_IF_ERROR(ParseType(stored, depth + 1));
    }
    return DataType::Simple(std::move(text));
  }
  return Fail(ErrorKind::kInvalidData,
              json.IsMissing() ? "schema JSON: a type is missing"
                               : "schema JSON: a type is neither a name nor a struct, array, map "
                                 "or udt object");
}

Result<StructField> ParseField(JsonView json, int depth) {
  const auto name = json["name"].AsString();
  if (!name) return Fail(ErrorKind::kInvalidData, "schema JSON: a field has no name");
  auto type = ParseType(json["type"], depth + 1);
  if (!type) {
    // The innermost field is enough: one name per level would drown the reason.
    constexpr std::string_view kNamed = "field '";
    if (type.error().message.starts_with(kNamed)) return Fail(std::move(type).error());
    return Fail(WithContext(std::move(type).error(),
                            std::string(kNamed) + std::string(name->substr(0, 255)) + "'"));
  }
  StructField field{std::string(*name), *std::move(type), json["nullable"].BoolOr(true), {}};
  for (const auto& [key, value] : json["metadata"].Members()) {
    field.metadata.emplace_back(std::string(key), value.Dump());
  }
  return field;
}

Result<StructType> ParseStruct(JsonView json, int depth) {
  const auto fields = json["fields"];
  if (json["type"].StringOr("") != "struct" || !fields.IsArray()) {
    return Fail(ErrorKind::kInvalidData, "schema JSON: not a struct with fields");
  }
  StructType result;
  for (const auto& item : fields.Elements()) {
    GLUECAT_ASSIGN_OR_RETURN(auto field, ParseField(item, depth));
    result.fields.push_back(std::move(field));
  }
  return result;
}

void WriteStruct(const StructType& schema, JsonWriter& writer);

void WriteType(const DataType& type, JsonWriter& writer) {
  switch (type.kind()) {
    case DataType::Kind::kSimple:
      if (type.name().starts_with('{')) {
        writer.Raw(type.name());
      } else {
        writer.String(type.name());
      }
      return;
    case DataType::Kind::kArray:
      writer.BeginObject().Member("type", "array").Key("elementType");
      WriteType(type.element(), writer);
      writer.Member("containsNull", type.contains_null()).EndObject();
      return;
    case DataType::Kind::kMap:
      writer.BeginObject().Member("type", "map").Key("keyType");
      WriteType(type.key(), writer);
      writer.Key("valueType");
      WriteType(type.value(), writer);
      writer.Member("valueContainsNull", type.contains_null()).EndObject();
      return;
    case DataType::Kind::kStruct:
      WriteStruct(type.fields(), writer);
      return;
  }
}

void WriteStruct(const StructType& schema, JsonWriter& writer) {
  writer.BeginObject().Member("type", "struct").Key("fields").BeginArray();
  for (const auto& field : schema.fields) {
    writer.BeginObject().Member("name", field.name).Key("type");
    WriteType(field.type, writer);
    writer.Member("nullable", field.nullable).Key("metadata").BeginObject();
    for (const auto& [key, value] : field.metadata) writer.Key(key).Raw(value);
    writer.EndObject().EndObject();
  }
  writer.EndArray().EndObject();
}

}  // namespace

Result<DataType> ParseSparkType(JsonView json) { return ParseType(json, 1); }

Result<StructType> ParseSparkSchema(JsonView json) { return ParseStruct(json, 1); }

Result<StructType> ParseSparkSchema(std::string_view json_text) {
  if (json_text.size() > kMaxSparkSchemaSize) {
    return Fail(ErrorKind::kInvalidData,
                "schema JSON of " + std::to_string(json_text.size()) + " bytes");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(json_text));
  return ParseStruct(document.root(), 1);
}

void WriteSparkType(const DataType& type, JsonWriter& writer) { WriteType(type, writer); }

std::string ToSparkJson(const StructType& schema) {
  JsonWriter writer;
  WriteStruct(schema, writer);
  return writer.Take();
}

}  // namespace gluecat::types
