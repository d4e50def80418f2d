#include "store/shape.h"

#include <algorithm>
#include <string>
#include <vector>

#include "store/service_errors.h"

namespace gluecat::store {
namespace {

using Type = Shape::Type;

constexpr std::size_t kMaxFindings = 10;

// "TableInput" -> "tableInput", as the service names members in messages.
std::string MemberName(std::string_view name) {
  std::string out(name);
  if (!out.empty() && out.front() >= 'A' && out.front() <= 'Z') out.front() += 'a' - 'A';
  return out;
}

std::int64_t CharacterCount(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; });
}

// Surrogates cannot occur: the text is valid UTF-8.
bool MatchesPattern(std::string_view text, Shape::Pattern pattern) {
  if (pattern == Shape::Pattern::kNone) return true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 && byte != '\t') {
      if (pattern == Shape::Pattern::kSingleLine || (byte != '\r' && byte != '\n')) return false;
    }
    // U+FFFE and U+FFFF.
    if (byte == 0xEF && text.substr(i + 1, 1) == "\xBF" && i + 2 < text.size() &&
        static_cast<unsigned char>(text[i + 2]) >= 0xBE) {
      return false;
    }
  }
  return true;
}

std::string_view PatternText(Shape::Pattern pattern) {
  return pattern == Shape::Pattern::kMultiLine
             ? R"([\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*)"
             : R"([\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\t]*)";
}

std::string Listed(std::span<const std::string_view> values) {
  std::string list;
  for (const auto value : values) list += (list.empty() ? "" : ", ") + std::string(value);
  return list;
}

class Validator {
 public:
  Status Check(JsonView value, const Shape& shape, const std::string& path) {
    if (findings_.size() >= kMaxFindings) return {};
    switch (shape.type) {
      case Type::kAny:
        return {};
      case Type::kStructure:
        return CheckStructure(value, shape, path);
      case Type::kList:
        return CheckList(value, shape, path);
      case Type::kMap:
        return CheckMap(value, shape, path);
      case Type::kBoolean:
        if (!value.AsBool()) return WrongType(path, "a boolean");
        return {};
      case Type::kTimestamp:
        if (value.type() != JsonView::Type::kNumber && !value.IsString()) {
          return WrongType(path, "a timestamp");
        }
        return {};
      default: {
        GLUECAT_RETURN_IF_ERROR(CheckType(value, shape, path));
        for (auto& constraint : ScalarFailures(value, shape)) Found(path, std::move(constraint));
        return {};
      }
    }
  }

  Status Finish() const {
    if (findings_.empty()) return {};
    std::string message = std::to_string(findings_.size()) + " validation error" +
                          (findings_.size() == 1 ? "" : "s") + " detected: ";
    for (std::size_t i = 0; i < findings_.size(); ++i)
      message += (i == 0 ? "" : "; ") + findings_[i];
    return ValidationFailure(std::move(message));
  }

 private:
  static std::unexpected<Error> WrongType(const std::string& path, std::string_view expected) {
    return ServiceError("SerializationException",
                        "'" + path + "' must be " + std::string(expected));
  }

  void Found(const std::string& path, std::string constraint) {
    if (findings_.size() >= kMaxFindings) return;
    findings_.push_back("Value at '" + path +
                        "' failed to satisfy constraint: " + std::move(constraint));
  }

  static Status CheckType(JsonView value, const Shape& shape, const std::string& path) {
    if (shape.type == Type::kString && !value.IsString()) return WrongType(path, "a string");
    if (shape.type == Type::kInteger && !value.AsInt()) return WrongType(path, "an integer");
    if (shape.type == Type::kDouble && !value.AsDouble()) return WrongType(path, "a number");
    return {};
  }

  static void CheckBounds(const Shape& shape, double size, std::string_view what,
                          std::vector<std::string>& out) {
    if (size < static_cast<double>(shape.min)) {
      out.push_back("Member must have " + std::string(what) + " greater than or equal to " +
                    std::to_string(shape.min));
    }
    if (size > static_cast<double>(shape.max)) {
      out.push_back("Member must have " + std::string(what) + " less than or equal to " +
                    std::to_string(shape.max));
    }
  }

