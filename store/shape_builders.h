// Shapes in few words, for the tables that are made of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "store/shape.h"

namespace gluecat::store::shapes {

using Type = Shape::Type;
using Pattern = Shape::Pattern;

constexpr Shape Text(std::int64_t min, std::int64_t max, Pattern pattern = Pattern::kNone) {
  return {.type = Type::kString, .min = min, .max = max, .pattern = pattern};
}
constexpr Shape Enumeration(std::span<const std::string_view> values) {
  return {.type = Type::kString, .values = values};
}
constexpr Shape Whole(std::int64_t min, std::int64_t max) {
  return {.type = Type::kInteger, .min = min, .max = max};
}
constexpr Shape ListOf(const Shape& element) { return {.type = Type::kList, .element = &element}; }
constexpr Shape ListOf(const Shape& element, std::int64_t min, std::int64_t max) {
  return {.type = Type::kList, .min = min, .max = max, .element = &element};
}
constexpr Shape MapOf(const Shape& key, const Shape& value) {
  return {.type = Type::kMap, .key = &key, .element = &value};
}
constexpr Shape MapOf(const Shape& key, const Shape& value, std::int64_t min, std::int64_t max) {
  return {.type = Type::kMap, .min = min, .max = max, .key = &key, .element = &value};
}
constexpr Shape Structure(std::span<const ShapeMember> members,
                          std::span<const std::string_view> response_only = {}) {
  return {.type = Type::kStructure, .members = members, .response_only = response_only};
}

}  // namespace gluecat::store::shapes
