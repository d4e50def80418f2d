#include "core/prune/pushdown.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/prune/key_bounds.h"
#include "core/prune/reserved_words.h"

namespace gluecat::prune {
namespace {

using Kind = Predicate::Kind;

constexpr std::string_view kAnd = " AND ";
constexpr std::string_view kOr = " OR ";

// One condition, as exact as possible and, if there is a shorter wider one, that too.
struct Condition {
  std::string exact;
  std::string wide;  // empty: none
};

// Everything that must hold; empty: nothing is known.
using Conditions = std::vector<Condition>;

bool PlainName(std::string_view name) {
  if (name.empty() || name.size() > 255 || IsReservedWord(name)) return false;
  if (name.front() >= '0' && name.front() <= '9') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Text that every expression parser reads alike, and that orders the same by bytes (Spark) as by
// UTF-16 code units (Glue): no character from U+D800 on.
bool PlainText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7F && c != '\\' && byte < 0xED;
  });
}

std::string Quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
  return out;
}

std::string Literal(const KeyType& type, const TypedValue& value) {
  const bool quoted = type.family == KeyFamily::kString || type.family == KeyFamily::kDate ||
                      type.family == KeyFamily::kTimestamp;
  return quoted ? Quote(value.Canonical()) : value.Canonical();
}

std::string Parenthesize(std::string text) { return "(" + std::move(text) + ")"; }

class Builder {
 public:
  explicit Builder(std::span<const PartitionColumn> columns) : columns_(columns) {}

  // What follows from `predicate` (or from its negation).
  Conditions Build(const Predicate& predicate, bool negated) const {
    switch (predicate.kind) {
      case Kind::kNot:
        return Build(predicate.children.front(), !negated);
      case Kind::kAnd:
      case Kind::kOr:
        if ((predicate.kind == Kind::kAnd) != negated) {
          Conditions all;
          for (const auto& child : predicate.children) {
            auto more = Build(child, negated);
            all.insert(all.end(), std::make_move_iterator(more.begin()),
                       std::make_move_iterator(more.end()));
          }
          return all;
        }
        return Alternatives(predicate, negated);
      default:
        return Leaf(predicate, negated);
    }
  }

  static std::string Fit(const Conditions& conditions) {
    std::string out;
    for (const auto& condition : conditions) {
      const std::size_t glue = out.empty() ? 0 : kAnd.size();
      for (const auto* text : {&condition.exact, &condition.wide}) {
        if (text->empty() || out.size() + glue + text->size() > kMaxExpressionLength) continue;
        if (glue != 0) out += kAnd;
        out += *text;
        break;
      }
    }
    return out;
  }

 private:
  struct Range {
    TypedValue low;
    TypedValue high;
  };

  Conditions Alternatives(const Predicate& predicate, bool negated) const {
    std::string exact;
    bool fits = true;
    for (const auto& child : predicate.children) {
      const auto conditions = Build(child, negated);
      if (conditions.empty()) return {};
      std::string branch;
      for (const auto& condition : conditions) {
        if (!branch.empty()) branch += kAnd;
        branch += condition.exact;
      }
      if (conditions.size() > 1) branch = Parenthesize(std::move(branch));
      if (!exact.empty()) exact += kOr;
      exact += branch;
      if (exact.size() > kMaxExpressionLength) {
        fits = false;
        break;
      }
    }
    if (exact.empty()) return {};  // no alternatives: false, which cannot be written
    std::string wide;
    for (const auto& column : columns_) {
      if (!Usable(column)) continue;
      const auto range = Hull(predicate, negated, column);
      if (!range) continue;
      if (!wide.empty()) wide += kAnd;
      wide += RangeText(column, *range);
    }
    if (!fits) {
      if (wide.empty()) return {};
      return {{std::move(wide), {}}};
    }
    return {{Parenthesize(std::move(exact)), std::move(wide)}};
  }

  // A range of `column` that `predicate` (or its negation) cannot be true outside of.
  std::optional<Range> Hull(const Predicate& predicate, bool negated,
                            const PartitionColumn& column) const {
    switch (predicate.kind) {
      case Kind::kNot:
        return Hull(predicate.children.front(), !negated, column);
      case Kind::kAnd:
      case Kind::kOr: {
        const bool all = (predicate.kind == Kind::kAnd) != negated;
        std::optional<Range> hull;
        for (const auto& child : predicate.children) {
          auto range = Hull(child, negated, column);
          if (all && range) return range;
          if (!all && !range) return std::nullopt;
          if (!all) Extend(hull, *range);
        }
        return hull;
      }
      case Kind::kEqual:
      case Kind::kIn: {
        if (negated || !EqualsIgnoreCase(predicate.column, column.name)) return std::nullopt;
        std::optional<Range> hull;
        for (const auto& value : predicate.values) {
          const auto bounds = Bound(column, value);
          if (!bounds) return std::nullopt;
          Extend(hull, Range{bounds->low, bounds->high});
        }
        return hull;
      }
      default:
        return std::nullopt;
    }
  }

  static void Extend(std::optional<Range>& hull, const Range& range) {
    if (!hull) {
      hull = range;
      return;
    }
    if (range.low < hull->low) hull->low = range.low;
    if (range.high > hull->high) hull->high = range.high;
  }

