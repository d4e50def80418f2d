// Spark's data types as a value, with their two texts: Glue/Hive type strings
// ("array<struct<a:int>>") and Spark's schema JSON.
//
// Both directions follow Spark's own rules (org.apache.spark.sql.types and
// HiveExternalCatalog); the parser of Glue strings is more tolerant than
// Spark's, because crawlers write names no SQL parser accepts unquoted.
// All parsers bound nesting (100 levels) and size, and never throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace gluecat::types {

class DataType;

// Field metadata in document order: key and raw JSON value ("comment", …).
using Metadata = std::vector<std::pair<std::string, std::string>>;

struct StructField;

struct StructType {
  std::vector<StructField> fields;
  // Position of the field with this name (`exact` or ignoring ASCII case); nullopt if none.
  std::optional<std::size_t> Find(std::string_view name, bool exact = false) const;
  bool operator==(const StructType&) const;
};

// A simple type is its Spark JSON name ("integer", "decimal(10,2)", "timestamp_ntz",
// "char(3)"); nested types hold their parts. A user-defined type, which only a
// JVM can understand, is a simple type whose name is its whole JSON object.
class DataType {
 public:
  enum class Kind : std::uint8_t { kSimple, kArray, kMap, kStruct };

  DataType() = default;  // simple "string"
  static DataType Simple(std::string spark_name);
  static DataType Array(DataType element, bool contains_null);
  static DataType Map(DataType key, DataType value, bool value_contains_null);
  static DataType Struct(StructType fields);

  Kind kind() const { return kind_; }
  const std::string& name() const { return name_; }      // kSimple
  const DataType& element() const { return parts_[0]; }  // kArray
  const DataType& key() const { return parts_[0]; }      // kMap
  const DataType& value() const { return parts_[1]; }    // kMap
  bool contains_null() const { return contains_null_; }  // kArray, kMap (values)
  const StructType& fields() const { return fields_; }   // kStruct
  StructType& mutable_fields() { return fields_; }
  DataType& mutable_part(std::size_t i) { return parts_[i]; }

  bool operator==(const DataType&) const = default;

 private:
  Kind kind_ = Kind::kSimple;
  std::string name_ = "string";
  std::vector<DataType> parts_;
  bool contains_null_ = true;
  StructType fields_;
};

struct StructField {
  std::string name;
  DataType type;
  bool nullable = true;
  Metadata metadata;

  // The raw JSON of metadata `key`; nullptr if absent.
  const std::string* RawMetadata(std::string_view key) const;
  // The metadata `key` if it is a string; nullopt removes it.
  std::optional<std::string> MetadataText(std::string_view key) const;
  void SetMetadataText(std::string_view key, const std::optional<std::string>& text);

  // Metadata "comment".
  std::optional<std::string> Comment() const;
  void SetComment(const std::optional<std::string>& comment);
  bool operator==(const StructField&) const = default;
};

// Nesting that the parsers follow, and the largest texts they read: Glue's own
// limit for a column type, and far more than any stored schema.
inline constexpr int kMaxTypeDepth = 100;
inline constexpr std::size_t kMaxGlueTypeSize = 131072;
inline constexpr std::size_t kMaxSparkSchemaSize = std::size_t{16} << 20U;

// Glue type string → type. char(n)/varchar(n) stay simple types of that name.
//
// Accepts all that Spark's own parser does (any case, spaces, "name type" as
// well as "name:type", backquoted names, NOT NULL, COMMENT 'text') and beyond it
// - field names of any characters but "<", ">" and ",", unquoted; one that holds
//   ":" is taken as the shortest name after which a type follows;
// - Hive's and SQL's names: double precision, timestamp with [local] time zone,
//   timestamp without time zone, interval_year_month, interval_day_time,
//   character varying(n), and varchar without length (a string);
// - what database tools leave behind and can mean one thing only: bool, text,
//   datetime, blob, null, and display widths as in int(11).
// Errors: kInvalidData, with the position and what was found there;
// kUnsupported for types that exist but Spark has no equal of (uniontype).
Result<DataType> ParseGlueType(std::string_view text);

// Type → Glue type string, as Spark's Hive catalog would write it; ParseGlueType
// gives the same type back, but for nullability and nested comments, which a
// Glue string cannot hold. A collated string is a string.
// Errors: kInvalidArgument for what Glue or a reader of it cannot hold: intervals,
// void, variant, time, timestamp_ntz; nested field names that are not plain
// identifiers. The caller then uses the Spark-specific form of an entry.
// kLimitExceeded for more than kMaxGlueTypeSize bytes: too much for any form.
Result<std::string> ToGlueType(const DataType& type);

// The closest Glue string, for columns of Delta entries that other engines
// look at: timestamp_ntz → timestamp, void/variant/time/intervals → string, odd
// characters of nested names → "_", strings too long for Glue → string. Total.
std::string ToApproximateGlueType(const DataType& type);

// Spark schema JSON ⇄ type. Field metadata keeps its order and raw values, so
// that writing what was read gives Spark's text back. Unknown simple names that
// look like a type pass: a newer Spark may know them. Members that old versions
// of Spark left out (nullable, metadata) have Spark's defaults. CHAR/VARCHAR are
// "string" with metadata __CHAR_VARCHAR_TYPE_STRING in a stored schema: kept as
// they are found.
// Errors: kInvalidData.
Result<DataType> ParseSparkType(JsonView json);
Result<StructType> ParseSparkSchema(JsonView json);
Result<StructType> ParseSparkSchema(std::string_view json_text);
void WriteSparkType(const DataType& type, JsonWriter& writer);
std::string ToSparkJson(const StructType& schema);

}  // namespace gluecat::types
