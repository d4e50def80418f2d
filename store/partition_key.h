// The values of a partition as one key: bytes that sort as the list of values does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gluecat::store {

// Every value ends in 00 01; a 00 inside becomes 00 FF.
std::string EncodePartitionKey(const std::vector<std::string_view>& values);

// The inverse, for keys that EncodePartitionKey made. The second form takes over the memory that
// `values` has.
std::vector<std::string> DecodePartitionKey(std::string_view key);
void DecodePartitionKey(std::string_view key, std::vector<std::string>& values);

// The keys from `low` on and before `high`.
struct PartitionKeyRange {
  std::string low;
  std::string high;
};

// Those whose first values are `leading` (all, if there are none) and that come after `after`, a
// key or empty.
PartitionKeyRange PartitionKeysAfter(const std::vector<std::string>& leading,
                                     std::string_view after);

}  // namespace gluecat::store
