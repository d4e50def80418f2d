// The structures of the Glue API model that requests for Iceberg tables are made of.
#pragma once

#include "store/shape.h"

namespace gluecat::store::shapes {

extern const Shape kOpenTableFormatInput;
extern const Shape kUpdateOpenTableFormatInput;

}  // namespace gluecat::store::shapes
