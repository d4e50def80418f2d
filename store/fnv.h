// FNV-1a, 64 bit: tells texts apart, the same in every process. Not a secret-keeping hash.
#pragma once

#include <cstdint>
#include <string_view>

namespace gluecat::store {

class Fnv {
 public:
  // The length goes in front, so that ("ab", "c") and ("a", "bc") differ.
  Fnv& Add(std::string_view part) {
    for (std::uint64_t size = part.size(), i = 0; i < 8; ++i, size >>= 8U) AddByte(size & 0xFFU);
    for (const char c : part) AddByte(static_cast<unsigned char>(c));
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  void AddByte(std::uint64_t byte) { value_ = (value_ ^ byte) * 1099511628211U; }
  std::uint64_t value_ = 14695981039346656037U;
};

}  // namespace gluecat::store
