// The operations of docs/waist.md on partitions.
#pragma once

#include <span>

#include "core/catalog/operation_call.h"

namespace gluecat::catalog {

std::span<const Operation> PartitionOperations();

}  // namespace gluecat::catalog
