#include "store/name_pattern_syntax.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "store/service_errors.h"

namespace gluecat::store {
namespace {

constexpr int kMaxGroupDepth = 50;
constexpr int kMaxRepeat = 255;

using Kind = PatternNode::Kind;
using Bytes = std::bitset<256>;

Bytes RangeOf(unsigned from, unsigned to) {
  Bytes bytes;
  for (unsigned c = from; c <= to; ++c) bytes.set(c);
  return bytes;
}

const Bytes& Ascii() {
  static const Bytes ascii = RangeOf(0, 0x7F);
  return ascii;
}

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void IgnoreCase(Bytes& bytes) {
  for (unsigned c = 'a'; c <= 'z'; ++c) {
    const unsigned upper = c - 'a' + 'A';
    if (bytes[c] || bytes[upper]) bytes.set(c).set(upper);
  }
}

// A set of characters: some of ASCII, and all others or none of them.
struct CharacterSet {
  Bytes bytes;
  bool beyond_ascii = false;

  CharacterSet Opposite() const { return {Ascii() & ~bytes, !beyond_ascii}; }
  void Add(const CharacterSet& other) {
    bytes |= other.bytes;
    beyond_ascii = beyond_ascii || other.beyond_ascii;
  }
};

// \d, \w, \s and their opposites.
std::optional<CharacterSet> ClassEscape(char c) {
  const auto digits = RangeOf('0', '9');
  const auto word = digits | RangeOf('a', 'z') | RangeOf('A', 'Z') | RangeOf('_', '_');
  const auto space = RangeOf('\t', '\r') | RangeOf(' ', ' ');
  switch (c) {
    case 'd':
      return CharacterSet{digits};
    case 'D':
      return CharacterSet{digits}.Opposite();
    case 'w':
      return CharacterSet{word};
    case 'W':
      return CharacterSet{word}.Opposite();
    case 's':
      return CharacterSet{space};
    case 'S':
      return CharacterSet{space}.Opposite();
    default:
      return std::nullopt;
  }
}

// The POSIX classes of Java's \p{…}, and the letters and digits of Unicode as far as ASCII goes.
std::optional<CharacterSet> NamedClass(std::string_view name) {
  const auto digits = RangeOf('0', '9');
  const auto letters = RangeOf('a', 'z') | RangeOf('A', 'Z');
  const auto graphic = RangeOf('!', '~');
  const std::array<std::pair<std::string_view, CharacterSet>, 11> classes{{
      {"Alpha", {letters}},
      {"Lower", {letters}},  // case is ignored
      {"Upper", {letters}},
      {"Digit", {digits}},
      {"Alnum", {digits | letters}},
      {"Punct", {graphic & ~(digits | letters)}},
      {"Graph", {graphic}},
      {"Space", {RangeOf('\t', '\r') | RangeOf(' ', ' ')}},
      {"XDigit", {digits | RangeOf('a', 'f') | RangeOf('A', 'F')}},
      {"ASCII", {Ascii()}},
      {"Print", {RangeOf(' ', '~')}},
  }};
  for (const auto& [known, set] : classes) {
    if (known == name) return set;
  }
  return std::nullopt;
}

PatternNodePtr NodeOf(Kind kind) {
  auto node = std::make_unique<PatternNode>();
  node->kind = kind;
  return node;
}

PatternNodePtr NodeOf(CharacterSet set) {
  auto node = NodeOf(Kind::kCharacter);
  IgnoreCase(set.bytes);
  node->bytes = set.bytes;
  node->beyond_ascii = set.beyond_ascii;
  return node;
}

// One character, which may be several bytes.
PatternNodePtr Literal(std::string_view character) {
  if (character.size() == 1)
    return NodeOf(CharacterSet{Bytes().set(static_cast<unsigned char>(character.front()))});
  auto sequence = NodeOf(Kind::kSequence);
  for (const char c : character) {
    sequence->children.push_back(NodeOf(CharacterSet{Bytes().set(static_cast<unsigned char>(c))}));
  }
  return sequence;
}

PatternNodePtr Repeat(PatternNodePtr child, int min, int max) {
  auto node = NodeOf(Kind::kRepeat);
  node->min = min;
  node->max = max;
  node->children.push_back(std::move(child));
  return node;
}

PatternNodePtr AnyText() { return Repeat(NodeOf(CharacterSet{Ascii(), true}), 0, -1); }

class Parser {
 public:
  explicit Parser(std::string_view pattern) : pattern_(pattern) {}

