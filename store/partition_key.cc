#include "store/partition_key.h"

#include <algorithm>

namespace gluecat::store {
namespace {

constexpr char kZero = '\0';
constexpr char kEnd = '\x01';
constexpr char kEscaped = '\xFF';

}  // namespace

std::string EncodePartitionKey(const std::vector<std::string_view>& values) {
  std::string key;
  for (const auto value : values) {
    for (const char c : value) {
      key += c;
      if (c == kZero) key += kEscaped;
    }
    key += kZero;
    key += kEnd;
  }
  return key;
}

std::vector<std::string> DecodePartitionKey(std::string_view key) {
  std::vector<std::string> values;
  DecodePartitionKey(key, values);
  return values;
}

void DecodePartitionKey(std::string_view key, std::vector<std::string>& values) {
  std::size_t count = 0;
  const auto value = [&]() -> std::string& {
    if (count == values.size()) values.emplace_back();
    return values[count];
  };
  std::size_t at = 0;
  if (!key.empty()) value().clear();
  while (at < key.size()) {
    const std::size_t zero = std::min(key.find(kZero, at), key.size());
    value().append(key, at, zero - at);
    if (zero + 1 < key.size() && key[zero + 1] == kEscaped) {
      value() += kZero;
    } else {
      ++count;
      if (zero + 2 < key.size()) value().clear();
    }
    at = zero + 2;
  }
  values.resize(count);
}

}  // namespace gluecat::store
