#include "core/prune/projection.h"

#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/prune/index_ranges.h"
#include "core/prune/projected_values.h"

namespace gluecat::prune {
namespace {

constexpr std::string_view kPrefix = "projection.";
constexpr std::string_view kTemplate = "storage.location.template";

// A value as a directory name holds it, escaped as Hive and Spark do (escapePathName).
std::string PathName(std::string_view text) {
  constexpr std::string_view kEscaped = "\"#%'*/:=?\\{[]^";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F && kEscaped.find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    std::array<char, 4> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%%%02X", static_cast<unsigned>(byte));
    out += buffer.data();
  }
  return out;
}

// How a partition's location is made: texts, and after each but the last the value of a column.
class LocationForm {
 public:
  static Result<LocationForm> Read(const Projection& projection,
                                   std::span<const PartitionColumn> columns) {
    const auto found = projection.parameters.find(std::string(kTemplate));
    if (found == projection.parameters.end() || found->second.empty()) {
      return Default(projection.location, columns);
    }
    LocationForm form;
    const std::string& text = found->second;
    const auto bad = [&](const std::string& problem) {
      return Fail(ErrorKind::kInvalidData,
                  "table property '" + std::string(kTemplate) + "' is '" + text + "': " + problem);
    };
    std::vector<bool> used(columns.size());
    std::size_t at = 0;
    for (std::size_t open = text.find("${"); open != std::string::npos;
         open = text.find("${", at)) {
      const std::size_t close = text.find('}', open);
      if (close == std::string::npos) return bad("a placeholder does not end");
      const auto name = std::string_view(text).substr(open + 2, close - open - 2);
      std::size_t column = 0;
      while (column < columns.size() && !EqualsIgnoreCase(columns[column].name, name)) ++column;
      if (column == columns.size()) {
        return bad("'" + std::string(name) + "' is no partition column");
      }
      form.texts_.push_back(text.substr(at, open - at));
      form.columns_.push_back(column);
      used[column] = true;
      at = close + 1;
    }
    form.texts_.push_back(text.substr(at));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!used[i]) {
        return bad("it lacks ${" + columns[i].name +
                   "}, so that partitions would share their files");
      }
    }
    return form;
  }

  std::string Of(const std::vector<ProjectedValue>& values) const {
    std::string location;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      location += texts_[i];
      const std::string& value = values[columns_[i]].in_location;
      location += escaped_ ? PathName(value) : value;
    }
    return location + texts_.back();
  }

 private:
  static LocationForm Default(std::string location, std::span<const PartitionColumn> columns) {
    LocationForm form;
    form.escaped_ = true;
    while (location.ends_with('/')) location.pop_back();
    std::string before = std::move(location);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      form.texts_.push_back(before + "/" + PathName(columns[i].name) + "=");
      form.columns_.push_back(i);
      before.clear();
    }
    form.texts_.emplace_back();
    return form;
  }

  std::vector<std::string> texts_;  // one more than columns_
  std::vector<std::size_t> columns_;
  bool escaped_ = false;
};

// projection.<column>.<setting>, by column and setting in lower case.
std::map<std::string, ColumnSettings> SettingsByColumn(const Projection& projection) {
  std::map<std::string, ColumnSettings> settings;
  for (const auto& [key, value] : projection.parameters) {
    const std::string name = ToLowerAscii(key);
    if (!name.starts_with(kPrefix)) continue;
    const std::size_t dot = name.find('.', kPrefix.size());
    if (dot == std::string::npos) continue;
    settings[name.substr(kPrefix.size(), dot - kPrefix.size())].emplace(name.substr(dot + 1),
                                                                        value);
  }
  return settings;
}

// A text that would leave the table's directory.
bool ClimbsUp(std::string_view text) {
  for (const auto part : Split(text, '/')) {
    if (part == "..") return true;
  }
  return false;
}

class Lister {
 public:
  Lister(std::span<const PartitionColumn> columns, const Predicate* filter,
         const ProjectedSink& sink)
      : columns_(columns), filter_(filter), sink_(sink) {}

