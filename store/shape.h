// What a request may hold: the constraints of the Glue API model, as data, and
// the check of a request against them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"

namespace gluecat::store {

struct Shape;

struct ShapeMember {
  std::string_view name;
  const Shape* shape;
  bool required = false;
};

struct Shape {
  enum class Type : std::uint8_t {
    kString,
    kInteger,
    kDouble,
    kBoolean,
    kTimestamp,
    kList,
    kMap,
    kStructure,
    kAny,  // kept, not looked into
  };
  // The two character sets of the model; kMultiLine adds CR and LF.
  enum class Pattern : std::uint8_t { kNone, kSingleLine, kMultiLine };

  Type type = Type::kAny;
  // Length of a string in characters, size of a list or map, value of a number.
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  Pattern pattern = Pattern::kNone;
  std::span<const std::string_view> values = {};  // of an enumeration
  const Shape* key = nullptr;                     // of a map
  const Shape* element = nullptr;                 // of a list; value of a map
  std::span<const ShapeMember> members = {};
  // Members that only answers have: sending one is refused, so that a client
  // that writes back what it read finds out.
  std::span<const std::string_view> response_only = {};
};

// Checks `request` against `shape`. Members that no shape names are let through.
// Errors: ValidationException, listing what is wrong in the service's words
// ("1 validation error detected: Value at 'tableInput.name' failed to satisfy
// constraint: …"); SerializationException for values of the wrong type.
Status Validate(JsonView request, const Shape& shape);

}  // namespace gluecat::store
