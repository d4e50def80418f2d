#include "core/entry/statistic_values.h"

#include <chrono>
#include <cstdlib>

namespace gluecat::entry {
namespace {

__extension__ using Int128 = __int128;

constexpr int kDecimalDigits = 38;  // the most of Spark's decimals; they fit an Int128

std::string Padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return text;
}

std::string TwosComplement(Int128 value) {
  std::string bytes;
  do {
    bytes.insert(bytes.begin(), static_cast<char>(value & 0xFF));
    value >>= 8;
  } while (!((value == 0 && (bytes.front() & 0x80) == 0) ||
             (value == -1 && (bytes.front() & 0x80) != 0)));
  return bytes;
}

}  // namespace

std::optional<std::int64_t> ParseDate(std::string_view text) {
  constexpr std::size_t kLength = 10;
  if (text.size() != kLength || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = ParseNumber<int>(text.substr(0, 4));
  const auto month = ParseNumber<unsigned>(text.substr(5, 2));
  const auto day = ParseNumber<unsigned>(text.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                         std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::optional<std::string> DateText(std::int64_t days) {
  constexpr std::int64_t kFirst = -719162;  // 0001-01-01
  constexpr std::int64_t kLast = 2932896;   // 9999-12-31
  if (days < kFirst || days > kLast) return std::nullopt;
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  return Padded(static_cast<int>(date.year()), 4) + "-" +
         Padded(static_cast<unsigned>(date.month()), 2) + "-" +
         Padded(static_cast<unsigned>(date.day()), 2);
}

std::optional<std::int64_t> ParseTimestamp(std::string_view text, Rounding rounding) {
  constexpr std::size_t kSeconds = 19;
  if (text.size() < kSeconds || text[10] != ' ' || text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  const auto days = ParseDate(text.substr(0, 10));
  const auto hours = ParseNumber<int>(text.substr(11, 2));
  const auto minutes = ParseNumber<int>(text.substr(14, 2));
  const auto seconds = ParseNumber<int>(text.substr(17, 2));
  if (!days || !hours || !minutes || !seconds) return std::nullopt;
  const bool fraction = text.substr(kSeconds).find_first_of("123456789") != std::string_view::npos;
  return *days * kSecondsPerDay + *hours * 3600 + *minutes * 60 + *seconds +
         (fraction && rounding == Rounding::kUp ? 1 : 0);
}

std::optional<std::string> TimestampText(std::int64_t seconds) {
  std::int64_t days = seconds / kSecondsPerDay;
  std::int64_t rest = seconds % kSecondsPerDay;
  if (rest < 0) {
    rest += kSecondsPerDay;
    --days;
  }
  auto date = DateText(days);
  if (!date) return std::nullopt;
  return *date + " " + Padded(rest / 3600, 2) + ":" + Padded(rest / 60 % 60, 2) + ":" +
         Padded(rest % 60, 2) + ".000000";
}

std::optional<Decimal> ParseDecimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  Decimal decimal;
  Int128 unscaled = 0;
  if (const auto at = text.find('E'); at != std::string_view::npos) {
    std::string_view exponent = text.substr(at + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    const auto number = ParseNumber<int>(exponent);
    if (!number) return std::nullopt;
    decimal.scale = -*number;
    text = text.substr(0, at);
  }
  int digits = 0;
  bool behind_point = false;
  for (const char c : text) {
    if (c == '.' && !behind_point) {
      behind_point = true;
    } else if (c >= '0' && c <= '9' && ++digits <= kDecimalDigits) {
      unscaled = unscaled * 10 + (c - '0');
      if (behind_point) ++decimal.scale;
    } else {
      return std::nullopt;
    }
  }
  if (digits == 0) return std::nullopt;
  for (; decimal.scale < 0; ++decimal.scale) {
    if (++digits > kDecimalDigits) return std::nullopt;
    unscaled *= 10;
  }
  decimal.unscaled = TwosComplement(negative ? -unscaled : unscaled);
  return decimal;
}

std::optional<std::string> DecimalText(const Decimal& decimal) {
  const auto& [bytes, scale] = decimal;
  constexpr std::size_t kMostBytes = sizeof(Int128);
  if (bytes.empty() || bytes.size() > kMostBytes || scale < 0 || scale > kDecimalDigits) {
    return std::nullopt;
  }
  Int128 value = (bytes.front() & 0x80) != 0 ? -1 : 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  std::string digits;
  for (Int128 left = value; left != 0; left /= 10) {
    digits.insert(digits.begin(), static_cast<char>('0' + std::abs(static_cast<int>(left % 10))));
  }
  const auto behind_point = static_cast<std::size_t>(scale);
  if (digits.size() <= behind_point) digits.insert(0, behind_point + 1 - digits.size(), '0');
  if (behind_point > 0) digits.insert(digits.size() - behind_point, ".");
  return (value < 0 ? "-" : "") + digits;
}

}  // namespace gluecat::entry
