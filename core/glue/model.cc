#include "core/glue/model.h"

namespace gluecat::glue {

const std::string* Table::Parameter(const std::string& key) const {
  if (!parameters) return nullptr;
  const auto found = parameters->find(key);
  return found == parameters->end() ? nullptr : &found->second;
}

}  // namespace gluecat::glue
