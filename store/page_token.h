// Continuation tokens of listings (NextToken).
//
// A token says where a listing goes on, and is only good for the listing it came
// from: the same operation, object and filters, in this store. It holds no
// state of a process, so that any process of the same directory can go on.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace gluecat::store {

class PageTokens {
 public:
  // `secret` is the store's own, so that tokens of other stores are told apart.
  explicit PageTokens(std::string secret) : secret_(std::move(secret)) {}

  // `listing` names the listing with everything that decides what it holds.
  std::string Seal(std::string_view listing, std::string_view position) const;

  // The position; empty for an empty token (the first page).
  // Errors: InvalidInputException for a token that is not of this listing.
  Result<std::string> Open(std::string_view listing, std::string_view token) const;

 private:
  std::string Checksum(std::string_view listing, std::string_view position) const;
  std::string secret_;
};

}  // namespace gluecat::store
