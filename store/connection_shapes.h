// The structures of connections in the Glue API model.
#pragma once

#include "store/shape.h"

namespace gluecat::store::shapes {

extern const Shape kConnectionInput;
extern const Shape kConnectionsFilter;
extern const Shape kConnectionsToDelete;  // 0..25
extern const Shape kComputeEnvironment;

}  // namespace gluecat::store::shapes
