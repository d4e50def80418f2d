#include "core/prune/predicate.h"

#include <array>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/prune/key_bounds.h"

namespace gluecat::prune {
namespace {

using Kind = Predicate::Kind;

constexpr auto kOperators = std::to_array<std::pair<std::string_view, Kind>>({
    {"and", Kind::kAnd},
    {"or", Kind::kOr},
    {"not", Kind::kNot},
    {"=", Kind::kEqual},
    {"<>", Kind::kNotEqual},
    {"<", Kind::kLess},
    {"<=", Kind::kLessEqual},
    {">", Kind::kGreater},
    {">=", Kind::kGreaterEqual},
    {"in", Kind::kIn},
    {"is_null", Kind::kIsNull},
    {"is_not_null", Kind::kIsNotNull},
    {"starts_with", Kind::kStartsWith},
});

std::unexpected<Error> Invalid(std::string message) {
  return Fail(ErrorKind::kInvalidArgument, "predicate: " + std::move(message));
}

class PredicateParser {
 public:
  Result<Predicate> Parse(JsonView json, int depth) {
    if (depth > kMaxPredicateDepth) return Invalid("nested too deeply");
    GLUECAT_RETURN_IF_ERROR(Count(1));
    if (!json.IsObject()) return Invalid("expected an object");
    const auto op = json["op"].AsString();
    if (!op) return Invalid("member 'op' is missing");
    Predicate predicate;
    bool known = false;
    for (const auto& [name, kind] : kOperators) {
      if (name != *op) continue;
      predicate.kind = kind;
      known = true;
    }
    if (!known) return Invalid("unknown operator '" + std::string(op->substr(0, 64)) + "'");

    switch (predicate.kind) {
      case Kind::kAnd:
      case Kind::kOr: {
        GLUECAT_RETURN_IF_ERROR(CheckMembers(json, {"op", "args"}));
        if (!json["args"].IsArray()) return Invalid("member 'args' must be a list");
        for (const auto& child : json["args"].Elements()) {
          GLUECAT_ASSIGN_OR_RETURN(auto parsed, Parse(child, depth + 1));
          predicate.children.push_back(std::move(parsed));
        }
        return predicate;
      }
      case Kind::kNot: {
        GLUECAT_RETURN_IF_ERROR(CheckMembers(json, {"op", "arg"}));
        GLUECAT_ASSIGN_OR_RETURN(auto parsed, Parse(json["arg"], depth + 1));
        predicate.children.push_back(std::move(parsed));
        return predicate;
      }
      default:
        break;
    }

    const auto column = json["column"].AsString();
    if (!column) return Invalid("member 'column' of '" + std::string(*op) + "' must be text");
    predicate.column = *column;
    switch (predicate.kind) {
      case Kind::kIsNull:
      case Kind::kIsNotNull:
        GLUECAT_RETURN_IF_ERROR(CheckMembers(json, {"op", "column"}));
        break;
      case Kind::kIn: {
        GLUECAT_RETURN_IF_ERROR(CheckMembers(json, {"op", "column", "values"}));
        if (!json["values"].IsArray()) return Invalid("member 'values' must be a list");
        for (const auto& element : json["values"].Elements()) {
          const auto value = element.AsString();
          if (!value) return Invalid("members of 'values' must be text");
          GLUECAT_RETURN_IF_ERROR(Count(1));
          predicate.values.emplace_back(*value);
        }
        break;
      }
      default: {
        GLUECAT_RETURN_IF_ERROR(CheckMembers(json, {"op", "column", "value"}));
        const auto value = json["value"].AsString();
        if (!value) return Invalid("member 'value' of '" + std::string(*op) + "' must be text");
        predicate.values.emplace_back(*value);
      }
    }
    return predicate;
  }

 private:
  static Status CheckMembers(JsonView json, std::initializer_list<std::string_view> allowed) {
    for (const auto& [name, value] : json.Members()) {
      bool known = false;
      for (const auto candidate : allowed) known = known || candidate == name;
      if (!known) return Invalid("unknown member '" + std::string(name.substr(0, 64)) + "'");
    }
    return {};
  }

  Status Count(std::size_t more) {
    size_ += more;
    if (size_ > kMaxPredicateSize) return Invalid("too large");
    return {};
  }

