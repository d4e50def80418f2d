#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "core/base/text.h"
#include "core/types/data_type.h"

namespace gluecat::types {
namespace {

// How many places to end an unquoted field name are tried before giving up.
constexpr int kMaxNameCandidates = 64;
constexpr std::size_t kMaxQuotedInError = 40;

// What may follow the first word of a simple type.
enum class Suffix : std::uint8_t {
  kNone,
  kWidth,      // (11), without meaning
  kDecimal,    // (p) or (p,s)
  kChar,       // (n), needed; "varying"
  kVarchar,    // (n), a string without it
  kTimestamp,  // with [local] time zone | without time zone
  kDouble,     // precision
  kString,     // collate name
  kTime,       // (p)
  kInterval,   // unit [to unit]
};

struct Word {
  std::string_view glue;
  std::string_view spark;
  Suffix suffix = Suffix::kNone;
};

constexpr std::array kWords = std::to_array<Word>({
    {"string", "string", Suffix::kString},
    {"int", "integer", Suffix::kWidth},
    {"bigint", "long", Suffix::kWidth},
    {"double", "double", Suffix::kDouble},
    {"timestamp", "timestamp", Suffix::kTimestamp},
    {"boolean", "boolean"},
    {"decimal", "decimal", Suffix::kDecimal},
    {"date", "date"},
    {"float", "float"},
    {"varchar", "varchar", Suffix::kVarchar},
    {"char", "char", Suffix::kChar},
    {"character", "char", Suffix::kChar},
    {"smallint", "short", Suffix::kWidth},
    {"tinyint", "byte", Suffix::kWidth},
    {"binary", "binary"},
    {"integer", "integer", Suffix::kWidth},
    {"long", "long"},
    {"short", "short"},
    {"byte", "byte"},
    {"real", "float"},
    {"numeric", "decimal", Suffix::kDecimal},
    {"dec", "decimal", Suffix::kDecimal},
    {"timestamp_ntz", "timestamp_ntz"},
    {"timestamp_ltz", "timestamp"},
    {"void", "void"},
    {"variant", "variant"},
    {"time", "time", Suffix::kTime},
    {"interval", "interval", Suffix::kInterval},
    {"interval_year_month", "interval year to month"},
    {"interval_day_time", "interval day to second"},
    {"bool", "boolean"},
    {"text", "string"},
    {"datetime", "timestamp"},
    {"blob", "binary"},
    {"null", "void"},
});

constexpr std::array<std::string_view, 6> kIntervalUnits = {"year", "month",  "day",
                                                            "hour", "minute", "second"};

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<DataType> Parse() {
    auto type = ParseType(1);
    if (type) {
      SkipSpace();
      if (at_ == text_.size()) return *std::move(type);
      Failed("the end");
    }
    return Fail(error_kind_, std::move(error_));
  }

 private:
  // --- Characters ---------------------------------------------------------

  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool Eat(char c) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool Expect(char c) {
    if (Eat(c)) return true;
    Failed(std::string("'") + c + "'");
    return false;
  }

