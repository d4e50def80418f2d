// What Glue accepts in a table (Glue API 2017-03-31, "Catalog API"): checked
// here, so that a refusal names the object and not "columns.7.member.comment".
//
// Glue counts characters where it states lengths. Texts that are shortened to
// fit are cut by bytes, which is never more.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/glue/model.h"

namespace gluecat::entry {

inline constexpr std::size_t kMaxName = 255;
inline constexpr std::size_t kMaxColumnComment = 255;
inline constexpr std::size_t kMaxDescription = 2048;
inline constexpr std::size_t kMaxParameterKey = 255;
inline constexpr std::size_t kMaxParameterValue = 512000;
inline constexpr std::size_t kMaxLocation = 2056;

// 1 to 255 characters on a single line.
bool IsGlueName(std::string_view name);

// Errors of all: kInvalidArgument, naming `what` ("table name 'x'").
Status CheckName(std::string_view what, std::string_view name);
Status CheckParameter(std::string_view what, std::string_view key, std::string_view value);
Status CheckLocation(std::string_view location);

// `text` as a column comment: line breaks and other control characters become
// spaces, and what is too long is cut.
std::string ToColumnComment(std::string_view text);

// `text` as a table description: may have several lines.
std::string ToDescription(std::string_view text);

// Number of characters (code points) of UTF-8 text.
std::size_t CountCharacters(std::string_view text);

// The first at most `size` bytes of `text`, not ending inside a character.
std::string_view CutToBytes(std::string_view text, std::size_t size);

}  // namespace gluecat::entry
