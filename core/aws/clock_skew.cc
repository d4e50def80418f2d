#include "core/aws/clock_skew.h"

#include <array>

#include "core/aws/time_format.h"

namespace gluecat::aws {
namespace {

// Half of the round trip is the error of what is learned from it.
constexpr auto kLongestTrustedRoundTrip = std::chrono::minutes(2);
// AWS accepts signatures up to five minutes off.
constexpr auto kSuspiciousSkew = std::chrono::minutes(4);

constexpr std::array<std::string_view, 3> kDefiniteCodes = {"RequestTimeTooSkewed",
                                                            "RequestExpired", "RequestInTheFuture"};
constexpr std::array<std::string_view, 3> kPossibleCodes = {"InvalidSignatureException",
                                                            "SignatureDoesNotMatch", "AuthFailure"};

template <typename List>
bool Contains(const List& list, std::string_view code) {
  for (const auto item : list) {
    if (item == code) return true;
  }
  return false;
}

}  // namespace

Timestamp ClockSkew::Correct(Timestamp now) const { return now + value(); }

void ClockSkew::Learn(const HttpResponse& response, Timestamp sent, Timestamp received) {
  if (!response.Header("age").empty()) return;
  const auto date = ParseHttpDate(response.Header("date"));
  if (!date || received < sent || received - sent > kLongestTrustedRoundTrip) return;
  const auto skew =
      std::chrono::round<std::chrono::seconds>(*date - (sent + (received - sent) / 2));
  // A Date header has whole seconds: a small difference says nothing.
  Set(std::chrono::abs(skew) <= std::chrono::seconds(2) ? std::chrono::seconds(0) : skew);
}

bool ClockSkew::ExplainsFailure(std::string_view code, const HttpResponse& response,
                                Timestamp signing_time, Timestamp now) const {
  if (!response.Header("age").empty() || !ParseHttpDate(response.Header("date"))) return false;
  const auto off = std::chrono::abs(Correct(now) - signing_time);
  if (Contains(kDefiniteCodes, code)) return off > std::chrono::seconds(10);
  return Contains(kPossibleCodes, code) && off >= kSuspiciousSkew;
}

std::string ClockAdvice(std::chrono::seconds skew) {
  return "; the clock of this machine is " + std::to_string(std::chrono::abs(skew).count()) +
         " s " + (skew.count() > 0 ? "behind" : "ahead of") + " that of the service: set it right";
}

}  // namespace gluecat::aws
