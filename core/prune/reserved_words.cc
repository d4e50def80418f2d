#include "core/prune/reserved_words.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace gluecat::prune {
namespace {

// Sorted.
constexpr auto kWords = std::to_array<std::string_view>({
    "all",       "and",    "any",    "as",       "asc",    "begin", "between", "by",    "case",
    "create",    "delete", "desc",   "distinct", "do",     "drop",  "else",    "end",   "escape",
    "exists",    "from",   "full",   "group",    "having", "in",    "index",   "inner", "insert",
    "intersect", "into",   "is",     "join",     "key",    "left",  "like",    "limit", "natural",
    "not",       "null",   "offset", "on",       "open",   "or",    "order",   "outer", "primary",
    "replace",   "right",  "select", "set",      "some",   "table", "then",    "top",   "truncate",
    "union",     "update", "using",  "values",   "when",   "where", "with",
});
static_assert(std::is_sorted(kWords.begin(), kWords.end()));

}  // namespace

bool IsReservedWord(std::string_view word) {
  return std::binary_search(kWords.begin(), kWords.end(), std::string_view(ToLowerAscii(word)));
}

}  // namespace gluecat::prune
