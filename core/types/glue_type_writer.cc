#include <array>
#include <set>

#include "core/base/text.h"
#include "core/types/data_type.h"

namespace gluecat::types {
namespace {

struct Name {
  std::string_view spark;
  std::string_view glue;
};

constexpr std::array kNames = std::to_array<Name>({
    {"string", "string"},
    {"integer", "int"},
    {"long", "bigint"},
    {"double", "double"},
    {"timestamp", "timestamp"},
    {"timestamp_ltz", "timestamp"},
    {"boolean", "boolean"},
    {"date", "date"},
    {"float", "float"},
    {"short", "smallint"},
    {"byte", "tinyint"},
    {"binary", "binary"},
    {"decimal", "decimal(10,0)"},
});

// The Glue name of a simple type; empty if there is none.
std::string SimpleGlueName(std::string_view spark) {
  for (const auto& name : kNames) {
    if (name.spark == spark) return std::string(name.glue);
  }
  if (spark.starts_with("string collate ")) return "string";
  for (const std::string_view prefix : {"decimal(", "char(", "varchar("}) {
    if (spark.starts_with(prefix) && spark.find('-') == std::string_view::npos) {
      return std::string(spark);
    }
  }
  return {};
}

// The type that a user-defined type is stored as; nullopt for other types.
std::optional<DataType> StorageType(const DataType& type) {
  if (!type.name().starts_with('{')) return std::nullopt;
  const auto document = JsonDocument::Parse(type.name());
  if (!document) return std::nullopt;
  auto storage = ParseSparkType(document->root()["sqlType"]);
  if (!storage) return std::nullopt;
  return *std::move(storage);
}

bool IsLetterOrUnderscore(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsIdentifierChar(char c) { return IsLetterOrUnderscore(c) || (c >= '0' && c <= '9'); }

// A name that Hive's, Athena's and Spark's parsers all read without quotes.
bool IsPlainIdentifier(std::string_view name) {
  if (name.empty() || !IsLetterOrUnderscore(name.front())) return false;
  for (const char c : name) {
    if (!IsIdentifierChar(c)) return false;
  }
  return true;
}

// The description of a type in an error message: a long name (a user-defined
// type, say) says nothing more than its beginning.
std::string Shortened(std::string_view name) {
  constexpr std::size_t kMost = 60;
  if (name.size() <= kMost) return std::string(name);
  return std::string(name.substr(0, kMost)) + "…";
}

Status AppendExact(const DataType& type, std::string& out) {
  switch (type.kind()) {
    case DataType::Kind::kSimple: {
      std::string name = SimpleGlueName(type.name());
      if (name.empty()) {
        if (const auto storage = StorageType(type)) return AppendExact(*storage, out);
        return Fail(ErrorKind::kInvalidArgument, "Glue has no type for " + Shortened(type.name()));
      }
      out += name;
      return {};
    }
    case DataType::Kind::kArray:
      out += "array<";
      GLUECAT_RETURN_IF_ERROR(AppendExact(type.element(), out));
      out += '>';
      return {};
    case DataType::Kind::kMap:
      out += "map<";
      GLUECAT_RETURN_IF_ERROR(AppendExact(type.key(), out));
      out += ',';
      GLUECAT_RETURN_IF_ERROR(AppendExact(type.value(), out));
      out += '>';
      return {};
    case DataType::Kind::kStruct:
      break;
  }
  out += "struct<";
  for (const auto& field : type.fields().fields) {
    if (&field != &type.fields().fields.front()) out += ',';
    if (!IsPlainIdentifier(field.name)) {
      return Fail(ErrorKind::kInvalidArgument,
                  "a Glue type cannot hold the field name '" + Shortened(field.name) + "'");
    }
    out += field.name;
    out += ':';
    GLUECAT_RETURN_IF_ERROR(AppendExact(field.type, out));
  }
  out += '>';
  return {};
}

// `name` with one "_" for each character that is not plain, and different
// (ignoring case) from all in `used`.
std::string ApproximateName(std::string_view name, std::set<std::string>& used) {
  std::string result;
  for (const char c : name) {
    const bool continues_character = (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
    if (!continues_character) result += IsIdentifierChar(c) ? c : '_';
  }
  if (result.empty() || !IsLetterOrUnderscore(result.front())) result.insert(0, 1, '_');
  const std::string base = result;
  for (int i = 1; !used.insert(ToLowerAscii(result)).second; ++i) {
    result = base + "_" + std::to_string(i);
  }
  return result;
}

void AppendApproximate(const DataType& type, std::string& out) {
  switch (type.kind()) {
    case DataType::Kind::kSimple: {
      std::string name = SimpleGlueName(type.name());
      if (!name.empty()) {
        out += name;
      } else if (type.name() == "timestamp_ntz") {
        out += "timestamp";
      } else if (const auto storage = StorageType(type)) {
        AppendApproximate(*storage, out);
      } else {
        out += "string";
      }
      return;
    }
    case DataType::Kind::kArray:
      out += "array<";
      AppendApproximate(type.element(), out);
      out += '>';
      return;
    case DataType::Kind::kMap:
      out += "map<";
      AppendApproximate(type.key(), out);
      out += ',';
      AppendApproximate(type.value(), out);
      out += '>';
      return;
    case DataType::Kind::kStruct:
      break;
  }
  out += "struct<";
  std::set<std::string> used;
  for (const auto& field : type.fields().fields) {
    if (&field != &type.fields().fields.front()) out += ',';
    out += ApproximateName(field.name, used);
    out += ':';
    AppendApproximate(field.type, out);
  }
  out += '>';
}

}  // namespace

Result<std::string> ToGlueType(const DataType& type) {
  std::string text;
  GLUECAT_RETURN_IF_ERROR(AppendExact(type, text));
  if (text.size() > kMaxGlueTypeSize) {
    return Fail(ErrorKind::kLimitExceeded, "its Glue type has " + std::to_string(text.size()) +
                                               " bytes; Glue holds at most " +
                                               std::to_string(kMaxGlueTypeSize));
  }
  return text;
}

std::string ToApproximateGlueType(const DataType& type) {
  std::string text;
  AppendApproximate(type, text);
  return text.size() > kMaxGlueTypeSize ? "string" : text;
}

}  // namespace gluecat::types
