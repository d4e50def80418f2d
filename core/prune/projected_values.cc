#include "core/prune/projected_values.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "core/base/text.h"
#include "core/prune/date_pattern.h"

namespace gluecat::prune {
namespace {

std::int64_t MillisOf(Timestamp time) {
  return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

// Reads the settings of one column; errors name the setting and its text.
class Settings {
 public:
  Settings(const PartitionColumn& column, const ColumnSettings& settings)
      : column_(column), settings_(settings) {}

  std::string Name(std::string_view setting) const {
    return "projection." + ToLowerAscii(column_.name) + "." + std::string(setting);
  }

  std::unexpected<Error> Bad(std::string_view setting, std::string_view problem) const {
    const auto found = settings_.find(setting);
    if (found == settings_.end()) {
      return Fail(ErrorKind::kInvalidData,
                  "table property '" + Name(setting) + "' is missing: " + std::string(problem));
    }
    return Fail(ErrorKind::kInvalidData, "table property '" + Name(setting) + "' is '" +
                                             found->second + "': " + std::string(problem));
  }

  std::optional<std::string_view> Find(std::string_view setting) const {
    const auto found = settings_.find(setting);
    if (found == settings_.end()) return std::nullopt;
    return found->second;
  }

  // The two ends of `range`, as they stand.
  Result<std::pair<std::string_view, std::string_view>> Range() const {
    const auto text = Find("range");
    if (!text) return Bad("range", "it says first and last value, like '0,9'");
    const auto ends = Split(*text, ',');
    if (ends.size() != 2) return Bad("range", "it must be two values with a comma between them");
    return std::pair(ends[0], ends[1]);
  }

  // A whole number of at least 1; nullopt if the setting is missing.
  Result<std::optional<std::int64_t>> Positive(std::string_view setting) const {
    const auto text = Find(setting);
    if (!text) return std::nullopt;
    const auto number = Integer(*text);
    if (!number || *number < 1) return Bad(setting, "it must be a whole number of at least 1");
    return number;
  }

  static std::optional<std::int64_t> Integer(std::string_view text) {
    text = Trim(text);
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    std::int64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
  }

  const PartitionColumn& column() const { return column_; }

 private:
  const PartitionColumn& column_;
  const ColumnSettings& settings_;
};

// `text` as a value of the column; nullopt if it is none.
std::optional<std::string> ValueOf(const KeyType& type, const std::string& text) {
  if (type.family == KeyFamily::kOther || type.family == KeyFamily::kString) return text;
  const auto value = TypedValue::Parse(type, text);
  if (!value) return std::nullopt;
  return value->Canonical();
}

class EnumValues final : public ProjectedValues {
 public:
  explicit EnumValues(std::vector<ProjectedValue> values) : values_(std::move(values)) {}
  std::uint64_t size() const override { return values_.size(); }
  ProjectedValue At(std::uint64_t index) const override { return values_.at(index); }
  bool ordered() const override { return false; }

 private:
  std::vector<ProjectedValue> values_;
};

class IntegerValues final : public ProjectedValues {
 public:
  IntegerValues(std::int64_t first, std::int64_t last, std::int64_t interval, std::size_t digits,
                bool as_text)
      : first_(first), interval_(interval), digits_(digits), as_text_(as_text) {
    size_ = (static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)) /
                static_cast<std::uint64_t>(interval) +
            1;
    // Digits of one length are ordered as text, too.
    ordered_ = !as_text_ || (first >= 0 && Text(first).size() == Text(last).size());
  }

  std::uint64_t size() const override { return size_; }

  ProjectedValue At(std::uint64_t index) const override {
    const auto number = static_cast<std::int64_t>(static_cast<std::uint64_t>(first_) +
                                                  index * static_cast<std::uint64_t>(interval_));
    std::string text = Text(number);
    return {as_text_ ? text : std::to_string(number), text};
  }

  bool ordered() const override { return ordered_; }

 private:
  // Padded as Java's %0<digits>d: the sign counts.
  std::string Text(std::int64_t number) const {
    std::string text = std::to_string(number);
    if (text.size() < digits_) text.insert(number < 0 ? 1 : 0, digits_ - text.size(), '0');
    return text;
  }

  std::int64_t first_;
  std::int64_t interval_;
  std::size_t digits_;
  bool as_text_;
  std::uint64_t size_ = 0;
  bool ordered_ = false;
};

class DateValues final : public ProjectedValues {
 public:
  DateValues(DatePattern pattern, std::int64_t first, std::int64_t last, std::int64_t interval,
             TimeUnit unit, KeyFamily family)
      : pattern_(std::move(pattern)),
        first_(first),
        interval_(interval),
        unit_(unit),
        family_(family),
        size_(static_cast<std::uint64_t>(StepsBetween(first, last, interval, unit)) + 1) {}

