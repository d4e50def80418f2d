#include "store/listing_page.h"

#include <utility>

#include "store/lookup.h"

namespace gluecat::store {

ListingPage::ListingPage(const Call& call, std::string listing, std::string after,
                         std::int64_t limit)
    : call_(&call), listing_(std::move(listing)), after_(std::move(after)), limit_(limit) {}

Result<ListingPage> ListingPage::Of(const Call& call, std::string listing, std::int64_t most) {
  GLUECAT_ASSIGN_OR_RETURN(auto after,
                           call.tokens.Open(listing, call.request["NextToken"].StringOr("")));
  return ListingPage(call, std::move(listing), std::move(after), PageSize(call, most));
}

bool ListingPage::Take(std::string_view position) {
  more_ = count_ == limit_;
  if (more_) return false;
  ++count_;
  last_ = position;
  return true;
}

std::optional<std::string> ListingPage::NextToken() const {
  if (!more_) return std::nullopt;
  return call_->tokens.Seal(listing_, last_);
}

void ListingPage::WriteNextToken(JsonWriter& writer) const {
  if (const auto token = NextToken()) writer.Member("NextToken", *token);
}

}  // namespace gluecat::store
