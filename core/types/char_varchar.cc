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

// `stored` with the CHAR and VARCHAR of `declared` where it has strings; what
// only `stored` knows (nullability, metadata) stays.
DataType WithLengths(DataType stored, const DataType& declared) {
  if (stored.kind() != declared.kind()) return stored;
  switch (stored.kind()) {
    case DataType::Kind::kSimple:
      return IsCharVarchar(declared) && stored.name() == "string" ? declared : stored;
    case DataType::Kind::kArray:
      stored.mutable_part(0) = WithLengths(stored.element(), declared.element());
      return stored;
    case DataType::Kind::kMap:
      stored.mutable_part(0) = WithLengths(stored.key(), declared.key());
      stored.mutable_part(1) = WithLengths(stored.value(), declared.value());
      return stored;
    case DataType::Kind::kStruct:
      break;
  }
  auto& fields = stored.mutable_fields().fields;
  const auto& lengths = declared.fields().fields;
  if (fields.size() != lengths.size()) return stored;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    fields[i].type = WithLengths(fields[i].type, lengths[i].type);
  }
  return stored;
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
    if (const auto type = ParseGlueType(*declared)) return WithLengths(field.type, *type);
  }
  return field.type;
}

}  // namespace gluecat::types
