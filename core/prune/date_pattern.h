// Date patterns of Java's DateTimeFormatter, as partition projection uses them.
//
// Times are milliseconds since 1970-01-01 00:00 UTC of the years 1 to 9999; there are no time
// zones. Fields: y or u (yyyy, yy, y), M or L (M, MM, MMM, MMMM; English names), d, H, m, s and S;
// text in single quotes and every other character that is no letter stand for themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace gluecat::prune {

// Coarsest first.
enum class TimeUnit : std::uint8_t {
  kYears,
  kMonths,
  kWeeks,
  kDays,
  kHours,
  kMinutes,
  kSeconds,
  kMillis,
};

// "DAYS", "DAY", in any case; nullopt for anything else.
std::optional<TimeUnit> ParseTimeUnit(std::string_view text);

// `millis` moved by `amount` units, as Java's plus does it: a day that the month lacks becomes its
// last. nullopt outside of the years 1 to 9999.
std::optional<std::int64_t> AddUnits(std::int64_t millis, std::int64_t amount, TimeUnit unit);

// How many whole steps of `step` units (at least 1) lead from `from` to `to` without passing it;
// `to` is not before `from`.
std::int64_t StepsBetween(std::int64_t from, std::int64_t to, std::int64_t step, TimeUnit unit);

class DatePattern {
 public:
  // Errors: kUnsupported, naming the part that is not among the fields above;
  // kInvalidData for a quote that does not end, or a pattern without a field.
  static Result<DatePattern> Parse(std::string_view pattern);

  std::string Format(std::int64_t millis) const;

  // The whole text; fields that the pattern lacks are the first of their kind.
  std::optional<std::int64_t> Read(std::string_view text) const;

  // The finest field.
  TimeUnit precision() const { return precision_; }

  // Whether texts are ordered as the times are: fields of fixed width, the coarsest first.
  bool ordered() const { return ordered_; }

 private:
  struct Part {
    char field = 0;         // 0: `text`
    std::size_t width = 0;  // letters of the field
    std::string text;
  };

  std::vector<Part> parts_;
  TimeUnit precision_ = TimeUnit::kYears;
  bool ordered_ = false;
};

}  // namespace gluecat::prune