  static std::string RangeText(const PartitionColumn& column, const Range& range) {
    return column.name + " >= " + Literal(column.glue_type, range.low) + std::string(kAnd) +
           column.name + " <= " + Literal(column.glue_type, range.high);
  }

  const PartitionColumn* Find(std::string_view name) const {
    for (const auto& column : columns_) {
      if (EqualsIgnoreCase(column.name, name)) return Usable(column) ? &column : nullptr;
    }
    return nullptr;
  }

  // Both sides must read the key alike, and Glue must list its type.
  static bool Usable(const PartitionColumn& column) {
    const KeyType& glue = column.glue_type;
    const KeyType& spark = column.spark_type;
    if (!PlainName(column.name) || glue.family != spark.family) return false;
    switch (glue.family) {
      case KeyFamily::kString:
        return glue.name == "string" && spark.name == "string";
      case KeyFamily::kInteger:
        return glue.width == spark.width;
      case KeyFamily::kDecimal:
        return glue.precision == spark.precision && glue.scale == spark.scale;
      case KeyFamily::kDate:
      case KeyFamily::kTimestamp:
        return true;
      case KeyFamily::kOther:
        return false;
    }
    return false;
  }

  static std::optional<Bounds> Bound(const PartitionColumn& column, std::string_view literal) {
    if (!PlainText(literal)) return std::nullopt;
    return BoundsOf(column.glue_type, literal);
  }

  Conditions Leaf(const Predicate& predicate, bool negated) const {
    const PartitionColumn* const column = Find(predicate.column);
    if (column == nullptr) return {};
    const bool text = column->glue_type.family == KeyFamily::kString;
    switch (predicate.kind) {
      case Kind::kIsNull:
      case Kind::kIsNotNull: {
        if (!text) return {};
        const bool null = (predicate.kind == Kind::kIsNull) != negated;
        return {{column->name + (null ? " = " : " <> ") + Quote(kNullPartitionValue), {}}};
      }
      case Kind::kStartsWith: {
        // In the pattern, _ and % of the prefix also match themselves.
        const std::string& prefix = predicate.values.front();
        if (negated || !text || prefix.empty() || !PlainText(prefix)) return {};
        return {{column->name + " LIKE " + Quote(prefix + "%"), {}}};
      }
      case Kind::kIn:
        return In(*column, predicate, negated);
      default:
        return Comparison(*column, negated ? Negate(predicate.kind) : predicate.kind,
                          predicate.values.front());
    }
  }

  static Kind Negate(Kind kind) {
    switch (kind) {
      case Kind::kEqual:
        return Kind::kNotEqual;
      case Kind::kNotEqual:
        return Kind::kEqual;
      case Kind::kLess:
        return Kind::kGreaterEqual;
      case Kind::kLessEqual:
        return Kind::kGreater;
      case Kind::kGreater:
        return Kind::kLessEqual;
      default:
        return Kind::kLess;
    }
  }

  static Conditions Comparison(const PartitionColumn& column, Kind kind, std::string_view value) {
    const auto bounds = Bound(column, value);
    if (!bounds) return {};
    const bool exact = bounds->low == bounds->high;
    const auto low = Literal(column.glue_type, bounds->low);
    const auto high = Literal(column.glue_type, bounds->high);
    switch (kind) {
      case Kind::kEqual:
        if (exact) return {{column.name + " = " + low, {}}};
        return {{RangeText(column, {bounds->low, bounds->high}), {}}};
      case Kind::kNotEqual:
        if (!exact) return {};
        return {{column.name + " <> " + low, {}}};
      case Kind::kLess:
        return {{column.name + (exact ? " < " : " <= ") + high, {}}};
      case Kind::kLessEqual:
        return {{column.name + " <= " + high, {}}};
      case Kind::kGreater:
        return {{column.name + (exact ? " > " : " >= ") + low, {}}};
      default:
        return {{column.name + " >= " + low, {}}};
    }
  }

  static Conditions In(const PartitionColumn& column, const Predicate& predicate, bool negated) {
    std::string list;
    std::optional<Range> hull;
    bool exact = true;
    for (const auto& value : predicate.values) {
      const auto bounds = Bound(column, value);
      if (!bounds) {
        if (!negated) return {};
        exact = false;
        continue;
      }
      exact = exact && bounds->low == bounds->high;
      Extend(hull, {bounds->low, bounds->high});
      if (list.size() <= kMaxExpressionLength) {
        if (!list.empty()) list += ", ";
        list += Literal(column.glue_type, bounds->low);
      }
    }
    if (!hull) return {};
    if (negated) {
      if (!exact) return {};
      return {{Parenthesize(column.name + " NOT IN (" + list + ")"), {}}};
    }
    const auto range = RangeText(column, *hull);
    if (!exact || list.size() > kMaxExpressionLength) return {{range, {}}};
    return {{Parenthesize(column.name + " IN (" + list + ")"), range}};
  }

  std::span<const PartitionColumn> columns_;
};

}  // namespace

std::string ToGlueExpression(const Predicate& predicate, std::span<const PartitionColumn> columns) {
  return Builder::Fit(Builder(columns).Build(predicate, false));
}

}  // namespace gluecat::prune
