#include "core/prune/typed_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <limits>

#include "core/base/text.h"

namespace gluecat::prune {
namespace {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

constexpr std::size_t kMaxDecimalText = 128;  // far above Hive's 38 digits
constexpr std::int64_t kSecondsPerDay = 86400;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads between `min` and `max` digits from the front of `text`.
std::optional<int> TakeNumber(std::string_view& text, std::size_t min, std::size_t max) {
  std::size_t count = 0;
  int value = 0;
  while (count < text.size() && count < max && IsDigit(text[count])) {
    value = value * 10 + (text[count] - '0');
    ++count;
  }
  if (count < min) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool TakeChar(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// yyyy-M[M]-d[d], as java.sql.Date reads it; the days since 1970-01-01.
std::optional<std::int64_t> TakeDate(std::string_view& text) {
  const auto year = TakeNumber(text, 4, 4);
  if (!year || !TakeChar(text, '-')) return std::nullopt;
  const auto month = TakeNumber(text, 1, 2);
  if (!month || !TakeChar(text, '-')) return std::nullopt;
  const auto day = TakeNumber(text, 1, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::string DateText(std::int64_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return buffer.data();
}

// Years 0000 to 9999: what the text form can hold.
bool InDateRange(std::int64_t days) { return days >= -719528 && days <= 2932896; }

struct DecimalParts {
  int sign = 0;            // -1, 0, 1
  std::string digits;      // without leading and trailing zeros; empty for zero
  std::int64_t point = 0;  // digits before the decimal point; may be negative
};

// [+-]digits[.digits], at least one digit. No exponent: Glue's literals have none.
std::optional<DecimalParts> ReadDecimal(std::string_view text) {
  if (text.empty() || text.size() > kMaxDecimalText) return std::nullopt;
  bool negative = false;
  if (text.front() == '-' || text.front() == '+') {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  DecimalParts parts;
  std::size_t seen = 0;
  bool fraction = false;
  for (const char c : text) {
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!IsDigit(c)) return std::nullopt;
    ++seen;
    if (!fraction) ++parts.point;
    parts.digits += c;
  }
  if (seen == 0) return std::nullopt;
  const std::size_t leading = std::min(parts.digits.find_first_not_of('0'), parts.digits.size());
  parts.digits.erase(0, leading);
  parts.point -= static_cast<std::int64_t>(leading);
  while (!parts.digits.empty() && parts.digits.back() == '0') parts.digits.pop_back();
  if (parts.digits.empty()) return DecimalParts{};
  parts.sign = negative ? -1 : 1;
  return parts;
}

std::string DecimalText(int sign, const std::string& digits, std::int64_t point) {
  if (sign == 0) return "0";
  std::string out = sign < 0 ? "-" : "";
  const auto size = static_cast<std::int64_t>(digits.size());
  if (point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-point), '0');
    out += digits;
  } else if (point >= size) {
    out += digits;
    out.append(static_cast<std::size_t>(point - size), '0');
  } else {
    out += digits.substr(0, static_cast<std::size_t>(point));
    out += '.';
    out += digits.substr(static_cast<std::size_t>(point));
  }
  return out;
}

// The decimal as an integer count of 10^-scale, if it is one and fits.
std::optional<Int128> Unscaled(int sign, const std::string& digits, std::int64_t point, int scale) {
  const std::int64_t places = point + scale;  // digits of the count
  const auto size = static_cast<std::int64_t>(digits.size());
  if (places > 38 || size > std::max<std::int64_t>(places, 0)) return std::nullopt;
  Int128 count = 0;
  for (std::int64_t i = 0; i < places; ++i) {
    count = count * 10 + (i < size ? digits[static_cast<std::size_t>(i)] - '0' : 0);
  }
  return sign < 0 ? -count : count;
}

std::string ScaledText(Int128 count, int scale) {
  const bool negative = count < 0;
  std::string digits;
  for (auto rest = static_cast<Uint128>(negative ? -count : count); rest != 0; rest /= 10) {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  if (static_cast<int>(digits.size()) <= scale) {
    digits.insert(0, static_cast<std::size_t>(scale) + 1 - digits.size(), '0');
  }
  if (scale > 0) digits.insert(digits.size() - static_cast<std::size_t>(scale), 1, '.');
  return negative ? "-" + digits : digits;
}

}  // namespace

KeyType ParseKeyType(std::string_view text) {
  KeyType type;
  const std::string lower = ToLowerAscii(Trim(text));
  const std::size_t open = lower.find('(');
  type.name = std::string(Trim(std::string_view(lower).substr(0, open)));
  std::array<int, 2> arguments{};
  std::size_t count = 0;
  if (open != std::string::npos) {
    if (lower.back() != ')') return type;
    const auto inside = std::string_view(lower).substr(open + 1, lower.size() - open - 2);
    for (const auto part : Split(inside, ',')) {
      auto number = Trim(part);
      const auto value = TakeNumber(number, 1, 5);
      if (!value || !number.empty() || count == arguments.size()) return type;
      arguments[count++] = *value;
    }
  }
  const auto integer = [&](int width) {
    if (count != 0) return;
    type.family = KeyFamily::kInteger;
    type.width = width;
  };
  if (type.name == "string" ? count == 0
                            : (type.name == "char" || type.name == "varchar") && count <= 1) {
    type.family = KeyFamily::kString;
  } else if (type.name == "tinyint" || type.name == "byte") {
    integer(8);
  } else if (type.name == "smallint" || type.name == "short") {
    integer(16);
  } else if (type.name == "int" || type.name == "integer") {
    integer(32);
  } else if (type.name == "bigint" || type.name == "long") {
    integer(64);
  } else if (type.name == "decimal" || type.name == "numeric" || type.name == "dec") {
    if (count > 0) type.precision = arguments[0];
    if (count > 1) type.scale = arguments[1];
    if (type.precision >= 1 && type.precision <= 38 && type.scale <= type.precision) {
      type.family = KeyFamily::kDecimal;
    }
  } else if (type.name == "date" && count == 0) {
    type.family = KeyFamily::kDate;
  } else if (type.name == "timestamp" && count == 0) {
    type.family = KeyFamily::kTimestamp;
  }
  return type;
}

std::optional<TypedValue> TypedValue::Parse(const KeyType& type, std::string_view text) {
  TypedValue value(type.family);
  switch (type.family) {
    case KeyFamily::kString:
      value.text_ = std::string(text);
      return value;
    case KeyFamily::kInteger: {
      if (text.starts_with('+') && text.size() > 1 && IsDigit(text[1])) text.remove_prefix(1);
      const auto* const end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, value.number_);
      if (error != std::errc() || stop != end) return std::nullopt;
      if (type.width < 64) {
        const std::int64_t limit = std::int64_t{1} << (type.width - 1);
        if (value.number_ < -limit || value.number_ >= limit) return std::nullopt;
      }
      return value;
    }
    case KeyFamily::kDecimal: {
      auto parts = ReadDecimal(text);
      if (!parts) return std::nullopt;
      value.number_ = parts->sign;
      value.extra_ = parts->point;
      value.text_ = std::move(parts->digits);
      return value;
    }
    case KeyFamily::kDate: {
      const auto days = TakeDate(text);
      if (!days || !text.empty()) return std::nullopt;
      value.number_ = *days;
      return value;
    }
    case KeyFamily::kTimestamp: {
      const auto days = TakeDate(text);
      if (!days) return std::nullopt;
      value.number_ = *days * kSecondsPerDay;
      if (text.empty()) return value;
      if (!TakeChar(text, ' ')) return std::nullopt;
      const auto hour = TakeNumber(text, 1, 2);
      if (!hour || *hour > 23 || !TakeChar(text, ':')) return std::nullopt;
      const auto minute = TakeNumber(text, 1, 2);
      if (!minute || *minute > 59 || !TakeChar(text, ':')) return std::nullopt;
      const auto second = TakeNumber(text, 1, 2);
      if (!second || *second > 59) return std::nullopt;
      value.number_ += *hour * 3600 + *minute * 60 + *second;
      if (text.empty()) return value;
      if (!TakeChar(text, '.')) return std::nullopt;
      const std::size_t places = text.size();
      const auto fraction = TakeNumber(text, 1, 9);
      if (!fraction || !text.empty()) return std::nullopt;
      value.extra_ = *fraction;
      for (std::size_t i = places; i < 9; ++i) value.extra_ *= 10;
      return value;
    }
    case KeyFamily::kOther:
      return std::nullopt;
  }
  return std::nullopt;
}

std::strong_ordering TypedValue::operator<=>(const TypedValue& other) const {
  if (family_ != other.family_) return family_ <=> other.family_;
  switch (family_) {
    case KeyFamily::kString: {
      const int order = text_.compare(other.text_);
      return order <=> 0;
    }
    case KeyFamily::kDecimal: {
      if (number_ != other.number_ || number_ == 0) return number_ <=> other.number_;
      auto magnitude = extra_ <=> other.extra_;
      if (magnitude == 0) magnitude = text_.compare(other.text_) <=> 0;
      return number_ > 0 ? magnitude : 0 <=> magnitude;
    }
    default:
      if (number_ != other.number_) return number_ <=> other.number_;
      return extra_ <=> other.extra_;
  }
}

std::string TypedValue::Canonical() const {
  switch (family_) {
    case KeyFamily::kString:
      return text_;
    case KeyFamily::kInteger:
      return std::to_string(number_);
    case KeyFamily::kDecimal:
      return DecimalText(static_cast<int>(number_), text_, extra_);
    case KeyFamily::kDate:
      return DateText(number_);
    case KeyFamily::kTimestamp: {
      std::int64_t days = number_ / kSecondsPerDay;
      std::int64_t rest = number_ % kSecondsPerDay;
      if (rest < 0) {
        rest += kSecondsPerDay;
        --days;
      }
      std::array<char, 48> buffer{};
      std::snprintf(buffer.data(), buffer.size(), " %02d:%02d:%02d", static_cast<int>(rest / 3600),
                    static_cast<int>(rest / 60 % 60), static_cast<int>(rest % 60));
      std::string out = DateText(days) + buffer.data();
      if (extra_ != 0) {
        std::snprintf(buffer.data(), buffer.size(), "%09d",
                      static_cast<int>(extra_ % kNanosPerSecond));
        std::string fraction = buffer.data();
        while (fraction.back() == '0') fraction.pop_back();
        out += '.' + fraction;
      }
      return out;
    }
    case KeyFamily::kOther:
      return {};
  }
  return {};
}

std::optional<TypedValue> TypedValue::Shifted(const KeyType& type, int steps) const {
  TypedValue moved = *this;
  switch (family_) {
    case KeyFamily::kInteger: {
      if (__builtin_add_overflow(number_, std::int64_t{steps}, &moved.number_)) return std::nullopt;
      return Parse(type, moved.Canonical());
    }
    case KeyFamily::kDecimal: {
      const auto count = Unscaled(static_cast<int>(number_), text_, extra_, type.scale);
      if (!count) return std::nullopt;
      return Parse(type, ScaledText(*count + steps, type.scale));
    }
    case KeyFamily::kDate:
      moved.number_ += steps;
      if (!InDateRange(moved.number_)) return std::nullopt;
      return moved;
    case KeyFamily::kTimestamp:
      moved.number_ += kSecondsPerDay * steps;
      if (!InDateRange(moved.number_ / kSecondsPerDay - 1)) return std::nullopt;
      if (!InDateRange(moved.number_ / kSecondsPerDay + 1)) return std::nullopt;
      return moved;
    default:
      return std::nullopt;
  }
}

}  // namespace gluecat::prune
