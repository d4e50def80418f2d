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

}  // namespace gluecat::store