  std::size_t size_ = 0;
};

// What a predicate may evaluate to under three-valued logic: a set.
using Outcomes = unsigned;
constexpr Outcomes kTrue = 1;
constexpr Outcomes kFalse = 2;
constexpr Outcomes kNull = 4;
constexpr Outcomes kAny = kTrue | kFalse | kNull;

Outcomes Not(Outcomes a) {
  return ((a & kTrue) != 0 ? kFalse : 0U) | ((a & kFalse) != 0 ? kTrue : 0U) | (a & kNull);
}

Outcomes And(Outcomes a, Outcomes b) {
  Outcomes out = 0;
  if (((a | b) & kFalse) != 0) out |= kFalse;
  if ((a & b & kTrue) != 0) out |= kTrue;
  if (((a & kNull) != 0 && (b & (kTrue | kNull)) != 0) ||
      ((b & kNull) != 0 && (a & (kTrue | kNull)) != 0)) {
    out |= kNull;
  }
  return out;
}

Outcomes Or(Outcomes a, Outcomes b) { return Not(And(Not(a), Not(b))); }

Outcomes Certain(bool value) { return value ? kTrue : kFalse; }

class Evaluator {
 public:
  Evaluator(std::span<const PartitionColumn> columns, std::span<const std::string_view> values)
      : columns_(columns), values_(values) {}

  Outcomes Evaluate(const Predicate& predicate) const {
    switch (predicate.kind) {
      case Kind::kAnd: {
        Outcomes out = kTrue;
        for (const auto& child : predicate.children) out = And(out, Evaluate(child));
        return out;
      }
      case Kind::kOr: {
        Outcomes out = kFalse;
        for (const auto& child : predicate.children) out = Or(out, Evaluate(child));
        return out;
      }
      case Kind::kNot:
        return Not(Evaluate(predicate.children.front()));
      default:
        return EvaluateLeaf(predicate);
    }
  }

 private:
  Outcomes EvaluateLeaf(const Predicate& predicate) const {
    for (std::size_t i = 0; i < columns_.size() && i < values_.size(); ++i) {
      if (EqualsIgnoreCase(columns_[i].name, predicate.column)) {
        return EvaluateOn(predicate, columns_[i].spark_type, values_[i]);
      }
    }
    return kAny;
  }

  static Outcomes EvaluateOn(const Predicate& predicate, const KeyType& type,
                             std::string_view value) {
    const bool null = value == kNullPartitionValue;
    // Spark also reads text that is no value of the type as null.
    const bool readable =
        null || type.family == KeyFamily::kString || TypedValue::Parse(type, value).has_value();
    if (predicate.kind == Kind::kIsNull) return readable ? Certain(null) : kAny;
    if (predicate.kind == Kind::kIsNotNull) return readable ? Certain(!null) : kAny;
    if (null) {
      // Versions of Spark differ in what null IN () is.
      const bool empty_list = predicate.kind == Kind::kIn && predicate.values.empty();
      return empty_list ? kFalse | kNull : kNull;
    }
    // CHAR is compared with its padding, which a partition value does not show.
    if (!readable || type.name == "char") return kAny;

    switch (predicate.kind) {
      case Kind::kStartsWith:
        if (type.family != KeyFamily::kString) return kAny;
        return Certain(value.starts_with(predicate.values.front()));
      case Kind::kIn: {
        Outcomes out = kFalse;
        for (const auto& candidate : predicate.values) {
          out = Or(out, Compare(Kind::kEqual, type, value, candidate));
          if (out == kTrue) break;
        }
        return out;
      }
      default:
        return Compare(predicate.kind, type, value, predicate.values.front());
    }
  }

  static Outcomes Compare(Kind op, const KeyType& type, std::string_view value,
                          std::string_view literal) {
    const auto stored = TypedValue::Parse(type, value);
    const auto bounds = BoundsOf(type, literal);
    if (!stored || !bounds) return kAny;
    const bool less = *stored < bounds->low;
    const bool greater = *stored > bounds->high;
    if (!less && !greater && bounds->low != bounds->high) return kTrue | kFalse;
    switch (op) {
      case Kind::kEqual:
        return Certain(!less && !greater);
      case Kind::kNotEqual:
        return Certain(less || greater);
      case Kind::kLess:
        return Certain(less);
      case Kind::kLessEqual:
        return Certain(!greater);
      case Kind::kGreater:
        return Certain(greater);
      case Kind::kGreaterEqual:
        return Certain(!less);
      default:
        return kAny;
    }
  }

  std::span<const PartitionColumn> columns_;
  std::span<const std::string_view> values_;
};

}  // namespace

Result<Predicate> ParsePredicate(JsonView json) { return PredicateParser().Parse(json, 0); }

bool MightMatch(const Predicate& predicate, std::span<const PartitionColumn> columns,
                std::span<const std::string_view> values) {
  return (Evaluator(columns, values).Evaluate(predicate) & kTrue) != 0;
}

}  // namespace gluecat::prune
