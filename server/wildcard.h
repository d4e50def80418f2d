// The wildcards of IAM: '*' is any text, '?' one character.
#pragma once

#include <cstdint>
#include <string_view>

namespace gluecat::server {

enum class LetterCase : std::uint8_t { kMatters, kIgnored };  // of ASCII letters

// What of a text a pattern must match.
enum class Extent : std::uint8_t {
  kText,       // the text itself
  kEveryName,  // the text with whatever may follow: all of them
  kAnyName,    // the same, at least one of them
};

// Takes time in proportion to the product of the two lengths, whatever they hold.
bool MatchesWildcard(std::string_view pattern, std::string_view text, LetterCase letters,
                     Extent extent = Extent::kText);

// Compares the six pieces of an ARN one by one: a '*' does not reach over a colon, but in the last
// piece, which is the one that `letters` and `extent` are about.
bool MatchesArn(std::string_view pattern, std::string_view arn, LetterCase letters,
                Extent extent = Extent::kText);

}  // namespace gluecat::server
