#include "core/prune/date_pattern.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "core/base/text.h"

namespace gluecat::prune {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::int64_t kMillisPerDay = 86'400'000;
constexpr std::int64_t kFirstMillis = -719162 * kMillisPerDay;      // 0001-01-01
constexpr std::int64_t kEndMillis = (2932896 + 1) * kMillisPerDay;  // 10000-01-01

constexpr auto kUnits = std::to_array<std::pair<std::string_view, TimeUnit>>({
    {"year", TimeUnit::kYears},
    {"month", TimeUnit::kMonths},
    {"week", TimeUnit::kWeeks},
    {"day", TimeUnit::kDays},
    {"hour", TimeUnit::kHours},
    {"minute", TimeUnit::kMinutes},
    {"second", TimeUnit::kSeconds},
    {"milli", TimeUnit::kMillis},
    {"millisecond", TimeUnit::kMillis},
});

constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
constexpr std::size_t kShortName = 3;

// Coarsest first, with the unit that each is.
constexpr auto kFields = std::to_array<std::pair<char, TimeUnit>>({
    {'y', TimeUnit::kYears},
    {'M', TimeUnit::kMonths},
    {'d', TimeUnit::kDays},
    {'H', TimeUnit::kHours},
    {'m', TimeUnit::kMinutes},
    {'s', TimeUnit::kSeconds},
    {'S', TimeUnit::kMillis},
});

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::int64_t UnitMillis(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kWeeks:
      return 7 * kMillisPerDay;
    case TimeUnit::kDays:
      return kMillisPerDay;
    case TimeUnit::kHours:
      return 3'600'000;
    case TimeUnit::kMinutes:
      return 60'000;
    case TimeUnit::kSeconds:
      return 1000;
    default:
      return 1;
  }
}

struct Civil {
  std::int64_t year = 1970;
  std::int64_t month = 1;
  std::int64_t day = 1;
  std::int64_t hour = 0;
  std::int64_t minute = 0;
  std::int64_t second = 0;
  std::int64_t millis = 0;
};

Civil CivilOf(std::int64_t millis) {
  std::int64_t date = millis / kMillisPerDay;
  std::int64_t rest = millis % kMillisPerDay;
  if (rest < 0) {
    rest += kMillisPerDay;
    --date;
  }
  const year_month_day ymd{sys_days(days(date))};
  return {static_cast<int>(ymd.year()),
          static_cast<unsigned>(ymd.month()),
          static_cast<unsigned>(ymd.day()),
          rest / 3'600'000,
          rest / 60'000 % 60,
          rest / 1000 % 60,
          rest % 1000};
}

std::optional<std::int64_t> MillisOf(const Civil& civil) {
  const year_month_day ymd{std::chrono::year(static_cast<int>(civil.year)),
                           std::chrono::month(static_cast<unsigned>(civil.month)),
                           std::chrono::day(static_cast<unsigned>(civil.day))};
  if (civil.year < 1 || civil.year > 9999 || !ymd.ok() || civil.hour > 23 || civil.minute > 59 ||
      civil.second > 59) {
    return std::nullopt;
  }
  return sys_days(ymd).time_since_epoch().count() * kMillisPerDay + civil.hour * 3'600'000 +
         civil.minute * 60'000 + civil.second * 1000 + civil.millis;
}

