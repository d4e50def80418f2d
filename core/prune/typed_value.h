// Partition values as values of their key's type.
//
// Glue holds every partition value as text; comparing "10" with "9" is only
// right once both are numbers. This is the one place that knows how the text of
// a key type is read and ordered.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gluecat::prune {

// The text that stands for a null partition value (Hive's convention).
inline constexpr std::string_view kNullPartitionValue = "__HIVE_DEFAULT_PARTITION__";

enum class KeyFamily : std::uint8_t {
  kString,     // string, char(n), varchar(n): ordered by bytes
  kInteger,    // tinyint, smallint, int, bigint, long
  kDecimal,    // decimal(p,s)
  kDate,       // yyyy-MM-dd
  kTimestamp,  // yyyy-MM-dd HH:mm:ss[.fraction]
  kOther,      // boolean, floating point, binary, nested: never compared here
};

// A key type, read from Glue's type string or Spark's JSON name.
struct KeyType {
  KeyFamily family = KeyFamily::kOther;
  std::string name;    // lower case, without parameters: "int", "decimal", "varchar"
  int width = 64;      // kInteger: 8, 16, 32 or 64 bits
  int precision = 10;  // kDecimal
  int scale = 0;       // kDecimal
};

// Total: an unknown type is kOther. Spark's and Glue's names of a type give the same family,
// width, precision and scale ("integer" and "int").
KeyType ParseKeyType(std::string_view text);

// A value that can be compared with values of the same family.
class TypedValue {
 public:
  // nullopt if `text` is not a value of `type` (surrounding space included), or
  // the type is kOther.
  static std::optional<TypedValue> Parse(const KeyType& type, std::string_view text);

  std::strong_ordering operator<=>(const TypedValue& other) const;
  bool operator==(const TypedValue& other) const { return (*this <=> other) == 0; }

  // One spelling per value: "6" for "06", "1.5" for "01.50", "2020-01-02" for "2020-1-2".
  std::string Canonical() const;

  // The value further by `steps` units: 1 of an integer, 10^-scale of a decimal of `type`, a day
  // of a date or timestamp. nullopt if that is no value of the type (and for strings).
  std::optional<TypedValue> Shifted(const KeyType& type, int steps) const;

 private:
  explicit TypedValue(KeyFamily family) : family_(family) {}

  KeyFamily family_;
  std::string text_;         // kString; the digits of a kDecimal without leading or trailing zeros
  std::int64_t number_ = 0;  // kInteger; days of kDate; seconds of kTimestamp; sign of kDecimal
  std::int64_t extra_ = 0;   // nanoseconds of kTimestamp; digits before the point of kDecimal
};

}  // namespace gluecat::prune
