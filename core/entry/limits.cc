#include "core/entry/limits.h"

#include <algorithm>

namespace gluecat::entry {
namespace {

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t') || byte == 0x7F;
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

std::string TooLong(std::string_view what, std::size_t length, std::size_t most) {
  return std::string(what) + " has " + std::to_string(length) + " characters; Glue holds at most " +
         std::to_string(most);
}

// Long texts say nothing more in a message than their beginning.
std::string Shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return std::string(text);
  return std::string(CutToBytes(text, kMost)) + "…";
}

}  // namespace

std::size_t CountCharacters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !IsContinuation(c); }));
}

std::string_view CutToBytes(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && IsContinuation(text[size])) --size;
  return text.substr(0, size);
}

bool IsGlueName(std::string_view name) {
  return !name.empty() && CountCharacters(name) <= kMaxName &&
         std::ranges::none_of(name, IsControl);
}

Status CheckName(std::string_view what, std::string_view name) {
  const std::string named = std::string(what) + " '" + Shown(name) + "'";
  if (name.empty())
    return Fail(ErrorKind::kInvalidArgument, "the " + std::string(what) + " is empty");
  if (const auto length = CountCharacters(name); length > kMaxName) {
    return Fail(ErrorKind::kInvalidArgument, TooLong(named, length, kMaxName));
  }
  if (std::ranges::any_of(name, IsControl)) {
    return Fail(ErrorKind::kInvalidArgument,
                named + " holds a line break or another control character");
  }
  return {};
}

Status CheckParameter(std::string_view what, std::string_view key, std::string_view value) {
  GLUECAT_RETURN_IF_ERROR(CheckName(std::string(what) + " name", key));
  if (const auto length = CountCharacters(value); length > kMaxParameterValue) {
    return Fail(ErrorKind::kInvalidArgument,
                TooLong("the value of " + std::string(what) + " '" + Shown(key) + "'", length,
                        kMaxParameterValue));
  }
  return {};
}

Status CheckLocation(std::string_view location) {
  if (location.empty()) return Fail(ErrorKind::kInvalidArgument, "the location is empty");
  if (const auto length = CountCharacters(location); length > kMaxLocation) {
    return Fail(ErrorKind::kInvalidArgument,
                TooLong("location '" + Shown(location) + "'", length, kMaxLocation));
  }
  return {};
}

std::string ToColumnComment(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(result, IsControl, ' ');
  result.resize(CutToBytes(result, kMaxColumnComment).size());
  return result;
}

std::string ToDescription(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](char c) { return IsControl(c) && c != '\n' && c != '\r'; }, ' ');
  result.resize(CutToBytes(result, kMaxDescription).size());
  return result;
}

}  // namespace gluecat::entry
