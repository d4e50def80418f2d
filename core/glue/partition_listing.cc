#include "core/glue/partition_listing.h"

#include <algorithm>
#include <future>
#include <utility>

#include "core/base/text.h"

namespace gluecat::glue {
namespace {

constexpr std::string_view kMember = "\"NextToken\"";

struct Member {
  std::string_view value;
  std::string_view rest;  // what follows it
};

// `text` is what follows the member's name. Its value, if that is a string without
// escapes.
std::optional<Member> PlainString(std::string_view text) {
  text = Trim(text);
  if (!text.starts_with(':')) return std::nullopt;
  text = Trim(text.substr(1));
  if (!text.starts_with('"')) return std::nullopt;
  const auto end = text.find_first_of("\"\\", 1);
  if (end == std::string_view::npos || text[end] != '"') return std::nullopt;
  return Member{text.substr(1, end - 1), Trim(text.substr(end + 1))};
}

}  // namespace

std::optional<std::string> GuessNextToken(std::string_view page) {
  std::optional<Member> member;
  const std::string_view start = Trim(page);
  if (start.starts_with('{')) {
    const std::string_view first = Trim(start.substr(1));
    if (first.starts_with(kMember)) {
      member = PlainString(first.substr(kMember.size()));
      if (member && !member->rest.starts_with(',')) member.reset();
    }
  }
  if (!member) {
    // Glue's tokens have some hundred characters.
    constexpr std::size_t kTail = 8192;
    const std::string_view tail = start.substr(start.size() - std::min(start.size(), kTail));
    if (const auto last = tail.rfind(kMember); last != std::string_view::npos) {
      member = PlainString(tail.substr(last + kMember.size()));
      if (member && member->rest != "}") member.reset();
    }
  }
  if (!member || member->value.empty()) return std::nullopt;
  return std::string(member->value);
}

Status ListPartitions(const PageSource& source, PartitionSink& sink) {
  PartitionPageReader reader;
  std::string spare;
  std::string asked;
  GLUECAT_ASSIGN_OR_RETURN(std::string page, source(asked, spare));
  for (;;) {
    const auto guess = GuessNextToken(page);
    std::future<Result<std::string>> following;
    if (guess && *guess != asked) {
      // Where no thread can be started, the page is asked for when it is waited for.
      following = std::async(std::launch::async | std::launch::deferred,
                             [&source, &guess, &spare] { return source(*guess, spare); });
    }
    GLUECAT_ASSIGN_OR_RETURN(std::string token, reader.Read(page, sink));
    if (token.empty()) return {};
    if (token == asked) {
      return Fail(ErrorKind::kInvalidData,
                  "GetPartitions answered with the NextToken it was asked with");
    }
    asked = std::move(token);
    auto answer = following.valid() && *guess == asked ? following.get()
                                                       : (following = {}, source(asked, spare));
    if (!answer) return Fail(std::move(answer).error());
    spare = std::exchange(page, *std::move(answer));
  }
}

}  // namespace gluecat::glue
