#include "server/wildcard.h"

#include <algorithm>
#include <vector>

namespace gluecat::server {
namespace {

char Fold(char c, LetterCase letters) {
  const bool upper = c >= 'A' && c <= 'Z';
  return upper && letters == LetterCase::kIgnored ? static_cast<char>(c - 'A' + 'a') : c;
}

// The places in the pattern that the text read so far may have led to.
class Places {
 public:
  explicit Places(std::string_view pattern)
      : pattern_(pattern), now_(pattern.size() + 1), next_(pattern.size() + 1) {
    Reach(now_, 0);
  }

  void Read(char c, LetterCase letters) {
    std::fill(next_.begin(), next_.end(), false);
    for (std::size_t i = 0; i < pattern_.size(); ++i) {
      if (!now_[i]) continue;
      if (pattern_[i] == '*') {
        Reach(next_, i);
      } else if (pattern_[i] == '?' || Fold(pattern_[i], letters) == Fold(c, letters)) {
        Reach(next_, i + 1);
      }
    }
    now_.swap(next_);
  }

  bool AtTheEnd() const { return now_[pattern_.size()]; }
  bool AtAll() const { return std::find(now_.begin(), now_.end(), true) != now_.end(); }
  // At a '*' that is the last of the pattern.
  bool AtALastStar() const {
    return !pattern_.empty() && pattern_.back() == '*' && now_[pattern_.size() - 1];
  }

 private:
  // A '*' may also stand for nothing.
  void Reach(std::vector<bool>& places, std::size_t place) const {
    places[place] = true;
    while (place < pattern_.size() && pattern_[place] == '*') places[++place] = true;
  }

  std::string_view pattern_;
  std::vector<bool> now_;
  std::vector<bool> next_;
};

}  // namespace

bool MatchesWildcard(std::string_view pattern, std::string_view text, LetterCase letters,
                     Extent extent) {
  // Most patterns are decided by what stands before their first wildcard.
  while (!pattern.empty() && !text.empty() && pattern[0] != '*' && pattern[0] != '?') {
    if (Fold(pattern[0], letters) != Fold(text[0], letters)) return false;
    pattern.remove_prefix(1);
    text.remove_prefix(1);
  }
  if (pattern == "*") return true;
  Places places(pattern);
  for (const char c : text) {
    places.Read(c, letters);
    if (!places.AtAll()) return false;
  }
  switch (extent) {
    case Extent::kText:
      return places.AtTheEnd();
    case Extent::kEveryName:
      return places.AtALastStar();
    case Extent::kAnyName:
      return true;
  }
  return false;
}

bool MatchesArn(std::string_view pattern, std::string_view arn, LetterCase letters, Extent extent) {
  constexpr int kPiecesBeforeTheLast = 5;
  for (int piece = 0; piece < kPiecesBeforeTheLast; ++piece) {
    const std::size_t pattern_end = pattern.find(':');
    const std::size_t arn_end = arn.find(':');
    if (pattern_end == std::string_view::npos || arn_end == std::string_view::npos) return false;
    if (!MatchesWildcard(pattern.substr(0, pattern_end), arn.substr(0, arn_end),
                         LetterCase::kMatters)) {
      return false;
    }
    pattern.remove_prefix(pattern_end + 1);
    arn.remove_prefix(arn_end + 1);
  }
  return MatchesWildcard(pattern, arn, letters, extent);
}

}  // namespace gluecat::server
