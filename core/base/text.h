// Small text functions whose rules matter: ASCII case folding as Glue and Spark
// do it for names, trimming, splitting, and percent-encoding as AWS does it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gluecat {

// ASCII letters to lower case; other bytes unchanged. Glue folds database,
// table and top-level column names this way.
std::string ToLowerAscii(std::string_view text);

bool EqualsIgnoreCase(std::string_view a, std::string_view b);

// Without leading and trailing space, tab, CR and LF.
std::string_view Trim(std::string_view text);

// Pieces between `separator`; always at least one.
std::vector<std::string_view> Split(std::string_view text, char separator);

std::string Join(const std::vector<std::string>& parts, std::string_view separator);

// RFC 3986 percent-encoding of every byte but A-Z a-z 0-9 - _ . ~ (and '/' if `keep_slash`).
std::string PercentEncode(std::string_view text, bool keep_slash = false);

// Undoes percent-encoding; a '%' without two hexadecimal digits behind it stays.
std::string PercentDecode(std::string_view text);

// Lower-case hexadecimal. Decoding takes no other form; nothing for a text that is none.
std::string HexEncode(std::string_view bytes);
std::optional<std::string> HexDecode(std::string_view text);

}  // namespace gluecat
