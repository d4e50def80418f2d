#include "store/partition_key.h"

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
  std::string value;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i] != kZero) {
      value += key[i];
      continue;
    }
    ++i;
    if (i < key.size() && key[i] == kEscaped) {
      value += kZero;
      continue;
    }
    values.push_back(std::move(value));
    value.clear();
  }
  return values;
}

}  // namespace gluecat::store
