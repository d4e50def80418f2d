// A line on the terminal that says how far a transfer is.
#pragma once

#include <ostream>
#include <string>

#include "transfer/progress.h"

namespace gluecat::cli {

// Writes one line over and over, with the control codes every terminal knows.
class TerminalProgress final : public transfer::Progress {
 public:
  // `out` must outlive it.
  explicit TerminalProgress(std::ostream& out) : out_(out) {}
  ~TerminalProgress() override { Take(); }
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  void Reading(std::uint64_t entries, std::string_view object) override;
  void Writing(std::uint64_t done, std::uint64_t total, std::string_view object) override;

  void End() override { Take(); }

 private:
  // Takes the line away.
  void Take();
  void Show(const std::string& line);

  std::ostream& out_;
  std::string shown_;
};

}  // namespace gluecat::cli