  Result<PatternNodePtr> ParseAll() {
    TakeText("(?i)");  // case is ignored anyway
    GLUECAT_ASSIGN_OR_RETURN(auto node, ParseAlternatives(0));
    if (at_ != pattern_.size()) return InvalidPattern("unmatched ')'");
    return node;
  }

 private:
  bool AtEnd() const { return at_ >= pattern_.size(); }
  bool Take(char c) {
    if (AtEnd() || pattern_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool TakeText(std::string_view text) {
    if (!pattern_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  // The next character, with all of its bytes.
  std::string_view TakeCharacter() {
    const std::size_t from = at_++;
    while (!AtEnd() && (static_cast<unsigned char>(pattern_[at_]) & 0xC0U) == 0x80) ++at_;
    return pattern_.substr(from, at_ - from);
  }

  Result<PatternNodePtr> ParseAlternatives(int depth) {
    if (depth > kMaxGroupDepth) return InvalidPattern("nested too deeply");
    auto node = NodeOf(Kind::kAlternatives);
    do {
      auto sequence = NodeOf(Kind::kSequence);
      while (!AtEnd() && pattern_[at_] != '|' && pattern_[at_] != ')') {
        if (TakeText("\\Q")) {
          GLUECAT_RETURN_IF_ERROR(TakeQuoted(*sequence));
          continue;
        }
        GLUECAT_RETURN_IF_ERROR(ParseItem(depth, *sequence));
      }
      node->children.push_back(std::move(sequence));
    } while (Take('|'));
    return node;
  }

  // Up to \E, or to the end.
  Status TakeQuoted(PatternNode& sequence) {
    while (!AtEnd() && !TakeText("\\E")) sequence.children.push_back(Literal(TakeCharacter()));
    return {};
  }

  // An atom with what repeats it, into `sequence`.
  Status ParseItem(int depth, PatternNode& sequence) {
    if (Take('*')) {
      sequence.children.push_back(AnyText());
      TakeGreed();
      return {};
    }
    const bool plain = IsPlain();
    GLUECAT_ASSIGN_OR_RETURN(auto node, ParseAtom(depth));
    if (plain && Take('*')) {
      sequence.children.push_back(std::move(node));
      sequence.children.push_back(AnyText());
      TakeGreed();
      return CountRepeat();
    }
    while (!AtEnd()) {
      int min = 0;
      int max = -1;
      if (Take('*')) {
      } else if (Take('+')) {
        min = 1;
      } else if (Take('?')) {
        max = 1;
      } else if (Take('{')) {
        GLUECAT_ASSIGN_OR_RETURN(min, TakeCount());
        max = min;
        if (Take(',')) {
          max = -1;
          if (!AtEnd() && pattern_[at_] != '}') {
            GLUECAT_ASSIGN_OR_RETURN(max, TakeCount());
            if (max < min) return InvalidPattern("repetition out of order");
          }
        }
        if (!Take('}')) return InvalidPattern("unclosed '{'");
      } else {
        break;
      }
      TakeGreed();
      node = Repeat(std::move(node), min, max);
      GLUECAT_RETURN_IF_ERROR(CountRepeat());
    }
    sequence.children.push_back(std::move(node));
    return {};
  }

  // True before a character that stands for itself, or an anchor: a '*' behind it is a wildcard.
  bool IsPlain() const {
    constexpr std::string_view kOthers = ".[(\\";
    return kOthers.find(pattern_[at_]) == std::string_view::npos;
  }

  // Lazy and possessive forms match the same whole names.
  void TakeGreed() {
    if (!Take('?')) static_cast<void>(Take('+'));
  }

  Status CountRepeat() {
    if (++repeats_ > kMaxRepeat) return InvalidPattern("too many repetitions");
    return {};
  }

  Result<int> TakeCount() {
    int value = 0;
    const std::size_t from = at_;
    while (!AtEnd() && pattern_[at_] >= '0' && pattern_[at_] <= '9') {
      value = value * 10 + (pattern_[at_++] - '0');
      if (value > kMaxRepeat) return InvalidPattern("repetition too large");
    }
    if (at_ == from) return InvalidPattern("malformed repetition");
    return value;
  }

  Result<PatternNodePtr> ParseAtom(int depth) {
    const std::string_view character = TakeCharacter();
    switch (character.front()) {
      case '(': {
        if (Take('?') && !Take(':')) return InvalidPattern("unsupported group");
        GLUECAT_ASSIGN_OR_RETURN(auto inner, ParseAlternatives(depth + 1));
        if (!Take(')')) return InvalidPattern("unclosed '('");
        return inner;
      }
      case '+':
      case '?':
        return InvalidPattern("nothing to repeat");
      case '{':
        return InvalidPattern("nothing to repeat before '{'");
      case '^':
        return NodeOf(Kind::kBegin);
      case '$':
        return NodeOf(Kind::kEnd);
      case '.':
        return NodeOf(CharacterSet{Ascii(), true});
      case '[': {
        GLUECAT_ASSIGN_OR_RETURN(const auto set, ParseClass());
        return NodeOf(set);
      }
      case '\\':
        return ParseEscape();
      default:
        return Literal(character);
    }
  }

  Result<PatternNodePtr> ParseEscape() {
    if (AtEnd()) return InvalidPattern("trailing '\\'");
    if (Take('A')) return NodeOf(Kind::kBegin);
    if (Take('z') || Take('Z')) return NodeOf(Kind::kEnd);
    GLUECAT_ASSIGN_OR_RETURN(const auto set, TakeEscapedSet());
    if (set) return NodeOf(*set);
    return Literal(TakeCharacter());
  }

  // Behind a '\': a class, or nothing if a character stands there that means itself.
  Result<std::optional<CharacterSet>> TakeEscapedSet() {
    if (AtEnd()) return InvalidPattern("trailing '\\'");
    const char c = pattern_[at_];
    if (auto set = ClassEscape(c)) {
      ++at_;
      return set;
    }
    if (c == 'p' || c == 'P') {
      ++at_;
      const std::size_t end = pattern_.find('}', at_);
      if (!Take('{') || end == std::string_view::npos) return InvalidPattern("malformed \\p{…}");
      const std::string_view name = pattern_.substr(at_, end - at_);
      at_ = end + 1;
      const auto set = NamedClass(name);
      if (!set) return InvalidPattern("unsupported class \\p{" + std::string(name) + "}");
      return c == 'P' ? set->Opposite() : *set;
    }
    if (c == 't') {
      ++at_;
      return CharacterSet{Bytes().set('\t')};
    }
    if (IsAsciiLetter(c) || (c >= '0' && c <= '9')) {
      return InvalidPattern(std::string("unsupported escape '\\") + c + "'");
    }
    return std::nullopt;
  }

  Result<CharacterSet> ParseClass() {
    CharacterSet set;
    const bool negated = Take('^');
    bool first = true;
    while (true) {
      if (AtEnd()) return InvalidPattern("unclosed '['");
      if (pattern_[at_] == ']' && !first) break;
      first = false;
      if (TakeText("&&")) return InvalidPattern("unsupported intersection of classes");
      if (Take('[')) return InvalidPattern("unsupported class in a class");
      if (Take('\\')) {
        GLUECAT_ASSIGN_OR_RETURN(const auto escape, TakeEscapedSet());
        if (escape) {
          set.Add(*escape);
          continue;
        }
      }
      GLUECAT_ASSIGN_OR_RETURN(const auto from, TakeClassCharacter());
      unsigned to = from;
      if (at_ + 1 < pattern_.size() && pattern_[at_] == '-' && pattern_[at_ + 1] != ']') {
        ++at_;
        if (Take('\\') && AtEnd()) return InvalidPattern("trailing '\\'");
        GLUECAT_ASSIGN_OR_RETURN(to, TakeClassCharacter());
        if (to < from) return InvalidPattern("range out of order");
      }
      set.bytes |= RangeOf(from, to);
    }
    ++at_;
    IgnoreCase(set.bytes);
    return negated ? set.Opposite() : set;
  }

  Result<unsigned> TakeClassCharacter() {
    if (!IsAscii(pattern_[at_])) return InvalidPattern("classes hold ASCII characters only");
    return static_cast<unsigned char>(pattern_[at_++]);
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  int repeats_ = 0;
};

}  // namespace

std::unexpected<Error> InvalidPattern(std::string_view what) {
  return InvalidInput("Invalid pattern: " + std::string(what));
}

Result<PatternNodePtr> ParsePattern(std::string_view pattern) { return Parser(pattern).ParseAll(); }

}  // namespace gluecat::store