  // The constraints that a value of the right type breaks.
  static std::vector<std::string> ScalarFailures(JsonView value, const Shape& shape) {
    std::vector<std::string> out;
    if (shape.type != Type::kString) {
      CheckBounds(shape, value.AsDouble().value_or(0), "value", out);
      return out;
    }
    const std::string_view text = *value.AsString();
    CheckBounds(shape, static_cast<double>(CharacterCount(text)), "length", out);
    if (!MatchesPattern(text, shape.pattern)) {
      out.push_back("Member must satisfy regular expression pattern: " +
                    std::string(PatternText(shape.pattern)));
    }
    if (!shape.values.empty() && std::ranges::find(shape.values, text) == shape.values.end()) {
      out.push_back("Member must satisfy enum value set: [" + Listed(shape.values) + "]");
    }
    return out;
  }

  Status CheckStructure(JsonView value, const Shape& shape, const std::string& path) {
    if (!value.IsObject()) return WrongType(path.empty() ? "request" : path, "an object");
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const auto& member : shape.members) {
      const JsonView found = value[member.name];
      if (found.IsNull()) {
        if (member.required) Found(prefix + MemberName(member.name), "Member must not be null");
        continue;
      }
      if (member.shape->type == Type::kAny) continue;
      GLUECAT_RETURN_IF_ERROR(Check(found, *member.shape, prefix + MemberName(member.name)));
    }
    for (const auto name : shape.response_only) {
      if (!value[name].IsNull()) {
        Found(prefix + MemberName(name), "Member is part of answers only");
      }
    }
    return {};
  }

  Status CheckList(JsonView value, const Shape& shape, const std::string& path) {
    if (!value.IsArray()) return WrongType(path, "a list");
    const auto elements = value.Elements();
    std::vector<std::string> failures;
    CheckBounds(shape, static_cast<double>(elements.size()), "length", failures);
    for (auto& failure : failures) Found(path, std::move(failure));
    const bool nested = shape.element->type == Type::kStructure ||
                        shape.element->type == Type::kList || shape.element->type == Type::kMap;
    std::size_t number = 0;
    for (const auto& element : elements) {
      ++number;
      if (nested) {
        GLUECAT_RETURN_IF_ERROR(
            Check(element, *shape.element, path + "." + std::to_string(number) + ".member"));
      } else if (!CheckElement(element, *shape.element, path, "Member")) {
        return WrongType(path, "a list of values of the declared type");
      }
    }
    return {};
  }

  Status CheckMap(JsonView value, const Shape& shape, const std::string& path) {
    if (!value.IsObject()) return WrongType(path, "a map");
    const auto members = value.Members();
    std::vector<std::string> failures;
    CheckBounds(shape, static_cast<double>(members.size()), "length", failures);
    for (const auto& [key, element] : members) {
      CheckBounds(*shape.key, static_cast<double>(CharacterCount(key)), "length", failures);
      if (!MatchesPattern(key, shape.key->pattern)) {
        failures.push_back(
            "Map keys must satisfy constraint: [Member must satisfy regular expression pattern: " +
            std::string(PatternText(shape.key->pattern)) + "]");
      }
      if (!shape.key->values.empty() &&
          std::ranges::find(shape.key->values, key) == shape.key->values.end()) {
        failures.push_back(
            "Map keys must satisfy constraint: [Member must satisfy enum value set: [" +
            Listed(shape.key->values) + "]]");
      }
      if (element.IsNull()) continue;
      if (!CheckElement(element, *shape.element, path, "Map value")) {
        return WrongType(path, "a map of values of the declared type");
      }
    }
    for (auto& failure : failures) Found(path, std::move(failure));
    return {};
  }

  // False if the element has the wrong type.
  bool CheckElement(JsonView element, const Shape& shape, const std::string& path,
                    std::string_view what) {
    if (shape.type == Type::kAny) return true;
    if (!CheckType(element, shape, path)) return false;
    const auto failures = ScalarFailures(element, shape);
    if (failures.empty()) return true;
    std::string joined;
    for (const auto& failure : failures) joined += (joined.empty() ? "" : ", ") + failure;
    Found(path, std::string(what) + " must satisfy constraint: [" + joined + "]");
    return true;
  }

  std::vector<std::string> findings_;
};

}  // namespace

Status Validate(JsonView request, const Shape& shape) {
  Validator validator;
  GLUECAT_RETURN_IF_ERROR(validator.Check(request, shape, ""));
  return validator.Finish();
}

}  // namespace gluecat::store
