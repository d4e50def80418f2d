// Any text: parsing ends, and what was understood can be evaluated on any values.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/prune/expression.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gluecat::prune;
  static const std::array<PartitionKey, 6> kKeys = {{{"s", "string"},
                                                     {"i", "int"},
                                                     {"d", "date"},
                                                     {"t", "timestamp"},
                                                     {"m", "decimal(10,2)"},
                                                     {"b", "boolean"}}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto expression = Expression::Parse(text, kKeys);
  if (!expression) {
    if (expression.error().message.empty()) std::abort();
    return 0;
  }
  // The text itself is a string value like any other.
  const std::array<std::string_view, 6> values = {
      text, "10", "2020-02-01", "2020-02-01 10:00:00", "1.50", "true"};
  const std::array<std::string_view, 6> unreadable = {"", "x", "y", "z", "w", "v"};
  if (!expression->Matches(values)) std::abort();  // all of them are values of their types
  static_cast<void>(expression->Matches(unreadable));
  return 0;
}
