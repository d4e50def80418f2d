#include "core/prune/key_bounds.h"

namespace gluecat::prune {

std::optional<Bounds> BoundsOf(const KeyType& type, std::string_view literal) {
  const auto value = TypedValue::Parse(type, literal);
  if (!value) return std::nullopt;
  if (type.family != KeyFamily::kDecimal && type.family != KeyFamily::kTimestamp) {
    return Bounds{*value, *value};
  }
  const auto low = value->Shifted(type, -1);
  const auto high = value->Shifted(type, 1);
  if (!low || !high) return std::nullopt;
  return Bounds{*low, *high};
}

}  // namespace gluecat::prune
