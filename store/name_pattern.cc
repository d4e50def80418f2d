#include "store/name_pattern.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "store/service_errors.h"

namespace gluecat::store {
namespace {

constexpr int kMaxGroupDepth = 50;
constexpr int kMaxRepeat = 255;
constexpr std::size_t kMaxWork = 100'000;  // pieces compiled: nested repetitions multiply

struct Node {
  enum class Kind : std::uint8_t {
    kEmpty,
    kBytes,
    kSequence,
    kAlternatives,
    kRepeat,
    kBegin,
    kEnd
  };
  Kind kind = Kind::kEmpty;
  std::bitset<256> bytes;
  std::vector<std::unique_ptr<Node>> children;
  int min = 0;
  int max = -1;  // -1: without end
};
using NodePtr = std::unique_ptr<Node>;

std::unexpected<Error> Invalid(std::string_view what) {
  return InvalidInput("Invalid pattern: " + std::string(what));
}

std::bitset<256> RangeOf(unsigned from, unsigned to) {
  std::bitset<256> bytes;
  for (unsigned c = from; c <= to; ++c) bytes.set(c);
  return bytes;
}

void IgnoreCase(std::bitset<256>& bytes) {
  for (unsigned c = 'a'; c <= 'z'; ++c) {
    const unsigned upper = c - 'a' + 'A';
    if (bytes[c] || bytes[upper]) bytes.set(c).set(upper);
  }
}

// \d, \w, \s and their opposites.
std::optional<std::bitset<256>> ClassEscape(char c) {
  const auto digits = RangeOf('0', '9');
  const auto word = digits | RangeOf('a', 'z') | RangeOf('A', 'Z') | RangeOf('_', '_');
  const auto space = RangeOf('\t', '\r') | RangeOf(' ', ' ');
  switch (c) {
    case 'd':
      return digits;
    case 'D':
      return ~digits;
    case 'w':
      return word;
    case 'W':
      return ~word;
    case 's':
      return space;
    case 'S':
      return ~space;
    default:
      return std::nullopt;
  }
}

class Parser {
 public:
  explicit Parser(std::string_view pattern) : pattern_(pattern) {}

  Result<NodePtr> ParseAll() {
    GLUECAT_ASSIGN_OR_RETURN(auto node, ParseAlternatives(0));
    if (at_ != pattern_.size()) return Invalid("unmatched ')'");
    return node;
  }

 private:
  bool AtEnd() const { return at_ >= pattern_.size(); }
  bool Take(char c) {
    if (AtEnd() || pattern_[at_] != c) return false;
    ++at_;
    return true;
  }

  Result<NodePtr> ParseAlternatives(int depth) {
    if (depth > kMaxGroupDepth) return Invalid("nested too deeply");
    auto node = std::make_unique<Node>();
    node->kind = Node::Kind::kAlternatives;
    do {
      auto sequence = std::make_unique<Node>();
      sequence->kind = Node::Kind::kSequence;
      while (!AtEnd() && pattern_[at_] != '|' && pattern_[at_] != ')') {
        GLUECAT_ASSIGN_OR_RETURN(auto item, ParseItem(depth));
        sequence->children.push_back(std::move(item));
      }
      node->children.push_back(std::move(sequence));
    } while (Take('|'));
    return node;
  }

  Result<NodePtr> ParseItem(int depth) {
    GLUECAT_ASSIGN_OR_RETURN(auto node, ParseAtom(depth));
    while (!AtEnd()) {
      int min = 0;
      int max = -1;
      if (Take('*')) {
      } else if (Take('+')) {
        min = 1;
      } else if (Take('?')) {
        max = 1;
      } else if (pattern_[at_] == '{') {
        ++at_;
        GLUECAT_ASSIGN_OR_RETURN(min, TakeCount());
        max = min;
        if (Take(',')) {
          max = -1;
          if (!AtEnd() && pattern_[at_] != '}') {
            GLUECAT_ASSIGN_OR_RETURN(max, TakeCount());
            if (max < min) return Invalid("repetition out of order");
          }
        }
        if (!Take('}')) return Invalid("unclosed '{'");
      } else {
        break;
      }
      // Lazy and possessive forms match the same whole names.
      if (!Take('?')) static_cast<void>(Take('+'));
      auto repeat = std::make_unique<Node>();
      repeat->kind = Node::Kind::kRepeat;
      repeat->min = min;
      repeat->max = max;
      repeat->children.push_back(std::move(node));
      node = std::move(repeat);
      if (++repeats_ > kMaxRepeat) return Invalid("too many repetitions");
    }
    return node;
  }

