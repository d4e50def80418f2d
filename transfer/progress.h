// How far the work is, for who watches.
#pragma once

#include <cstdint>
#include <string_view>

namespace gluecat::transfer {

class Progress {
 public:
  virtual ~Progress() = default;

  // `entries` were read so far, the last of them of `object` ("sales.orders").
  virtual void Reading(std::uint64_t entries, std::string_view object) = 0;
  // `done` of `total` entries are written.
  virtual void Writing(std::uint64_t done, std::uint64_t total, std::string_view object) = 0;
  // Before something else is said.
  virtual void End() = 0;
};

// Nobody watches.
class NoProgress final : public Progress {
 public:
  void Reading(std::uint64_t, std::string_view) override {}
  void Writing(std::uint64_t, std::uint64_t, std::string_view) override {}
  void End() override {}
};

}  // namespace gluecat::transfer
