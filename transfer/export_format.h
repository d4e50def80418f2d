// The words of the export file. For its reader and its writer only.
#pragma once

#include <string_view>

namespace gluecat::transfer::format {

inline constexpr std::string_view kName = "gluecat-export";
inline constexpr int kVersion = 1;

// Values of "kind".
inline constexpr std::string_view kHeader = "header";
inline constexpr std::string_view kDatabase = "database";
inline constexpr std::string_view kFunction = "function";
inline constexpr std::string_view kTable = "table";
inline constexpr std::string_view kPartition = "partition";
inline constexpr std::string_view kEnd = "end";

// Members of a table's line; the second also of a partition's.
inline constexpr std::string_view kPartitionIndexes = "partition_indexes";
inline constexpr std::string_view kColumnStatistics = "column_statistics";

}  // namespace gluecat::transfer::format