std::string Padded(std::int64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

// `width` digits exactly, or one or two for a field of one letter.
std::optional<std::int64_t> TakeDigits(std::string_view& text, std::size_t width,
                                       std::size_t most) {
  std::size_t count = 0;
  std::int64_t value = 0;
  while (count < text.size() && count < most && IsDigit(text[count])) {
    value = value * 10 + (text[count] - '0');
    ++count;
  }
  if (count < width) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

std::optional<std::int64_t> TakeMonthName(std::string_view& text, bool whole) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    const auto name = whole ? kMonths[i] : kMonths[i].substr(0, kShortName);
    if (!EqualsIgnoreCase(text.substr(0, name.size()), name)) continue;
    text.remove_prefix(name.size());
    return static_cast<std::int64_t>(i) + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TimeUnit> ParseTimeUnit(std::string_view text) {
  std::string name = ToLowerAscii(Trim(text));
  if (name.ends_with('s')) name.pop_back();
  for (const auto& [unit_name, unit] : kUnits) {
    if (name == unit_name) return unit;
  }
  return std::nullopt;
}

std::optional<std::int64_t> AddUnits(std::int64_t millis, std::int64_t amount, TimeUnit unit) {
  std::int64_t moved = 0;
  if (unit == TimeUnit::kYears || unit == TimeUnit::kMonths) {
    constexpr std::int64_t kMostMonths = 12 * 20'000;
    if (unit == TimeUnit::kYears && __builtin_mul_overflow(amount, std::int64_t{12}, &amount)) {
      return std::nullopt;
    }
    if (amount > kMostMonths || amount < -kMostMonths) return std::nullopt;
    Civil civil = CivilOf(millis);
    const std::int64_t months = civil.year * 12 + civil.month - 1 + amount;
    if (months < 12) return std::nullopt;
    civil.year = months / 12;
    civil.month = months % 12 + 1;
    const std::chrono::year_month_day_last last{
        std::chrono::year(static_cast<int>(civil.year)) /
        std::chrono::month(static_cast<unsigned>(civil.month)) / std::chrono::last};
    civil.day = std::min<std::int64_t>(civil.day, static_cast<unsigned>(last.day()));
    return MillisOf(civil);
  }
  if (__builtin_mul_overflow(amount, UnitMillis(unit), &moved) ||
      __builtin_add_overflow(millis, moved, &moved) || moved < kFirstMillis ||
      moved >= kEndMillis) {
    return std::nullopt;
  }
  return moved;
}

std::int64_t StepsBetween(std::int64_t from, std::int64_t to, std::int64_t step, TimeUnit unit) {
  if (unit != TimeUnit::kYears && unit != TimeUnit::kMonths) {
    return (to - from) / UnitMillis(unit) / step;
  }
  const Civil a = CivilOf(from);
  const Civil b = CivilOf(to);
  const std::int64_t months = (b.year - a.year) * 12 + b.month - a.month;
  const std::int64_t units = unit == TimeUnit::kYears ? months / 12 : months;
  std::int64_t steps = units / step;
  // The last one may fall behind `to` within its month.
  while (steps > 0 && AddUnits(from, steps * step, unit).value_or(kEndMillis) > to) --steps;
  return steps;
}

Result<DatePattern> DatePattern::Parse(std::string_view pattern) {
  DatePattern result;
  const auto append = [&](char c) {
    if (result.parts_.empty() || result.parts_.back().field != 0) result.parts_.emplace_back();
    result.parts_.back().text += c;
  };
  for (std::size_t i = 0; i < pattern.size();) {
    const char c = pattern[i];
    if (c == '\'') {
      if (pattern.substr(i).starts_with("''")) {
        append('\'');
        i += 2;
        continue;
      }
      std::size_t at = i + 1;
      for (; at < pattern.size(); ++at) {
        if (pattern[at] != '\'') {
          append(pattern[at]);
        } else if (pattern.substr(at).starts_with("''")) {
          append('\'');
          ++at;
        } else {
          break;
        }
      }
      if (at >= pattern.size()) {
        return Fail(ErrorKind::kInvalidData, "has a quote that does not end");
      }
      i = at + 1;
      continue;
    }
    if (!IsLetter(c)) {
      if (std::string_view("[]{}#").find(c) != std::string_view::npos) {
        return Fail(ErrorKind::kUnsupported,
                    std::string("has '") + c + "', which is not supported");
      }
      append(c);
      ++i;
      continue;
    }
    const std::size_t end = std::min(pattern.find_first_not_of(c, i), pattern.size());
    Part part{c, end - i, {}};
    i = end;
    if (part.field == 'u') part.field = 'y';
    if (part.field == 'L') part.field = 'M';
    const bool known =
        std::ranges::any_of(kFields, [&](const auto& field) { return field.first == part.field; });
    const std::size_t most = part.field == 'S' ? 9 : part.field == 'y' || part.field == 'M' ? 4 : 2;
    if (!known || part.width > most || (part.field == 'y' && part.width == 3)) {
      return Fail(ErrorKind::kUnsupported, "has the field '" + std::string(part.width, c) +
                                               "', which is not among y, M, d, H, m, s and S");
    }
    result.parts_.push_back(std::move(part));
  }

  std::size_t expected = 0;
  bool in_order = true;
  for (const Part& part : result.parts_) {
    if (part.field == 0) continue;
    const auto at = static_cast<std::size_t>(
        std::ranges::find(kFields, part.field, &std::pair<char, TimeUnit>::first) -
        kFields.begin());
    in_order = in_order && at == expected++;
    in_order = in_order && (part.field == 'S' || part.width == (part.field == 'y' ? 4U : 2U));
    result.precision_ = std::max(result.precision_, kFields.at(at).second);
  }
  if (expected == 0 && in_order) {
    return Fail(ErrorKind::kInvalidData, "has no field of a date");
  }
  result.ordered_ = in_order;
  return result;
}

std::string DatePattern::Format(std::int64_t millis) const {
  const Civil civil = CivilOf(millis);
  std::string text;
  for (const Part& part : parts_) {
    switch (part.field) {
      case 0:
        text += part.text;
        break;
      case 'y':
        text += part.width == 2 ? Padded(civil.year % 100, 2) : Padded(civil.year, part.width);
        break;
      case 'M': {
        const auto name = kMonths.at(static_cast<std::size_t>(civil.month - 1));
        if (part.width <= 2) {
          text += Padded(civil.month, part.width);
        } else {
          text += part.width == 3 ? name.substr(0, kShortName) : name;
        }
        break;
      }
      case 'd':
        text += Padded(civil.day, part.width);
        break;
      case 'H':
        text += Padded(civil.hour, part.width);
        break;
      case 'm':
        text += Padded(civil.minute, part.width);
        break;
      case 's':
        text += Padded(civil.second, part.width);
        break;
      default:
        text += (Padded(civil.millis, 3) + "000000").substr(0, part.width);
    }
  }
  return text;
}

std::optional<std::int64_t> DatePattern::Read(std::string_view text) const {
  Civil civil;
  for (const Part& part : parts_) {
    if (part.field == 0) {
      if (!text.starts_with(part.text)) return std::nullopt;
      text.remove_prefix(part.text.size());
      continue;
    }
    const std::size_t most = part.width == 1 ? (part.field == 'y' ? 4 : 2) : part.width;
    std::optional<std::int64_t> number;
    if (part.field == 'M' && part.width > 2) {
      number = TakeMonthName(text, part.width == 4);
    } else {
      number = TakeDigits(text, part.width, part.field == 'S' ? part.width : most);
    }
    if (!number) return std::nullopt;
    switch (part.field) {
      case 'y':
        civil.year = part.width == 2 ? 2000 + *number : *number;
        break;
      case 'M':
        civil.month = *number;
        break;
      case 'd':
        civil.day = *number;
        break;
      case 'H':
        civil.hour = *number;
        break;
      case 'm':
        civil.minute = *number;
        break;
      case 's':
        civil.second = *number;
        break;
      default:
        civil.millis = *number;
        for (std::size_t places = part.width; places < 3; ++places) civil.millis *= 10;
        for (std::size_t places = part.width; places > 3; --places) civil.millis /= 10;
    }
  }
  if (!text.empty() || civil.month > 12 || civil.day > 31) return std::nullopt;
  return MillisOf(civil);
}

}  // namespace gluecat::prune
