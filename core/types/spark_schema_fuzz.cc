// Any text: parsing ends, what was understood survives being written, and every
// type has a Glue string that can be read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/types/char_varchar.h"
#include "core/types/data_type.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gluecat::types;
  const auto schema = ParseSparkSchema(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!schema) {
    if (schema.error().message.empty()) std::abort();
    return 0;
  }
  const std::string json = ToSparkJson(*schema);
  const auto again = ParseSparkSchema(std::string_view(json));
  if (!again || ToSparkJson(*again) != json) std::abort();
  const StructType stored = ToStoredForm(*schema);
  for (const auto& field : stored.fields) {
    if (HasCharVarchar(field.type)) std::abort();
    if (!ParseGlueType(ToApproximateGlueType(DeclaredType(field)))) std::abort();
  }
  return 0;
}