  std::uint64_t size() const override { return size_; }

  ProjectedValue At(std::uint64_t index) const override {
    const auto steps = static_cast<std::int64_t>(index) * interval_;
    const std::int64_t millis = AddUnits(first_, steps, unit_).value_or(first_);
    std::string text = pattern_.Format(millis);
    switch (family_) {
      case KeyFamily::kDate:
        return {DateForm().Format(millis), std::move(text)};
      case KeyFamily::kTimestamp:
        return {TimestampForm().Format(millis), std::move(text)};
      case KeyFamily::kInteger:
        return {std::to_string(Settings::Integer(text).value_or(0)), std::move(text)};
      default: {
        std::string value = text;
        return {std::move(value), std::move(text)};
      }
    }
  }

  bool ordered() const override {
    return family_ == KeyFamily::kDate || family_ == KeyFamily::kTimestamp || pattern_.ordered();
  }

 private:
  static const DatePattern& DateForm() {
    static const auto* const kForm = new DatePattern(*DatePattern::Parse("yyyy-MM-dd"));
    return *kForm;
  }
  static const DatePattern& TimestampForm() {
    static const auto* const kForm = new DatePattern(*DatePattern::Parse("yyyy-MM-dd HH:mm:ss"));
    return *kForm;
  }

  DatePattern pattern_;
  std::int64_t first_;
  std::int64_t interval_;
  TimeUnit unit_;
  KeyFamily family_;
  std::uint64_t size_;
};

using Values = std::unique_ptr<ProjectedValues>;

Result<Values> ReadEnum(const Settings& settings) {
  const auto text = settings.Find("values");
  if (!text) return settings.Bad("values", "it lists the values, like 'a,b,c'");
  std::vector<ProjectedValue> values;
  // Space is part of a value.
  for (const auto part : Split(*text, ',')) {
    std::string in_location(part);
    auto value = ValueOf(settings.column().spark_type, in_location);
    if (!value) {
      return settings.Bad("values", "'" + in_location + "' is not of the column's type " +
                                        settings.column().spark_type.name);
    }
    ProjectedValue projected{*std::move(value), std::move(in_location)};
    if (std::ranges::find(values, projected) == values.end()) {
      values.push_back(std::move(projected));
    }
  }
  return std::make_unique<EnumValues>(std::move(values));
}

Result<Values> ReadInteger(const Settings& settings) {
  const auto family = settings.column().spark_type.family;
  if (family != KeyFamily::kInteger && family != KeyFamily::kString) {
    return settings.Bad("type", "a column of type " + settings.column().spark_type.name +
                                    " cannot be projected as integer");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto range, settings.Range());
  const auto first = Settings::Integer(range.first);
  const auto last = Settings::Integer(range.second);
  if (!first || !last) return settings.Bad("range", "its ends must be whole numbers");
  if (*first > *last) return settings.Bad("range", "its first value is greater than its last");
  GLUECAT_ASSIGN_OR_RETURN(const auto interval, settings.Positive("interval"));
  GLUECAT_ASSIGN_OR_RETURN(const auto digits, settings.Positive("digits"));
  constexpr std::int64_t kMostDigits = 100;
  if (digits.value_or(1) > kMostDigits) return settings.Bad("digits", "it is too large");
  return std::make_unique<IntegerValues>(*first, *last, interval.value_or(1),
                                         static_cast<std::size_t>(digits.value_or(0)),
                                         family == KeyFamily::kString);
}

// `NOW`, or `NOW` and a signed number of units; nullopt if `text` is not of that form.
Result<std::optional<std::int64_t>> ReadRelative(const Settings& settings, std::string_view text,
                                                 std::int64_t now) {
  text = Trim(text);
  if (!EqualsIgnoreCase(text.substr(0, 3), "NOW")) return std::nullopt;
  text = Trim(text.substr(3));
  if (text.empty()) return now;
  const bool back = text.front() == '-';
  const std::string_view form =
      "relative dates have the form NOW-3DAYS, with YEARS, MONTHS, WEEKS, DAYS, HOURS, MINUTES or "
      "SECONDS";
  if (!back && text.front() != '+') return settings.Bad("range", form);
  text = Trim(text.substr(1));
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto amount = Settings::Integer(text.substr(0, end));
  const auto unit = ParseTimeUnit(text.substr(end));
  if (!amount || !unit || *unit == TimeUnit::kMillis) return settings.Bad("range", form);
  const auto moved = AddUnits(now, back ? -*amount : *amount, *unit);
  if (!moved) return settings.Bad("range", "it leaves the years 1 to 9999");
  return moved;
}

Result<Values> ReadDate(const Settings& settings, std::int64_t now) {
  const auto family = settings.column().spark_type.family;
  if (family != KeyFamily::kDate && family != KeyFamily::kTimestamp &&
      family != KeyFamily::kString && family != KeyFamily::kInteger) {
    return settings.Bad("type", "a column of type " + settings.column().spark_type.name +
                                    " cannot be projected as date");
  }
  const auto format = settings.Find("format");
  if (!format) return settings.Bad("format", "it is a pattern like yyyy-MM-dd");
  auto pattern = DatePattern::Parse(*format);
  if (!pattern) {
    Error error = pattern.error();
    error.message = "table property '" + settings.Name("format") + "' is '" + std::string(*format) +
                    "': it " + error.message;
    return Fail(std::move(error));
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto range, settings.Range());
  bool moves = false;
  const auto bound = [&](std::string_view text) -> Result<std::int64_t> {
    GLUECAT_ASSIGN_OR_RETURN(const auto relative, ReadRelative(settings, text, now));
    moves = moves || relative.has_value();
    // A relative bound is taken to the precision of the format, as a literal one is by its form.
    const auto millis = relative ? pattern->Read(pattern->Format(*relative)) : pattern->Read(text);
    if (!millis) {
      return settings.Bad("range", "'" + std::string(text) + "' is neither a date of the form " +
                                       std::string(*format) + " nor relative to NOW");
    }
    return *millis;
  };
  GLUECAT_ASSIGN_OR_RETURN(const std::int64_t first, bound(range.first));
  GLUECAT_ASSIGN_OR_RETURN(const std::int64_t last, bound(range.second));
  if (first > last) {
    // A range that begins in the future is empty until then.
    if (moves) return std::make_unique<EnumValues>(std::vector<ProjectedValue>());
    return settings.Bad("range", "its first date is later than its last");
  }

  TimeUnit unit = pattern->precision();
  GLUECAT_ASSIGN_OR_RETURN(const auto interval, settings.Positive("interval"));
  if (const auto text = settings.Find("interval.unit")) {
    const auto stated = ParseTimeUnit(*text);
    if (!stated) {
      return settings.Bad("interval.unit",
                          "it must be YEARS, MONTHS, WEEKS, DAYS, HOURS, MINUTES, SECONDS or "
                          "MILLIS");
    }
    unit = *stated;
  } else if (unit != TimeUnit::kDays && unit != TimeUnit::kMonths) {
    return settings.Bad("interval.unit",
                        "only for formats that end with the day or the month it "
                        "may be left out");
  }
  if (!interval && unit != TimeUnit::kDays && unit != TimeUnit::kMonths) {
    return settings.Bad("interval", "only for days and months it may be left out");
  }
  constexpr std::int64_t kMostInterval = 1'000'000'000'000;
  if (interval.value_or(1) > kMostInterval) return settings.Bad("interval", "it is too large");
  if (family == KeyFamily::kInteger &&
      !ValueOf(settings.column().spark_type, pattern->Format(first))) {
    return settings.Bad(
        "format", "its dates are not of the column's type " + settings.column().spark_type.name);
  }
  return std::make_unique<DateValues>(*std::move(pattern), first, last, interval.value_or(1), unit,
                                      family);
}

}  // namespace

Result<std::unique_ptr<ProjectedValues>> ReadProjectedValues(const PartitionColumn& column,
                                                             const ColumnSettings& settings,
                                                             Timestamp now) {
  const Settings reader(column, settings);
  const auto type = reader.Find("type");
  if (!type) return reader.Bad("type", "it is enum, integer, date or injected");
  const std::string name = ToLowerAscii(Trim(*type));
  if (name == "enum") return ReadEnum(reader);
  if (name == "integer") return ReadInteger(reader);
  if (name == "date") return ReadDate(reader, MillisOf(now));
  if (name == "injected") return Values();
  return reader.Bad("type", "it must be enum, integer, date or injected");
}

}  // namespace gluecat::prune
