// One page of a listing: after what it begins, how much it holds, and the token of the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"
#include "store/operation.h"

namespace gluecat::store {

class ListingPage {
 public:
  // The page that `call` asks for with MaxResults and NextToken. `listing` names the listing with
  // everything that decides what it holds (page_token.h); `most` is the largest page.
  // Errors: InvalidInputException for a token of another listing.
  static Result<ListingPage> Of(const Call& call, std::string listing, std::int64_t most);

  // The position of the last element of the page before; empty for the first page.
  const std::string& after() const { return after_; }
  std::int64_t limit() const { return limit_; }

  // True if the page has room for the next element, which stands at `position`; else the page ends
  // before it.
  bool Take(std::string_view position);

  std::int64_t count() const { return count_; }
  // The position of the element that was taken last.
  const std::string& last() const { return last_; }

  // Nothing on the last page.
  std::optional<std::string> NextToken() const;
  void WriteNextToken(JsonWriter& writer) const;

 private:
  ListingPage(const Call& call, std::string listing, std::string after, std::int64_t limit);

  const Call* call_;
  std::string listing_;
  std::string after_;
  std::string last_;
  std::int64_t limit_;
  std::int64_t count_ = 0;
  bool more_ = false;
};

}  // namespace gluecat::store
