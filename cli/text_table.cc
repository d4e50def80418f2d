#include "cli/text_table.h"

#include <algorithm>
#include <utility>

namespace gluecat::cli {
namespace {

bool StartsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// Characters of UTF-8 text.
std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, StartsCharacter));
}

}  // namespace

std::string OneLine(std::string_view text, std::size_t most) {
  std::string line;
  std::size_t characters = 0;
  for (const char c : text) {
    if (StartsCharacter(c) && ++characters > most) return line + "…";
    line += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  }
  return line;
}

TextTable::TextTable(std::vector<std::string> headings) {
  if (!headings.empty()) rows_.push_back(std::move(headings));
}

void TextTable::Add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = cell.empty() ? "-" : OneLine(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::Write(std::ostream& out, std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  for (const auto& row : rows_) {
    out << indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      out << row[i];
      if (i + 1 < row.size()) out << std::string(widths[i] - Width(row[i]) + 2, ' ');
    }
    out << '\n';
  }
}

}  // namespace gluecat::cli