  Status List(const Projection& projection, Timestamp now) {
    GLUECAT_ASSIGN_OR_RETURN(form_, LocationForm::Read(projection, columns_));
    const auto settings = SettingsByColumn(projection);
    for (const PartitionColumn& column : columns_) {
      const auto found = settings.find(ToLowerAscii(column.name));
      GLUECAT_ASSIGN_OR_RETURN(
          const auto values,
          ReadProjectedValues(column, found == settings.end() ? ColumnSettings() : found->second,
                              now));
      auto kept = values ? Kept(column, *values) : Injected(column);
      if (!kept) return std::unexpected(std::move(kept).error());
      kept_.push_back(*std::move(kept));
    }
    chosen_.resize(columns_.size());
    texts_.resize(columns_.size());
    return Visit(0);
  }

 private:
  // The values of one column that the filter can keep.
  Result<std::vector<ProjectedValue>> Kept(const PartitionColumn& column,
                                           const ProjectedValues& values) {
    std::vector<ProjectedValue> kept;
    const auto ranges = filter_ != nullptr ? KeptRanges(*filter_, column, values)
                                           : std::vector<IndexRange>{{0, values.size()}};
    for (const IndexRange& range : ranges) {
      for (std::uint64_t i = range.first; i < range.end; ++i) {
        GLUECAT_RETURN_IF_ERROR(CountTrial());
        ProjectedValue value = values.At(i);
        if (!kept.empty() && kept.back() == value) continue;
        const std::array<std::string_view, 1> texts = {value.value};
        if (filter_ != nullptr && !MightMatch(*filter_, std::span(&column, 1), texts)) continue;
        if (kept.size() == kMaxProjectedPartitions) return TooMany();
        kept.push_back(std::move(value));
      }
    }
    return kept;
  }

  Result<std::vector<ProjectedValue>> Injected(const PartitionColumn& column) const {
    const auto stated = filter_ != nullptr ? StatedValues(*filter_, column) : std::nullopt;
    if (!stated) {
      return Fail(ErrorKind::kInvalidArgument,
                  "partition column " + column.name + " is injected (projection." +
                      ToLowerAscii(column.name) + ".type): the query must say its values, with " +
                      column.name + " = … or IN (…)");
    }
    std::vector<ProjectedValue> values;
    for (const auto& value : *stated) {
      if (ClimbsUp(value)) {
        return Fail(ErrorKind::kInvalidArgument,
                    "'" + value +
                        "' leads out of the table: it cannot be a value of the injected "
                        "partition column " +
                        column.name);
      }
      values.push_back({value, value});
    }
    return values;
  }

  Status Visit(std::size_t depth) {
    if (depth == columns_.size()) {
      if (++found_ > kMaxProjectedPartitions) return TooMany();
      return sink_(texts_, form_.Of(chosen_));
    }
    for (const ProjectedValue& value : kept_[depth]) {
      GLUECAT_RETURN_IF_ERROR(CountTrial());
      chosen_[depth] = value;
      texts_[depth] = chosen_[depth].value;
      // What the columns so far say is enough to leave out all below.
      if (filter_ != nullptr &&
          !MightMatch(*filter_, columns_.first(depth + 1), std::span(texts_).first(depth + 1))) {
        continue;
      }
      GLUECAT_RETURN_IF_ERROR(Visit(depth + 1));
    }
    return {};
  }

  Status CountTrial() { return ++trials_ > kMaxProjectedTrials ? TooMany() : Status(); }

  static std::unexpected<Error> TooMany() {
    return Fail(ErrorKind::kInvalidArgument,
                "its projection gives more than " + std::to_string(kMaxProjectedPartitions) +
                    " partitions for this query: add conditions on its partition columns");
  }

  std::span<const PartitionColumn> columns_;
  const Predicate* filter_;
  const ProjectedSink& sink_;
  LocationForm form_;
  std::vector<std::vector<ProjectedValue>> kept_;  // by column
  std::vector<ProjectedValue> chosen_;
  std::vector<std::string_view> texts_;  // the values of chosen_
  std::size_t trials_ = 0;
  std::size_t found_ = 0;
};

}  // namespace

Status ListProjected(const Projection& projection, std::span<const PartitionColumn> columns,
                     const Predicate* filter, Timestamp now, const ProjectedSink& sink) {
  return Lister(columns, filter, sink).List(projection, now);
}

}  // namespace gluecat::prune
