// The tags of catalogs, databases, tables and connections.
#pragma once

#include <cstdint>

#include "core/base/json.h"
#include "core/base/result.h"
#include "store/operation.h"

namespace gluecat::store {

inline constexpr std::int64_t kMaxTags = 50;

// Whose rows have tags. An account's own catalog is a scope.
enum class TagKind : std::uint8_t { kScope, kDatabase, kTable, kConnection, kCatalog };

struct TagOwner {
  TagKind kind = TagKind::kScope;
  std::int64_t id = 0;
};

// Adds `tags` (a TagsMap, or nothing) to those of `owner`; a key that is there gets the new value.
// Errors: InvalidInputException for reserved keys and for more than kMaxTags.
Status AddTags(Call& call, TagOwner owner, JsonView tags);

}  // namespace gluecat::store
