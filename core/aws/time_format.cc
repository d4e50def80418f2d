#include "core/aws/time_format.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace gluecat::aws {
namespace {

// Reads fixed-width fields from the front of a text; any mismatch is remembered.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : rest_(text) {}

  int Digits(std::size_t count) {
    if (rest_.size() < count) return Failed();
    int value = 0;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return Failed();
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }

  void Literal(std::string_view literal) {
    if (!rest_.starts_with(literal)) {
      Failed();
      return;
    }
    rest_.remove_prefix(literal.size());
  }

  bool Skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view Take(std::size_t count) {
    if (rest_.size() < count) {
      Failed();
      return {};
    }
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  void SkipDigits() {
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') rest_.remove_prefix(1);
  }

  bool AtEnd() const { return rest_.empty(); }
  bool ok() const { return ok_; }

 private:
  int Failed() {
    ok_ = false;
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

struct Fields {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
};

std::optional<Timestamp> Compose(const Fields& fields) {
  const std::chrono::year_month_day date{std::chrono::year(fields.year),
                                         std::chrono::month(static_cast<unsigned>(fields.month)),
                                         std::chrono::day(static_cast<unsigned>(fields.day))};
  if (!date.ok() || fields.hour > 23 || fields.minute > 59 || fields.second > 60) {
    return std::nullopt;
  }
  // What a 64-bit count of nanoseconds can hold.
  if (fields.year < 1700 || fields.year > 2250) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(fields.hour) +
         std::chrono::minutes(fields.minute) + std::chrono::seconds(fields.second);
}

Fields Decompose(Timestamp time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto days = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(seconds - days);
  return {static_cast<int>(date.year()),
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          static_cast<int>(clock.hours().count()),
          static_cast<int>(clock.minutes().count()),
          static_cast<int>(clock.seconds().count())};
}

std::string Print(const char* format, Timestamp time) {
  const Fields f = Decompose(time);
  std::array<char, 96> text{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int size = std::snprintf(text.data(), text.size(), format, f.year, f.month, f.day, f.hour,
                                 f.minute, f.second);
#pragma GCC diagnostic pop
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

std::string FormatAmzDate(Timestamp time) { return Print("%04d%02d%02dT%02d%02d%02dZ", time); }

std::string FormatIso8601(Timestamp time) { return Print("%04d-%02d-%02dT%02d:%02d:%02dZ", time); }

std::optional<Timestamp> ParseAmzDate(std::string_view text) {
  FieldReader reader(text);
  Fields fields;
  fields.year = reader.Digits(4);
  fields.month = reader.Digits(2);
  fields.day = reader.Digits(2);
  reader.Literal("T");
  fields.hour = reader.Digits(2);
  fields.minute = reader.Digits(2);
  fields.second = reader.Digits(2);
  reader.Literal("Z");
  if (!reader.ok() || !reader.AtEnd()) return std::nullopt;
  return Compose(fields);
}

std::optional<Timestamp> ParseIso8601(std::string_view text) {
  FieldReader reader(text);
  Fields fields;
  fields.year = reader.Digits(4);
  reader.Literal("-");
  fields.month = reader.Digits(2);
  reader.Literal("-");
  fields.day = reader.Digits(2);
  reader.Literal("T");
  fields.hour = reader.Digits(2);
  reader.Literal(":");
  fields.minute = reader.Digits(2);
  reader.Literal(":");
  fields.second = reader.Digits(2);
  if (reader.Skip('.')) reader.SkipDigits();
  std::chrono::minutes offset{0};
  if (!reader.Skip('Z')) {
    const bool east = reader.Skip('+');
    if (!east) reader.Literal("-");
    offset = std::chrono::hours(reader.Digits(2));
    reader.Literal(":");
    offset += std::chrono::minutes(reader.Digits(2));
    if (!east) offset = -offset;
  }
  if (!reader.ok() || !reader.AtEnd()) return std::nullopt;
  const auto local = Compose(fields);
  if (!local) return std::nullopt;
  return *local - offset;
}

std::optional<Timestamp> ParseHttpDate(std::string_view text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  FieldReader reader(text);
  Fields fields;
  reader.Take(3);
  reader.Literal(", ");
  fields.day = reader.Digits(2);
  reader.Literal(" ");
  const auto month = reader.Take(3);
  const auto at = month.empty() ? std::string_view::npos : kMonths.find(month);
  if (at == std::string_view::npos || at % 3 != 0) return std::nullopt;
  fields.month = static_cast<int>(at / 3) + 1;
  reader.Literal(" ");
  fields.year = reader.Digits(4);
  reader.Literal(" ");
  fields.hour = reader.Digits(2);
  reader.Literal(":");
  fields.minute = reader.Digits(2);
  reader.Literal(":");
  fields.second = reader.Digits(2);
  reader.Literal(" GMT");
  if (!reader.ok() || !reader.AtEnd()) return std::nullopt;
  return Compose(fields);
}

}  // namespace gluecat::aws
