// The structures of the Glue API model (2017-03-31) that requests are made of.
#pragma once

#include "store/shape.h"

namespace gluecat::store::shapes {

// Scalars
extern const Shape kCatalogId;  // 1..255
extern const Shape kName;       // 1..255, single line
extern const Shape kToken;
extern const Shape kBoolean;
extern const Shape kTimestamp;
extern const Shape kGetterPageSize;  // 1..100
extern const Shape kPageSize;        // 1..1000
extern const Shape kPredicate;       // 0..2048
extern const Shape kFilter;          // 0..2048
extern const Shape kDescription;     // 0..2048, several lines
extern const Shape kParameters;
extern const Shape kVersion;  // 1..255
extern const Shape kTransactionId;
extern const Shape kAnything;  // accepted and ignored, or looked at by the operation itself
extern const Shape kFunctionType;
extern const Shape kValue;  // 1..1024
extern const Shape kResourceShareType;
extern const Shape kResourceArn;  // 1..10240
extern const Shape kTags;         // 0..50

// Structures and lists
extern const Shape kDatabaseInput;
extern const Shape kPrincipalPermissionsList;
extern const Shape kTableInput;
extern const Shape kPartitionInput;
extern const Shape kPartitionInputList;  // 0..100
extern const Shape kFunctionInput;
extern const Shape kPartitionIndex;
extern const Shape kPartitionIndexList;  // 0..3
extern const Shape kSegment;
extern const Shape kPartitionValues;         // of one partition
extern const Shape kBoundedPartitionValues;  // 0..100
extern const Shape kPartitionsToDelete;      // 0..25
extern const Shape kPartitionsToGet;         // 0..1000
extern const Shape kPartitionUpdates;        // 1..100
extern const Shape kTablesToDelete;          // 0..100
extern const Shape kVersionsToDelete;        // 0..100
extern const Shape kStatisticsColumns;       // 0..100
extern const Shape kColumnStatisticsList;    // 0..25
extern const Shape kDatabaseAttributes;
extern const Shape kTableAttributes;
extern const Shape kSearchFilters;
extern const Shape kSortCriteria;  // 0..1

}  // namespace gluecat::store::shapes
