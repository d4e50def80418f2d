// Aligned columns of plain text.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace gluecat::cli {

// Rows are written in the order they came, two spaces between columns, none at
// the end of a line. A cell is one line: control characters become spaces, and an
// empty cell is "-".
class TextTable {
 public:
  // Without headings there is no first line.
  explicit TextTable(std::vector<std::string> headings = {});

  // Rows may differ in length.
  void Add(std::vector<std::string> cells);
  void Write(std::ostream& out, std::string_view indent = "") const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// `text` on one line, cut with "…" behind `most` characters.
std::string OneLine(std::string_view text, std::size_t most = std::string_view::npos);

}  // namespace gluecat::cli