  Result<int> TakeCount() {
    int value = 0;
    const std::size_t from = at_;
    while (!AtEnd() && pattern_[at_] >= '0' && pattern_[at_] <= '9') {
      value = value * 10 + (pattern_[at_++] - '0');
      if (value > kMaxRepeat) return Invalid("repetition too large");
    }
    if (at_ == from) return Invalid("malformed repetition");
    return value;
  }

  Result<NodePtr> ParseAtom(int depth) {
    auto node = std::make_unique<Node>();
    const char c = pattern_[at_++];
    switch (c) {
      case '(': {
        if (Take('?') && !Take(':')) return Invalid("unsupported group");
        GLUECAT_ASSIGN_OR_RETURN(auto inner, ParseAlternatives(depth + 1));
        if (!Take(')')) return Invalid("unclosed '('");
        return inner;
      }
      case '*':
      case '+':
      case '?':
        return Invalid("nothing to repeat");
      case '^':
        node->kind = Node::Kind::kBegin;
        return node;
      case '$':
        node->kind = Node::Kind::kEnd;
        return node;
      default:
        break;
    }
    node->kind = Node::Kind::kBytes;
    if (c == '.') {
      node->bytes.set();
    } else if (c == '[') {
      GLUECAT_ASSIGN_OR_RETURN(node->bytes, ParseClass());
    } else if (c == '\\') {
      if (AtEnd()) return Invalid("trailing '\\'");
      const char escaped = pattern_[at_++];
      if (const auto escape = ClassEscape(escaped)) {
        node->bytes = *escape;
      } else {
        node->bytes.set(static_cast<unsigned char>(escaped));
      }
    } else {
      node->bytes.set(static_cast<unsigned char>(c));
    }
    IgnoreCase(node->bytes);
    return node;
  }

  Result<std::bitset<256>> ParseClass() {
    std::bitset<256> bytes;
    const bool negated = Take('^');
    bool first = true;
    while (true) {
      if (AtEnd()) return Invalid("unclosed '['");
      char c = pattern_[at_++];
      if (c == ']' && !first) break;
      first = false;
      if (c == '\\') {
        if (AtEnd()) return Invalid("trailing '\\'");
        c = pattern_[at_++];
        if (const auto escape = ClassEscape(c)) {
          bytes |= *escape;
          continue;
        }
      }
      const auto from = static_cast<unsigned char>(c);
      unsigned to = from;
      if (at_ + 1 < pattern_.size() && pattern_[at_] == '-' && pattern_[at_ + 1] != ']') {
        ++at_;
        char last = pattern_[at_++];
        if (last == '\\') {
          if (AtEnd()) return Invalid("trailing '\\'");
          last = pattern_[at_++];
        }
        to = static_cast<unsigned char>(last);
        if (to < from) return Invalid("range out of order");
      }
      bytes |= RangeOf(from, to);
    }
    IgnoreCase(bytes);
    return negated ? ~bytes : bytes;
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  int repeats_ = 0;
};

}  // namespace

// Builds the states from the end to the front: each piece leads to `next`.
class NamePatternCompiler {
 public:
  explicit NamePatternCompiler(NamePattern& pattern) : states_(pattern.states_) {}

