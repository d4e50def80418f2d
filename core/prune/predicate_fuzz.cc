// Any JSON: parsing ends, and what was understood becomes an expression that the grammar takes and
// that keeps everything the predicate may match.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/prune/expression.h"
#include "core/prune/pushdown.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gluecat;
  using namespace gluecat::prune;
  const auto document = JsonDocument::Parse({reinterpret_cast<const char*>(data), size});
  if (!document) return 0;
  const auto predicate = ParsePredicate(document->root());
  if (!predicate) return 0;
  static const std::array<PartitionKey, 5> kKeys = {
      {{"s", "string"}, {"i", "int"}, {"d", "date"}, {"t", "timestamp"}, {"m", "decimal(10,2)"}}};
  std::array<PartitionColumn, 5> columns;
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    columns[i] = {kKeys[i].name, ParseKeyType(kKeys[i].type), ParseKeyType(kKeys[i].type)};
  }
  const auto text = ToGlueExpression(*predicate, columns);
  if (text.size() > kMaxExpressionLength) std::abort();
  const auto expression = Expression::Parse(text, kKeys);
  if (!expression) std::abort();
  const std::array<std::string_view, 5> values = {"abc", "10", "2020-02-01", "2020-02-01 10:00:00",
                                                  "1.50"};
  const auto passes = expression->Matches(values);
  if (!passes) std::abort();
  static_cast<void>(MightMatch(*predicate, columns, values));
  return 0;
}
