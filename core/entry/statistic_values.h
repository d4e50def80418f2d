// The texts that Spark's catalog keeps the values of column statistics in
// (CatalogColumnStat.toExternalString, version 2), and the numbers that Glue keeps them in.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace gluecat::entry {

inline constexpr std::int64_t kSecondsPerDay = 86400;

// The whole of `text` as a number; nullopt if it is none.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "2026-01-31" → days since the epoch; nullopt for what is no such date.
std::optional<std::int64_t> ParseDate(std::string_view text);
// Nothing for years that have no four digits: Spark could not read them back.
std::optional<std::string> DateText(std::int64_t days);

enum class Rounding : std::uint8_t { kDown, kUp };

// "2026-01-31 12:00:00.500000" (UTC) → seconds since the epoch.
std::optional<std::int64_t> ParseTimestamp(std::string_view text, Rounding rounding);
std::optional<std::string> TimestampText(std::int64_t seconds);

// A decimal as Glue has it: `unscaled` is the shortest two's complement, most significant byte
// first, as Java's BigInteger writes it.
struct Decimal {
  std::string unscaled;
  std::int64_t scale = 0;
};

// As Java's BigDecimal writes it: "-1.50", "0E-18". Up to 38 digits, as in Spark.
std::optional<Decimal> ParseDecimal(std::string_view text);
std::optional<std::string> DecimalText(const Decimal& decimal);

}  // namespace gluecat::entry
