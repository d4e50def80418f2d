// The ways AWS writes points in time, all UTC.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace gluecat::aws {

// "20150830T123600Z", the form of X-Amz-Date.
std::string FormatAmzDate(Timestamp time);
std::optional<Timestamp> ParseAmzDate(std::string_view text);

// "2026-01-01T00:05:01Z", with optional fraction and offset ("+02:00").
std::string FormatIso8601(Timestamp time);
std::optional<Timestamp> ParseIso8601(std::string_view text);

// "Thu, 01 Jan 2026 00:05:01 GMT" (RFC 9110 IMF-fixdate), the form of Date headers.
std::optional<Timestamp> ParseHttpDate(std::string_view text);

}  // namespace gluecat::aws
