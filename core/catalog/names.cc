#include "core/catalog/names.h"

#include <algorithm>

#include "core/base/text.h"

namespace gluecat::catalog {
namespace {

constexpr std::size_t kMaxNameCharacters = 255;

std::size_t CountCharacters(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
  }));
}

}  // namespace

Result<std::string> FoldName(std::string_view name, std::string_view what) {
  const std::string label(what);
  if (Trim(name).empty()) {
    return Fail(ErrorKind::kInvalidArgument, "the " + label + " name is empty");
  }
  if (const std::size_t length = CountCharacters(name); length > kMaxNameCharacters) {
    return Fail(ErrorKind::kInvalidArgument,
                "the " + label + " name has " + std::to_string(length) +
                    " characters; Glue allows 255: " + std::string(name.substr(0, 40)) + "…");
  }
  const bool control = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t';
  });
  if (control) {
    return Fail(ErrorKind::kInvalidArgument,
                "the " + label + " name holds a control character, which Glue does not allow");
  }
  return ToLowerAscii(name);
}

}  // namespace gluecat::catalog
