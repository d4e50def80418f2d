// The structures of the Glue API model that views of the Data Catalog are made of.
#pragma once

#include "store/shape.h"

namespace gluecat::store::shapes {

extern const Shape kViewDefinitionInput;
extern const Shape kViewUpdateAction;

}  // namespace gluecat::store::shapes