  std::string_view PeekWord() {
    SkipSpace();
    std::size_t end = at_;
    while (end < text_.size() && IsWordChar(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  bool EatWord(std::string_view word) {
    const auto found = PeekWord();
    if (!EqualsIgnoreCase(found, word)) return false;
    at_ += found.size();
    return true;
  }

  // --- Errors -------------------------------------------------------------

  // Keeps the error that lies furthest in the text: what was tried before it
  // was on the wrong track earlier. "Unsupported" is never a wrong track.
  void Record(ErrorKind kind, std::size_t position, std::string message) {
    if (!error_.empty() && (error_kind_ == ErrorKind::kUnsupported || position < error_position_)) {
      return;
    }
    error_kind_ = kind;
    error_position_ = position;
    error_ = std::move(message) + " at position " + std::to_string(position);
  }

  std::string Found(std::size_t position) const {
    if (position >= text_.size()) return "the end";
    std::size_t end = position;
    while (end < text_.size() && IsWordChar(text_[end])) ++end;
    if (end == position) {
      // One character, which may be several bytes.
      ++end;
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80) ++end;
    }
    return "'" + std::string(text_.substr(position, std::min(end - position, kMaxQuotedInError))) +
           "'";
  }

  void Failed(const std::string& expected) {
    SkipSpace();
    Record(ErrorKind::kInvalidData, at_, "expected " + expected + " but found " + Found(at_));
  }

  // --- Types --------------------------------------------------------------

  std::optional<DataType> ParseType(int depth) {
    if (depth > kMaxTypeDepth) {
      Record(ErrorKind::kInvalidData, at_,
             "more than " + std::to_string(kMaxTypeDepth) + " nested types");
      return std::nullopt;
    }
    const auto word = PeekWord();
    if (word.empty()) {
      Failed("a type");
      return std::nullopt;
    }
    const std::size_t start = at_;
    at_ += word.size();
    if (EqualsIgnoreCase(word, "array")) return ParseArray(depth);
    if (EqualsIgnoreCase(word, "map")) return ParseMap(depth);
    if (EqualsIgnoreCase(word, "struct")) return ParseStruct(depth);
    if (EqualsIgnoreCase(word, "uniontype")) {
      Record(ErrorKind::kUnsupported, start, "uniontype, which Spark has no equal of,");
      return std::nullopt;
    }
    const auto found = std::ranges::find_if(
        kWords, [&](const Word& entry) { return EqualsIgnoreCase(entry.glue, word); });
    if (found == kWords.end()) {
      Record(ErrorKind::kInvalidData, start, "unknown type " + Found(start));
      return std::nullopt;
    }
    return ParseSimple(*found);
  }

  std::optional<DataType> ParseArray(int depth) {
    if (!Expect('<')) return std::nullopt;
    auto element = ParseType(depth + 1);
    if (!element || !Expect('>')) return std::nullopt;
    return DataType::Array(*std::move(element), true);
  }

  std::optional<DataType> ParseMap(int depth) {
    if (!Expect('<')) return std::nullopt;
    auto key = ParseType(depth + 1);
    if (!key || !Expect(',')) return std::nullopt;
    auto value = ParseType(depth + 1);
    if (!value || !Expect('>')) return std::nullopt;
    return DataType::Map(*std::move(key), *std::move(value), true);
  }

  std::optional<DataType> ParseStruct(int depth) {
    if (!Expect('<')) return std::nullopt;
    StructType fields;
    if (Eat('>')) return DataType::Struct(std::move(fields));
    do {
      auto field = ParseField(depth + 1);
      if (!field) return std::nullopt;
      fields.fields.push_back(*std::move(field));
    } while (Eat(','));
    if (!Expect('>')) return std::nullopt;
    return DataType::Struct(std::move(fields));
  }

  // A name ends at the first ':' (else: space) that is followed by a complete
  // field. As a name has neither '<' nor ',', at most one of the places tried
  // is followed by a nested type, so that this stays linear.
  std::optional<StructField> ParseField(int depth) {
    SkipSpace();
    if (Peek() == '`') return ParseQuotedField(depth);
    const std::size_t start = at_;
    const std::size_t stop = std::min(text_.find_first_of("<>,", start), text_.size());
    int candidates = 0;
    for (const bool at_colon : {true, false}) {
      for (std::size_t split = start; split < stop; ++split) {
        if (at_colon ? text_[split] != ':' : !IsSpace(text_[split])) continue;
        const auto name = Trim(text_.substr(start, split - start));
        if (name.empty()) continue;
        if (++candidates > kMaxNameCandidates) break;
        at_ = split + 1;
        if (auto field = ParseFieldType(name, depth)) return field;
        if (error_kind_ == ErrorKind::kUnsupported) return std::nullopt;
      }
    }
    if (candidates == 0) {
      at_ = stop;
      Failed(Trim(text_.substr(start, stop - start)).empty() ? "a field name" : "':' and a type");
    }
    return std::nullopt;
  }

  std::optional<StructField> ParseQuotedField(int depth) {
    const auto name = ParseQuoted('`');
    if (!name) return std::nullopt;
    Eat(':');
    return ParseFieldType(*name, depth);
  }

  std::optional<StructField> ParseFieldType(std::string_view name, int depth) {
    auto type = ParseType(depth);
    if (!type) return std::nullopt;
    StructField field{std::string(name), *std::move(type), true, {}};
    for (;;) {
      if (EatWord("not")) {
        if (!EatWord("null")) {
          Failed("NULL");
          return std::nullopt;
        }
        field.nullable = false;
      } else if (EatWord("comment")) {
        SkipSpace();
        const char quote = Peek();
        if (quote != '\'' && quote != '"') {
          Failed("a quoted comment");
          return std::nullopt;
        }
        auto comment = ParseQuoted(quote);
        if (!comment) return std::nullopt;
        field.SetComment(comment);
      } else {
        break;
      }
    }
    SkipSpace();
    if (Peek() != ',' && Peek() != '>') {
      Failed("',' or '>'");
      return std::nullopt;
    }
    return field;
  }

  // A quoted text; the quote is doubled inside, or (but in names) escaped.
  std::optional<std::string> ParseQuoted(char quote) {
    const std::size_t start = at_++;
    std::string result;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == quote) {
        if (Peek() != quote) {
          if (quote == '`' && result.empty()) break;
          return result;
        }
        ++at_;
        result += quote;
      } else if (c == '\\' && quote != '`' && at_ < text_.size()) {
        result += text_[at_++];
      } else {
        result += c;
      }
    }
    Record(ErrorKind::kInvalidData, start,
           result.empty() ? "empty quoted text" : "quoted text without an end");
    return std::nullopt;
  }

