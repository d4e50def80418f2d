// Any text: parsing ends, and what was understood survives being written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/types/data_type.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gluecat::types;
  const auto type = ParseGlueType({reinterpret_cast<const char*>(data), size});
  if (!type) {
    if (type.error().message.empty()) std::abort();
    return 0;
  }
  // A Glue string has no place for nullability and comments: once they are gone,
  // writing and reading is exact.
  if (const auto text = ToGlueType(*type)) {
    const auto plain = ParseGlueType(*text);
    if (!plain || ToGlueType(*plain) != text || ParseGlueType(*text) != plain) std::abort();
  }
  if (!ParseGlueType(ToApproximateGlueType(*type))) std::abort();
  return 0;
}
