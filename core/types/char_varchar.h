// CHAR and VARCHAR columns as Spark stores them.
//
// Spark's engine knows only strings: in a stored schema a column of type
// varchar(10) is a string whose field metadata __CHAR_VARCHAR_TYPE_STRING says
// "varchar(10)", and one of type array<char(3)> is an array of strings with
// metadata "array<char(3)>" (org.apache.spark.sql.catalyst.util.CharVarcharUtils).
#pragma once

#include "core/types/data_type.h"

namespace gluecat::types {

inline constexpr std::string_view kCharVarcharKey = "__CHAR_VARCHAR_TYPE_STRING";

// True if `type` is, or holds, a CHAR or VARCHAR.
bool HasCharVarchar(const DataType& type);

// Gives `field` the type `type` in stored form, replacing an earlier one.
void SetStoredType(StructField& field, DataType type);

// `schema` with all its top-level fields in stored form.
StructType ToStoredForm(StructType schema);

// The type of a stored field with CHAR and VARCHAR in place; the type as it is
// if the field has no such metadata, or metadata that does not fit its type.
DataType DeclaredType(const StructField& field);

}  // namespace gluecat::types
