#include "cli/terminal_progress.h"

#include "cli/text_table.h"

namespace gluecat::cli {
namespace {

constexpr std::uint64_t kEvery = 100;  // entries that are read between two lines
constexpr std::uint64_t kBar = 24;     // characters
constexpr std::size_t kName = 40;

}  // namespace

void TerminalProgress::Reading(std::uint64_t entries, std::string_view object) {
  if (entries % kEvery != 1) return;
  Show("reading: " + std::to_string(entries) + " entries, " + OneLine(object, kName));
}

void TerminalProgress::Writing(std::uint64_t done, std::uint64_t total, std::string_view object) {
  const std::uint64_t full = total == 0 ? kBar : kBar * done / total;
  Show("writing [" + std::string(full, '#') + std::string(kBar - full, ' ') + "] " +
       std::to_string(done) + " of " + std::to_string(total) + ", " + OneLine(object, kName));
}

void TerminalProgress::Show(const std::string& line) {
  if (line == shown_) return;
  shown_ = line;
  out_ << "\r\x1b[K" << line << std::flush;
}

void TerminalProgress::Take() {
  if (shown_.empty()) return;
  shown_.clear();
  out_ << "\r\x1b[K" << std::flush;
}

}  // namespace gluecat::cli