  std::optional<DataType> ParseSimple(const Word& word) {
    switch (word.suffix) {
      case Suffix::kNone:
        break;
      case Suffix::kWidth:
        if (Eat('(') && (!ParseNumber(0, 255) || !Expect(')'))) return std::nullopt;
        break;
      case Suffix::kDecimal:
        return ParseDecimal();
      case Suffix::kChar:
        return ParseCharacter(EatWord("varying") ? "varchar" : word.spark);
      case Suffix::kVarchar:
        SkipSpace();
        if (Peek() != '(') return DataType::Simple("string");
        return ParseCharacter(word.spark);
      case Suffix::kTimestamp:
        return ParseTimestamp();
      case Suffix::kDouble:
        EatWord("precision");
        break;
      case Suffix::kString:
        return ParseString();
      case Suffix::kTime:
        return ParseTime();
      case Suffix::kInterval:
        return ParseInterval();
    }
    return DataType::Simple(std::string(word.spark));
  }

  std::optional<int> ParseNumber(int least, int most) {
    SkipSpace();
    const std::size_t start = at_;
    int value = 0;
    const auto* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (Peek() == '-' || error == std::errc::invalid_argument) {
      Failed("a number");
      return std::nullopt;
    }
    if (error != std::errc{} || value < least || value > most) {
      Record(ErrorKind::kInvalidData, start,
             "expected a number from " + std::to_string(least) + " to " + std::to_string(most) +
                 " but found " + Found(start));
      return std::nullopt;
    }
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::optional<DataType> ParseDecimal() {
    int precision = 10;
    int scale = 0;
    if (Eat('(')) {
      const auto first = ParseNumber(1, 38);
      if (!first) return std::nullopt;
      precision = *first;
      if (Eat(',')) {
        const auto second = ParseNumber(0, precision);
        if (!second) return std::nullopt;
        scale = *second;
      }
      if (!Expect(')')) return std::nullopt;
    }
    return DataType::Simple("decimal(" + std::to_string(precision) + "," + std::to_string(scale) +
                            ")");
  }

  std::optional<DataType> ParseCharacter(std::string_view spark) {
    if (!Expect('(')) return std::nullopt;
    const auto length = ParseNumber(1, INT32_MAX);
    if (!length || !Expect(')')) return std::nullopt;
    return DataType::Simple(std::string(spark) + "(" + std::to_string(*length) + ")");
  }

  // All or nothing: "timestamp with" may be a field whose type ends here.
  std::optional<DataType> ParseTimestamp() {
    const std::size_t after = at_;
    if (EatWord("with")) {
      EatWord("local");
      if (EatWord("time") && EatWord("zone")) return DataType::Simple("timestamp");
    } else if (EatWord("without") && EatWord("time") && EatWord("zone")) {
      return DataType::Simple("timestamp_ntz");
    }
    at_ = after;
    return DataType::Simple("timestamp");
  }

  std::optional<DataType> ParseString() {
    if (!EatWord("collate")) return DataType::Simple("string");
    const auto collation = PeekWord();
    if (collation.empty()) {
      Failed("a collation");
      return std::nullopt;
    }
    at_ += collation.size();
    return DataType::Simple("string collate " + std::string(collation));
  }

  std::optional<DataType> ParseTime() {
    int precision = 6;
    if (Eat('(')) {
      const auto number = ParseNumber(0, 6);
      if (!number || !Expect(')')) return std::nullopt;
      precision = *number;
    }
    return DataType::Simple("time(" + std::to_string(precision) + ")");
  }

  std::optional<std::size_t> EatIntervalUnit() {
    for (std::size_t i = 0; i < kIntervalUnits.size(); ++i) {
      if (EatWord(kIntervalUnits.at(i))) return i;
    }
    return std::nullopt;
  }

  std::optional<DataType> ParseInterval() {
    const auto from = EatIntervalUnit();
    if (!from) return DataType::Simple("interval");
    std::string name = "interval " + std::string(kIntervalUnits.at(*from));
    if (EatWord("to")) {
      constexpr std::size_t kMonth = 1;
      const auto to = EatIntervalUnit();
      // Months and what is longer do not mix with days and what is shorter.
      if (!to || *to <= *from || (*from <= kMonth) != (*to <= kMonth)) {
        Failed("a smaller unit of the interval");
        return std::nullopt;
      }
      name += " to " + std::string(kIntervalUnits.at(*to));
    }
    return DataType::Simple(std::move(name));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
  std::size_t error_position_ = 0;
  ErrorKind error_kind_ = ErrorKind::kInvalidData;
};

}  // namespace

Result<DataType> ParseGlueType(std::string_view text) {
  if (text.size() > kMaxGlueTypeSize) {
    return Fail(ErrorKind::kInvalidData, "a type of " + std::to_string(text.size()) +
                                             " bytes; Glue holds at most " +
                                             std::to_string(kMaxGlueTypeSize));
  }
  return Parser(text).Parse();
}

}  // namespace gluecat::types
