#include "core/types/char_varchar.h"

#include <algorithm>

namespace gluecat::types {
namespace {

bool IsCharVarchar(const DataType& type) {
  return type.kind() == DataType::Kind::kSimple &&
         (type.name().starts_with("char(") || type.name().starts_with("varchar("));
}

DataType WithStrings(DataType type) {
  switch (type.kind()) {
    case DataType::Kind::kSimple:
      return IsCharVarchar(type) ? DataType::Simple("string") : type;
    case DataType::Kind::kArray:
      type.mutable_part(0) = WithStrings(type.element());
      return type;
    case DataType::Kind::kMap:
      type.mutable_part(0) = WithStrings(type.key());
      type.mutable_part(1) = WithStrings(type.value());
      return type;
    case DataType::Kind::kStruct:
      for (auto& field : type.mutable_fields().fields) field.type = WithStrings(field.type);
      return type;
  }
  return type;
}

// As Spark's own parser reads it: backquotes around every name that needs them.
void AppendSql(const DataType& type, std::string& out) {
  switch (type.kind()) {
    case DataType::Kind::kSimple: {
      const auto glue = ToGlueType(type);
      out += glue ? *glue : type.name();
      return;
    }
    case DataType::Kind::kArray:
      out += "array<";
      AppendSql(type.element(), out);
      out += '>';
      return;
    case DataType::Kind::kMap:
      out += "map<";
      AppendSql(type.key(), out);
      out += ',';
      AppendSql(type.value(), out);
      out += '>';
      return;
    case DataType::Kind::kStruct:
      break;
  }
  out += "struct<";
  for (const auto& field : type.fields().fields) {
    if (&field != &type.fields().fields.front()) out += ',';
    const bool plain = std::ranges::all_of(field.name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (plain) {
      out += field.name;
    } else {
      out += '`';
      for (const char c : field.name) out += c == '`' ? std::string("``") : std::string(1, c);
      out += '`';
    }
    out += ':';
    AppendSql(field.type, out);
  }
  out += '>';
}

}  // namespace

bool HasCharVarchar(const DataType& type) {
  switch (type.kind()) {
    case DataType::Kind::kSimple:
      return IsCharVarchar(type);
    case DataType::Kind::kArray:
      return HasCharVarchar(type.element());
    case DataType::Kind::kMap:
      return HasCharVarchar(type.key()) || HasCharVarchar(type.value());
    case DataType::Kind::kStruct:
      return std::ranges::any_of(type.fields().fields, [](const StructField& field) {
        return HasCharVarchar(field.type);
      });
  }
  return false;
}

void SetStoredType(StructField& field, DataType type) {
  if (!HasCharVarchar(type)) {
    field.SetMetadataText(kCharVarcharKey, std::nullopt);
    field.type = std::move(type);
    return;
  }
  std::string declared;
  AppendSql(type, declared);
  field.SetMetadataText(kCharVarcharKey, declared);
  field.type = WithStrings(std::move(type));
}

StructType ToStoredForm(StructType schema) {
  for (auto& field : schema.fields) {
    if (HasCharVarchar(field.type)) SetStoredType(field, DataType(field.type));
  }
  return schema;
}

DataType DeclaredType(const StructField& field) {
  if (const auto declared = field.MetadataText(kCharVarcharKey)) {
    if (auto type = ParseGlueType(*declared)) return *std::move(type);
  }
  return field.type;
}

}  // namespace gluecat::types
