#include "store/name_pattern.h"

#include <array>
#include <utility>

#include "store/name_pattern_syntax.h"

namespace gluecat::store {
namespace {

constexpr std::size_t kMaxWork = 100'000;  // pieces compiled: nested repetitions multiply

std::bitset<256> BytesBetween(unsigned from, unsigned to) {
  std::bitset<256> bytes;
  for (unsigned byte = from; byte <= to; ++byte) bytes.set(byte);
  return bytes;
}

}  // namespace

// Builds the states from the end to the front: each piece leads to `next`.
class NamePatternCompiler {
 public:
  explicit NamePatternCompiler(NamePattern& pattern) : states_(pattern.states_) {}

  Result<std::size_t> Compile(const PatternNode& node, std::size_t next) {
    using Kind = NamePattern::State::Kind;
    using Node = PatternNode;
    if (++work_ > kMaxWork) return InvalidPattern("too large");
    switch (node.kind) {
      case Node::Kind::kCharacter:
        return CompileCharacter(node, next);
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
    if (states_.size() >= NamePattern::kMaxStates) return InvalidPattern("too large");
    states_.push_back(state);
    return states_.size() - 1;
  }

 private:
  // What is not ASCII is a first byte, by which the number of those behind it is known.
  Result<std::size_t> CompileCharacter(const PatternNode& node, std::size_t next) {
    using Kind = NamePattern::State::Kind;
    GLUECAT_ASSIGN_OR_RETURN(std::size_t state, Add({Kind::kByte, node.bytes, next, 0}));
    if (!node.beyond_ascii) return state;
    const std::array<std::bitset<256>, 3> first_bytes{
        BytesBetween(0xC2, 0xDF), BytesBetween(0xE0, 0xEF), BytesBetween(0xF0, 0xF4)};
    std::size_t rest = next;
    for (const auto& bytes : first_bytes) {
      GLUECAT_ASSIGN_OR_RETURN(rest, Add({Kind::kByte, BytesBetween(0x80, 0xBF), rest, 0}));
      GLUECAT_ASSIGN_OR_RETURN(const auto first, Add({Kind::kByte, bytes, rest, 0}));
      GLUECAT_ASSIGN_OR_RETURN(state, Add({Kind::kSplit, {}, first, state}));
    }
    return state;
  }

  std::vector<NamePattern::State>& states_;
  std::size_t work_ = 0;
};

Result<NamePattern> NamePattern::Compile(std::string_view pattern) {
  GLUECAT_ASSIGN_OR_RETURN(const auto tree, ParsePattern(pattern));
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