  Result<std::size_t> Compile(const Node& node, std::size_t next) {
    using Kind = NamePattern::State::Kind;
    if (++work_ > kMaxWork) return Invalid("too large");
    switch (node.kind) {
      case Node::Kind::kEmpty:
        return next;
      case Node::Kind::kBytes:
        return Add({Kind::kByte, node.bytes, next, 0});
      case Node::Kind::kBegin:
        return Add({Kind::kBegin, {}, next, 0});
      case Node::Kind::kEnd:
        return Add({Kind::kEnd, {}, next, 0});
      case Node::Kind::kSequence: {
        std::size_t state = next;
        for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
          GLUECAT_ASSIGN_OR_RETURN(state, Compile(**child, state));
        }
        return state;
      }
      case Node::Kind::kAlternatives: {
        GLUECAT_ASSIGN_OR_RETURN(std::size_t state, Compile(*node.children.back(), next));
        for (std::size_t i = node.children.size() - 1; i-- > 0;) {
          GLUECAT_ASSIGN_OR_RETURN(const auto branch, Compile(*node.children[i], next));
          GLUECAT_ASSIGN_OR_RETURN(state, Add({Kind::kSplit, {}, branch, state}));
        }
        return state;
      }
      case Node::Kind::kRepeat: {
        const Node& child = *node.children.front();
        std::size_t state = next;
        if (node.max < 0) {
          GLUECAT_ASSIGN_OR_RETURN(state, Add({Kind::kSplit, {}, 0, next}));
          GLUECAT_ASSIGN_OR_RETURN(states_[state].next, Compile(child, state));
        } else {
          for (int i = node.min; i < node.max; ++i) {
            GLUECAT_ASSIGN_OR_RETURN(const auto more, Compile(child, state));
            GLUECAT_ASSIGN_OR_RETURN(state, Add({Kind::kSplit, {}, more, next}));
          }
        }
        for (int i = 0; i < node.min; ++i) {
          GLUECAT_ASSIGN_OR_RETURN(state, Compile(child, state));
        }
        return state;
      }
    }
    return next;
  }

  Result<std::size_t> Add(NamePattern::State state) {
    if (states_.size() >= NamePattern::kMaxStates) return Invalid("too large");
    states_.push_back(state);
    return states_.size() - 1;
  }

 private:
  std::vector<NamePattern::State>& states_;
  std::size_t work_ = 0;
};

Result<NamePattern> NamePattern::Compile(std::string_view pattern) {
  GLUECAT_ASSIGN_OR_RETURN(const auto tree, Parser(pattern).ParseAll());
  NamePattern compiled;
  NamePatternCompiler compiler(compiled);
  GLUECAT_ASSIGN_OR_RETURN(const auto match, compiler.Add({}));
  GLUECAT_ASSIGN_OR_RETURN(compiled.start_, compiler.Compile(*tree, match));
  return compiled;
}

void NamePattern::Follow(std::size_t state, bool at_begin, bool at_end, std::vector<bool>& seen,
                         std::vector<std::size_t>& out) const {
  std::vector<std::size_t> open{state};
  while (!open.empty()) {
    const std::size_t current = open.back();
    open.pop_back();
    if (seen[current]) continue;
    seen[current] = true;
    const State& step = states_[current];
    switch (step.kind) {
      case State::Kind::kSplit:
        open.push_back(step.next);
        open.push_back(step.alternative);
        break;
      case State::Kind::kBegin:
        if (at_begin) open.push_back(step.next);
        break;
      case State::Kind::kEnd:
        if (at_end) open.push_back(step.next);
        break;
      default:
        out.push_back(current);
    }
  }
}

bool NamePattern::Matches(std::string_view name) const {
  std::vector<bool> seen(states_.size());
  std::vector<std::size_t> current;
  Follow(start_, true, name.empty(), seen, current);
  for (std::size_t i = 0; i < name.size(); ++i) {
    std::vector<std::size_t> next;
    seen.assign(states_.size(), false);
    for (const auto index : current) {
      const State& state = states_[index];
      if (state.kind != State::Kind::kByte || !state.bytes[static_cast<unsigned char>(name[i])])
        continue;
      Follow(state.next, false, i + 1 == name.size(), seen, next);
    }
    if (next.empty()) return false;
    current = std::move(next);
  }
  for (const auto index : current) {
    if (states_[index].kind == State::Kind::kMatch) return true;
  }
  return false;
}

}  // namespace gluecat::store
